"""Lists of positions and of moves, and saved games: what is written is read again, moves are written in many ways."""

import numpy as np
import pytest

import ludus
from ludus.cli.playing.live_game import LiveGame, save
from ludus.envs import make_game
from ludus.records import RecordedGame, read_games, read_positions, write_games
from ludus.records.file import STORE_BEGINS, RecordFile
from ludus.records.formats import find_format

from ..helpers.games import VARIANTS
from ..helpers.recorded import random_game

SAVED = '{"game": "nim", "against": "random", "seat": 0, "seed": 0, "start": "1 3 5 7", "moves": ["1-1", "1-1"]}'


@pytest.mark.parametrize("spec", VARIANTS)
def test_lines_of_moves_are_read_again_as_they_were(tmp_path, spec):
    games = [random_game(spec, seed, plies, start) for seed, plies, start in [(0, None, False), (1, 3, False), (2, None, True)]]
    games.append(random_game(spec, 3, 1, comments={1: "a remark"}))
    assert write_games(tmp_path / "a.moves", games) == 4
    assert [*read_games(tmp_path / "a.moves")] == games
    assert [*read_games(tmp_path / "a.moves", spec, format="moves")] == games
    (tmp_path / "b").write_bytes((tmp_path / "a.moves").read_bytes())  # told by what it holds
    assert [*read_games(tmp_path / "b")] == games


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_last_position_of_each_game_is_read_from_a_list_of_positions_or_of_moves(tmp_path, spec):
    games = [random_game(spec, seed, 4) for seed in range(5)]
    last = np.stack([record.states()[-1] for record in games])
    for name in ("a.positions", "a.moves"):
        write_games(tmp_path / name, games)
        assert (read_positions(tmp_path / name, spec) == last).all()
    game = make_game(spec)
    assert [record.start for record in read_games(tmp_path / "a.positions")] == [game.text(state) for state in last]


@pytest.mark.parametrize("line", ["f5 d6 c3", "f5d6c3", "F5D6C3", "  F5, d6 ; c3\t", "f5d6 c3 # the tiger"])
def test_moves_may_be_run_together_and_in_capitals(tmp_path, line):
    (tmp_path / "a.moves").write_text(f"# my lines\n\n{line}\n")
    [record] = read_games(tmp_path / "a.moves", "othello")
    assert [make_game("othello").moves[action] for action in record.actions] == ["f5", "d6", "c3"]


def test_other_words_for_a_move_that_begin_with_the_name_of_one_are_that_move(tmp_path):
    (tmp_path / "a.moves").write_text("d1 d2 e1\nddE\n")
    lines = [record.actions for record in read_games(tmp_path / "a.moves", "connect_four")]
    assert lines == [(3, 3, 4)] * 2


def test_passes_that_were_left_out_are_filled_in(tmp_path):
    games = [random_game("othello:size=4", seed) for seed in range(20)]
    passing = make_game("othello:size=4").action("pass")
    assert any(passing in record.actions[:-1] for record in games)
    write_games(tmp_path / "a.moves", games)
    text = (tmp_path / "a.moves").read_text()
    for instead in ("", "--", "PA", "Pass"):
        (tmp_path / "b.moves").write_text(text.replace("pass", instead))
        assert [*read_games(tmp_path / "b.moves")] == games


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.moves", "a1 b2\na1 a1\n", "line 2: move 2, 'a1'.* not legal"),
        ("a.moves", "a1 b2\n\n# no\nz9\n", "line 4: .*move 1, 'z9'.* a1, b2, c3"),
        ("a.moves", "a1 b1 b2 c1 c3 a3\n", "line 1: move 6.* not legal"),
        ("a.moves", "XO : a1\n", "line 1: .* not a position"),
        ("a.moves", "a1\nX-------- O : a1\n", "line 2: move 1, 'a1'.* not legal"),
        ("a.moves", "# Game: nim\na1\n", "line 1: .* a game of nim, .* games of tictactoe are wanted"),
        ("saved.json", SAVED, "a game of nim, and games of tictactoe are wanted"),
        ("saved.json", SAVED.replace("nim", "tictactoe"), "not a position"),
        ("saved.json", SAVED.replace(": 0,", ": 2,"), "seat"),
    ],
)
def test_a_mistake_is_told_with_the_file_and_its_line(tmp_path, name, text, words):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=f"{name}, .*{words}"):
        [*read_games(tmp_path / name, "tictactoe")]


@pytest.mark.parametrize("text", ["# Game: evil:Game\na1\n", SAVED.replace("nim", "evil:Game")], ids=["a list", "a saved game"])
def test_code_in_a_file_is_not_run(tmp_path, text):
    (tmp_path / "a").write_text(text)
    with pytest.raises(ValueError, match="code is not run because a file says so"):
        next(read_games(tmp_path / "a"))


def test_the_first_comment_at_the_top_that_names_no_game_is_the_label(tmp_path):
    (tmp_path / "a.openings").write_text(
        "# Game: tictactoe\n# drawn by the oracle\n#\n# proven\na1 b2  # the corner\n# no more\na1\n"
    )
    assert RecordFile.open(tmp_path / "a.openings").label() == "drawn by the oracle"
    assert [record.comments for record in read_games(tmp_path / "a.openings")] == [{2: "the corner"}, {}]


def test_a_store_is_named_as_such_with_the_command_that_reads_it(tmp_path):
    (tmp_path / "o.sqlite").write_bytes(STORE_BEGINS + bytes(100))
    with pytest.raises(ValueError, match=r"store of a tournament; .*`ludus convert .*o\.sqlite FILE`"):
        read_games(tmp_path / "o.sqlite", "tictactoe")


@pytest.mark.parametrize("spec", VARIANTS)
def test_a_list_of_positions_is_told_from_one_of_moves(tmp_path, spec):
    games = [random_game(spec, seed, plies) for seed, plies in enumerate((0, 1, 4, None))]
    for record in games:
        write_games(tmp_path / "a", [record], format="positions")
        assert find_format(RecordFile.open(tmp_path / "a")).name == "positions"


@pytest.mark.parametrize(
    ("name", "games", "format", "words"),
    [
        ("a.moves", [random_game("tictactoe", 0, 2), random_game("nim", 0, 2)], None, "write two lists"),
        ("a.moves", [RecordedGame("nim")], None, "game without moves"),
        ("a.xyz", [], None, r"names no format.*\.moves"),
        ("a.moves", [], "move", r"no format 'move'.*moves"),
    ],
)
def test_what_cannot_be_written_is_told_and_leaves_no_file(tmp_path, name, games, format, words):
    with pytest.raises(ValueError, match=words):
        write_games(tmp_path / name, games, format=format)
    assert [*tmp_path.iterdir()] == []


# ---- games that `ludus play` saved


def test_a_saved_game_is_read(tmp_path):
    game = make_game("tictactoe")
    start = game.parse("XO------- X")
    live = LiveGame(game, ludus.make_policy("random", game), "minimax:depth=1", 1, 5, start, [4, 2, 8])
    save(live, tmp_path / "saved.json")
    [record] = read_games(tmp_path / "saved.json")
    assert (record.game, record.start, record.actions) == ("tictactoe", "XO------- X", (4, 2, 8))
    assert (record.players, record.result) == (("minimax:depth=1", "you"), 1)
    live.start, live.seat = game.start, 0
    live.actions = [0]
    save(live, tmp_path / "saved.json")
    [record] = read_games(tmp_path / "saved.json", "tictactoe")
    assert (record.start, record.players, record.result) == (None, ("you", "minimax:depth=1"), None)
