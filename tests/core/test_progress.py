"""Progress in logs: a line now and then says how far a computation is, in Python and in the log of a batch job."""

import logging

import pytest

from ludus.arena import evaluate, grade, grade_exact, tournament
from ludus.baselines import train
from ludus.core import progress
from ludus.core.progress import ProgressLog
from ludus.data import games, positions

LOGGED = {
    "evaluate": (lambda: evaluate("random", "nim", games=600), "nim: random – random: 256 of 600 games"),
    "tournament": (lambda: tournament(["nim"], ["random", "greedy"], 40), "tournament of nim: 2 of 40 games"),
    "grade": (lambda: grade("greedy", "nim", games=20), "grade of greedy in nim: 20 games, "),
    "grade_exact": (lambda: grade_exact("greedy", "nim"), "exact grade of greedy in nim: as player 0: "),
    "positions": (lambda: positions("tictactoe", 60), "positions of tictactoe: "),
    "games": (lambda: games("nim", 20, shard=10), "games of nim: 10 of 20 games"),
    "train": (lambda: train("qlearning", "nim", games=300), "qlearning in nim: "),
}


def test_a_line_is_written_now_and_then_with_the_time_left(caplog, monkeypatch):
    clock = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    caplog.set_level(logging.INFO, "ludus")
    lines = ProgressLog("cup", "games", begun=100)
    for done in range(100, 700):
        clock[0] += 1
        lines.count(done + 1, 1100, "all well")
    assert len(caplog.messages) == 600 // 30
    assert caplog.messages[0] == "cup: 130 of 1,100 games, 16 min left; all well"
    assert caplog.messages[-1] == "cup: 700 of 1,100 games, 6.7 min left; all well"


@pytest.mark.parametrize("work", LOGGED)
def test_what_takes_long_says_how_far_it_is(work, caplog, monkeypatch):
    call, expected = LOGGED[work]
    for name in ("PAUSE", "SHARE"):  # lines are always due
        monkeypatch.setattr(progress, name, 0.0)
    caplog.set_level(logging.INFO, "ludus")
    call()
    lines = [record.getMessage() for record in caplog.records if record.name == "ludus.progress"]
    assert lines[0].startswith(expected)
