"""`time_moves`: processor time for a move, alone and in batches; the same positions for all, and nothing that waits is counted."""

import json

import numpy as np
import pytest

import ludus
from ludus.arena import time_moves
from ludus.cli import main

GAME = ludus.make_game("othello:size=4")


def first_legal(states, keys):
    return GAME.masks(states).argmax(axis=1)


def test_each_policy_is_asked_about_the_same_positions_once_in_batches_of_each_size():
    asked = []

    def noting(states, keys):
        asked.append((states.copy(), keys.copy()))
        return first_legal(states, keys)

    def also(states, keys):
        return noting(states, keys)

    measured = time_moves([noting, also], GAME, batches=(1, 64), seconds=60)
    assert [*measured.times] == ["noting", "also"]
    assert [(each.batch, each.moves) for each in measured.times["noting"]] == [(1, 256), (64, 256)]
    half = len(asked) // 2
    assert half == 1 + 256 + 1 + 4
    for one, other in zip(asked[:half], asked[half:], strict=True):
        assert all(map(np.array_equal, one, other))
    alone, together = (np.concatenate([states for states, _ in part]) for part in (asked[1:257], asked[258:half]))
    assert np.array_equal(alone, together)
    assert len(np.unique(alone, axis=0)) > 100
    assert all(GAME.outcome(state) is None for state in alone)


def test_the_command_prints_a_table_or_json(capsys):
    assert main(["bench", "policies", "--game", "nim", "--policies", "random", "nim_sum", "--seconds", "0.01", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["game"] == "nim"
    assert [*document["policies"]] == ["random", "nim_sum"]
    assert all(each["processor"] > 0 and each["clock"] > 0 for times in document["policies"].values() for each in times)
    assert main(["bench", "policies", "--game", "nim", "--policies", "random", "--seconds", "0.01"]) == 0
    assert "µs of processor a move" in capsys.readouterr().out


def test_wrong_arguments_are_sentences():
    with pytest.raises(ValueError, match="two policies have one name"):
        time_moves(["random", "random"], "nim")
    with pytest.raises(ValueError, match="batches is 0"):
        time_moves("random", "nim", batches=(0,))
