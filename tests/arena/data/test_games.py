"""Games as arrays: the same whoever plays them together, read from files, resumed, counted, and by the command."""

import json

import numpy as np
import pytest

from ludus.agents import as_policy
from ludus.arena.data import playing
from ludus.arena.data.many_games import ManyGames, Shard
from ludus.data import games, open_games, positions, write_table
from ludus.envs import make_game
from ludus.games.kernels.rules import ONGOING
from ludus.oracles import make_oracle

from ...helpers.games import EACH

FEW = ["nim", "tictactoe", "quarto", "quixo", "othello:size=4", "connect_four:rows=4,columns=4"]


def arrays(many):
    every = range(len(many))
    return many.moves(every), many.lengths(every), many.results(every)


def equal(one, other):
    return all(np.array_equal(*pair) for pair in zip(arrays(one), arrays(other), strict=True))


@pytest.mark.parametrize("spec", [*EACH, "nim:heaps=200"])
def test_games_are_played_by_the_rules_to_their_ends(spec):
    many = games(spec, 40, seed=1)
    game, (moves, lengths, results) = many.game, arrays(many)
    for line, length, result in zip(moves, lengths, results, strict=True):
        assert (line[:length] >= 0).all()
        assert (line[length:] == -1).all()
        states = game.play_line(line[:length].tolist())
        assert game.outcome(states[-1], int(length)) == (result, -result)


@pytest.mark.parametrize("spec", FEW)
def test_random_games_in_compiled_code_are_those_of_two_random_policies(spec, monkeypatch):
    quick = games(spec, 200, seed=2)
    monkeypatch.setattr(playing, "Random", type(None))
    assert equal(quick, games(spec, 200, seed=2))


def test_a_game_depends_on_the_seed_and_its_number_alone(monkeypatch):
    whole = games("connect_four", 100, policies=("minimax:depth=1", "random"), seed=3)
    monkeypatch.setattr(playing, "AT_ONCE", 7)
    assert equal(whole, games("connect_four", 100, policies=("minimax:depth=1", "random"), seed=3, shard=30))
    assert not equal(whole, games("connect_four", 100, policies=("minimax:depth=1", "random"), seed=4))


def test_every_position_of_a_game_comes_on_demand():
    many = games("othello:size=4", 30)
    states, game = many.states([4, 7]), many.game
    for number, line in zip((4, 7), states, strict=True):
        played = game.play_line(many[number].tolist())
        assert np.array_equal(line[: len(played)], played)
        assert (line[len(played) :] == played[-1]).all()
        assert game.outcomes(line[len(played) - 1 :])[0] != ONGOING


def test_a_game_longer_than_the_room_for_moves_is_played_again_with_more(monkeypatch):
    usual = games("nim:heaps=9+9", 50)
    monkeypatch.setattr(type(usual.game), "num_cells", property(lambda game: -5))  # room for six moves
    assert equal(usual, games("nim:heaps=9+9", 50))
    assert usual.lengths(range(50)).max() > 6


def test_a_folder_holds_what_memory_would_and_an_interrupted_run_resumes(tmp_path, monkeypatch):
    folder, whole = tmp_path / "games", games("tictactoe", 500, seed=5)
    calls, make = [], playing.play_shard

    def counting(*arguments):
        calls.append(arguments[-1])
        if len(calls) == 3:
            raise KeyboardInterrupt
        return make(*arguments)

    monkeypatch.setattr(playing, "play_shard", counting)
    with pytest.raises(KeyboardInterrupt):
        games("tictactoe", 500, seed=5, out=folder, shard=100)
    assert len(open_games(folder)) == 200
    reports = []
    found = games("tictactoe", 500, seed=5, out=folder, shard=100, progress=lambda *done: reports.append(done))
    assert calls == [0, 100, 200, 200, 300, 400]
    assert reports[-1] == (500, 500)
    assert equal(found, whole)
    assert equal(open_games(folder), whole)
    assert isinstance(found.shards[0].moves, np.memmap)
    with pytest.raises(ValueError, match="holds games with seed 5; give another folder, or the same arguments"):
        games("tictactoe", 500, seed=6, out=folder, shard=100)


def test_an_action_that_is_not_legal_is_named():
    policy = as_policy(lambda states, keys: np.full(len(states), 10**9), "tictactoe")
    with pytest.raises(ValueError, match=r"answered '--------- X' of tictactoe with .*, which is not legal there"):
        games("tictactoe", 3, policies=policy)


def test_repeated_games_are_counted():
    many = games("nim:heaps=1+2", 300)
    different = {tuple(line) for line in many.moves(range(300)).tolist()}
    assert many.count_repeated() == 300 - len(different) > 200
    assert games("othello", 300).count_repeated() == 0


def test_the_same_moves_from_another_start_are_another_game():
    game = make_game("tictactoe")
    starts = game.plays(np.repeat(game.start[None], 3, axis=0), [0, 1, 0])
    shard = Shard(np.full((3, 1), 4, np.int8), np.ones(3, np.int16), np.zeros(3, np.int8), starts)
    assert ManyGames(game, [shard]).count_repeated() == 1


def test_the_command_writes_a_folder_with_a_card(tmp_path, document):
    folder = tmp_path / "some"
    said = document("games", "tictactoe", "--count", 120, "--policies", "minimax:depth=2", "random", "--out", folder, "--shard", 50)
    many = open_games(folder)
    assert (said["games"], said["plies"]) == (120, int(many.lengths(range(120)).sum()))
    card = (folder / "README.md").read_text()
    assert "# 120 games of tictactoe" in card
    assert card.count(".npy\n") == 9
    assert json.loads((folder / "games.json").read_text())["policies"] == ["minimax:depth=2", "random"]


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("README.md", lambda folder: games("tictactoe", 10, out=folder)),
        ("x.md", lambda folder: positions("tictactoe", 10, out=folder / "x.npz")),
        ("README.md", lambda folder: write_table(make_oracle("tictactoe"), folder)),
    ],
)
def test_a_page_of_ones_own_is_not_replaced_by_a_card(tmp_path, name, write):
    (tmp_path / name).write_text("mine")
    with pytest.raises(ValueError, match=rf"{name} is there, and is no card of Ludus"):
        write(tmp_path)
    assert (tmp_path / name).read_text() == "mine"
