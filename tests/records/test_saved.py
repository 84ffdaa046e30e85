"""Games that `ludus play` saved are read as any others."""

import json

import pytest

import ludus
from ludus.cli.playing.live_game import LiveGame, save
from ludus.envs import make_game
from ludus.records import read_games


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


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"moves": ["a1", "a1"]}, "move 2, 'a1'"),
        ({"game": "evil:Game"}, "code is not run"),
        ({"seat": 2}, "seat"),
        ({"game": "nim"}, "a game of nim, and games of tictactoe are wanted"),
        ({"start": "XO"}, "not a position"),
    ],
)
def test_what_is_wrong_with_it_is_told(tmp_path, changes, words):
    document = {"game": "tictactoe", "against": "random", "seat": 0, "seed": 0, "start": "--------- X", "moves": []} | changes
    (tmp_path / "saved.json").write_text(json.dumps(document))
    with pytest.raises(ValueError, match=rf"saved\.json, .*{words}"):
        next(read_games(tmp_path / "saved.json", "tictactoe"))
