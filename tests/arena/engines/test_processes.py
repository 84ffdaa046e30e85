"""Worker processes, and the engines that play with them: same games whoever plays them, and nothing left behind."""

import os
import signal
import subprocess
import sys
import time
from itertools import repeat
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.arena.engines.jobs import play_jobs
from ludus.arena.matches.games import Pairing
from ludus.arena.matches.job import Job
from ludus.arena.matches.settings import MatchSettings
from ludus.core.workers.worker import Died, TooLate, Worker

from ...helpers.arena.played import matched, timeless
from ...helpers.system.processes import run
from ...helpers.system.warm import cold_workers


def alive(pid):
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def children(pid):
    """The processes that a process started and has not buried."""
    return [int(word) for task in Path(f"/proc/{pid}/task").iterdir() for word in (task / "children").read_text().split()]


def gone(pids, seconds=600):
    """Whether processes end soon."""
    until = time.monotonic() + seconds
    while any(map(alive, pids)):
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

# ---- a worker


def test_what_a_call_raises_is_raised_with_its_traceback_and_a_worker_that_dies_is_replaced():
    with Worker(threads=3) as worker:
        with cold_workers():
            worker.call(abs, -1)
        with pytest.raises(ZeroDivisionError, match="division") as raised:
            worker.call(divmod, 1, 0)
        assert "in _answer" in str(raised.value.__cause__)
        with pytest.raises(RuntimeError, match=r"^SystemExit: 5$"):
            worker.call(sys.exit, 5)
        with pytest.raises(Exception, match="pickle"):
            worker.call(eval, "lambda: 0")
        with pytest.raises(Died, match=r"^was ended by signal 9 \(Killed\), as the system does when memory runs out$"):
            worker.call(signal.raise_signal, signal.SIGKILL)
        with pytest.raises(TooLate, match=r"^no answer after 0\.05 seconds$"):
            worker.call(time.sleep, 600, timeout=0.05)
        assert worker.pid is None
        assert worker.call(divmod, 17, 5) == (3, 2)


# ---- who plays changes no game


@pytest.fixture(scope="module")
def here():
    return matched_somewhere()


def matched_somewhere(**where):
    return timeless(matched("random", "greedy", "othello:size=4", 30, parts=7, plies=4, **where))


@pytest.mark.parametrize(("workers", "move_time"), [(3, None), (1, 60.0), (2, 60.0)])
def test_workers_and_limits_on_time_change_no_game(here, workers, move_time):
    assert len({game.actions for game in here}) > 20
    assert matched_somewhere(workers=workers, move_time=move_time) == here


@linux
def test_an_engine_leaves_no_process_behind():
    before, random = {*children(os.getpid())}, ludus.make_policy("random", "nim")
    job = Job(Pairing("nim", "one", "other"), (random, random), np.arange(2), 5, MatchSettings(0, move_time=60))
    played = play_jobs(repeat(job, 100), workers=2)
    next(played)
    workers = [*{*children(os.getpid())} - before]
    players = [player for worker in workers for player in children(worker)]
    assert (len(workers), bool(players)) == (2, True)
    played.close()
    assert {*children(os.getpid())} <= before
    assert gone(players)


def test_an_engine_that_there_is_not_is_refused(monkeypatch):
    with pytest.raises(ValueError, match="there is no engine 'rai'; did you mean 'ray'"):
        [*play_jobs([], "rai", 1)]
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"which is not installed; pip install '\.\[ray\]' in a clone of Ludus brings it$"):
        [*play_jobs([], "ray", 2)]


SCRIPT = """
from dataclasses import dataclass
import ludus
from ludus.arena import evaluate
from ludus.games.nim.rules import *
from ludus.games.nim.rules import Nim

print("once")

@ludus.register_game
@dataclass(frozen=True)
class Heaps(Nim):
    name = "heaps"

game = ludus.make_game("heaps")

def highest(states, keys):
    return (game.masks(states) * range(1, game.num_actions + 1)).argmax(1)

scores = [evaluate(highest, game, games=40, **how) for how in ({}, {"workers": 2}, {"move_time": 60})]
print([score.by_seat.tolist() == scores[0].by_seat.tolist() for score in scores])
"""


def test_a_script_needs_no_guard_and_its_own_game_and_functions_are_played_too(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    printed = [line for line in run("script.py", cwd=tmp_path).splitlines() if "has been starting since" not in line]
    assert printed == ["once", "[True, True, True]"]


# ---- the end


BUSY = """
import os, sys
import ludus
from ludus.agents.policy import FunctionPolicy
from ludus.arena import evaluate

def never(states, keys, place=sys.argv[1]):
    open(f"{place}/{os.getpid()}", "w").close()
    while True:
        pass

game = ludus.make_game("nim")
try:
    evaluate(FunctionPolicy(game, function=never, title="never"), game, games=40, workers=2, move_time=100.0)
except KeyboardInterrupt:
    print("interrupted, left:", open(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read().split())
"""


@pytest.fixture
def busy(tmp_path):
    """A process that plays with two workers, each with two policies in processes of their own, one of which never answers."""
    (tmp_path / "at").mkdir()
    (tmp_path / "script.py").write_text(BUSY)
    command = [sys.executable, tmp_path / "script.py", tmp_path / "at"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        until = time.monotonic() + 600
        while len([*(tmp_path / "at").iterdir()]) < 2:
            assert time.monotonic() < until
            assert process.poll() is None
            time.sleep(0.02)
        workers = children(process.pid)
        players = [player for worker in workers for player in children(worker)]
        assert (len(workers), len(players)) == (2, 2)
        yield process
        process.kill()
        assert gone([*workers, *players])


@linux
def test_workers_end_with_their_parent_however_busy_they_are(busy):
    busy.kill()  # the fixture looks for them


@linux
def test_ctrl_c_ends_all_at_once(busy):
    os.killpg(busy.pid, signal.SIGINT)
    printed, _ = busy.communicate(timeout=600)
    assert printed == "interrupted, left: []\n"
