"""`ludus solve`, and the oracle at the table of `ludus play`."""

import json

import pytest

import ludus
from ludus.agents.oracles.quarto import QuartoOracle
from ludus.cli import main
from ludus.envs import Game

from ..helpers.system.commands import process

FFO_1 = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"


@pytest.fixture
def solve(capsys):
    """What `ludus solve … --json` prints."""

    def command(*arguments):
        assert main(["solve", *map(str, arguments), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return command


def test_quixo_without_a_position_counts_all_boards(solve):
    told = solve("quixo:size=3")
    # facts: of all 19683 boards of 3×3, for the side to move, 12748 won, 6935 lost, none drawn; the start is a win in 7
    assert (told["won"], told["lost"], told["drawn"]) == (12748, 6935, 0)
    assert (told["value"], told["distance"]) == (1, 7)
    assert told["position"] == "--------- X"


def test_4x4_quixo_is_won_in_21_by_every_first_move(solve):
    told = solve("quixo:size=4")
    game = ludus.make_game("quixo:size=4")
    assert (told["value"], told["distance"]) == (1, 21)
    assert told["best"] == [game.move_name(action) for action in game.legal_actions(game.start)]
    assert told["won"] + told["lost"] + told["drawn"] == 3**16


def test_a_position_brings_no_counts(solve):
    assert "won" not in solve("quixo:size=3", "X-------- O")


def test_tictactoe_is_told_in_full(solve):
    told = solve("tictactoe", "XX-OO---- X")
    assert {key: told[key] for key in ("game", "position", "value", "best", "distance")} == {
        "game": "tictactoe",
        "position": "XX-OO---- X",
        "value": 1,
        "best": ["c1"],
        "distance": 1,
    }
    assert told["nodes"] >= 0
    assert told["seconds"] >= 0
    assert "score" not in told


def test_othello_adds_the_score(solve):
    told = solve("othello", FFO_1)
    assert (told["value"], told["score"], told["best"]) == (1, 18, ["g8"])
    assert told["nodes"] > 0


def test_a_finished_game_has_a_value_and_no_best_move(solve):
    told = solve("tictactoe", "XXXOO---- O")
    assert (told["value"], told["best"], told["distance"]) == (-1, [], 0)


def test_out_of_reach_the_value_is_null(solve):
    told = solve("othello")
    assert (told["value"], told["best"], told["distance"]) == (None, [], None)


def test_a_limit_makes_it_try_beyond_its_reach(solve):
    told = solve("othello", "--nodes", 20000)
    assert told["value"] is None
    assert told["nodes"] >= 20000


def test_the_kernels_of_a_book_are_compiled_before_its_time_limit_begins(solve, monkeypatch):
    prepared = []
    monkeypatch.setattr(Game, "prepare", lambda game, kernels: prepared.extend(kernels))
    monkeypatch.setattr(QuartoOracle, "build_book", lambda oracle, watch: {*oracle.kernels, *oracle.book_kernels} <= {*prepared})
    assert solve("quarto", "--book", "--seconds", 5)["whole"]


def test_people_read_a_sentence(capsys):
    assert main(["solve", "tictactoe", "XX-OO---- X"]) == 0
    out = capsys.readouterr().out
    assert "For X the position is won in 1 ply." in out
    assert "Best: c1" in out
    assert main(["solve", "othello"]) == 0
    assert "Out of reach. The oracle of Othello knows" in capsys.readouterr().out


def test_at_the_table_the_oracle_tells_what_each_move_is_worth():
    told = process("play", "tictactoe", "--position", "XX-OO---- X", stdin="oracle\nquit\n").stdout
    lines = [line.split(maxsplit=1) for line in told.split("X> ")[1].splitlines() if line.strip()]
    assert lines == [
        ["c1", "won in 1 ply"],
        ["c2", "drawn"],
        ["a3", "lost in 2 plies"],
        ["b3", "lost in 2 plies"],
        ["c3", "lost in 2 plies"],
    ]


def test_at_the_table_moves_out_of_reach_are_not_guessed():
    told = process("play", "othello", stdin="oracle\nquit\n").stdout
    assert "4 moves are out of its reach: the oracle of Othello knows" in told
