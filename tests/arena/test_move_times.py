"""`time_moves`: processor time for a move, alone and in batches; the same positions for all, and nothing that waits is counted."""

import json
import shlex
import sys
import threading
import time

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


def test_waiting_is_time_of_the_clock_and_work_of_threads_is_time_of_processors():
    def work():
        until = time.thread_time() + 0.02
        while time.thread_time() < until:
            pass

    def waiting(states, keys):
        time.sleep(0.02)
        return first_legal(states, keys)

    def working(states, keys):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        return first_legal(states, keys)

    times = time_moves([waiting, working], GAME, batches=(8,), seconds=0.1).times
    assert times["waiting"][0].clock >= 0.02 / 8
    assert times["waiting"][0].processor < 0.02 / 8 <= times["working"][0].processor
    assert times["waiting"][0].moves < 256


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system does not say the processor time of others")
def test_the_work_of_a_program_is_time_of_processors(tmp_path):
    (tmp_path / "engine.py").write_text(
        "import sys, time\nfor line in sys.stdin:\n    word, _, position = line.partition(' ')\n"
        "    if word == 'position': cell = position.index('-')\n    if word == 'go':\n"
        "        until = time.process_time() + 0.02\n        while time.process_time() < until: pass\n"
        "        print('bestmove', 'abc'[cell % 3] + str(cell // 3 + 1), flush=True)\n"
    )
    engine = f"engine:{shlex.join([sys.executable, str(tmp_path / 'engine.py')])}"
    (measured,) = time_moves(engine, "tictactoe", batches=(1,), seconds=0.05).times[engine]
    assert 0.02 <= measured.processor < 0.2


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
