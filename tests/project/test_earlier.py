"""The study of an earlier version: the cost of kernels, by stage, of first environments, and both versions in turn."""

import sys

import pytest

from benchmarks.speed import earlier

PERFT = ("perft", "tictactoe", "3")
PROCESSORS = "s of processors"


def test_a_command_says_what_each_kernel_cost_and_at_which_stage():
    cost = earlier.compiling_cost(sys.executable, PERFT)
    kernels = dict(cost["kernels"])
    assert kernels.keys() == {"tictactoe first_foreign", "tictactoe perft"}
    assert 0 < min(kernels.values()) <= sum(kernels.values()) <= cost["seconds"]
    assert list(cost["stages"]) == ["front end", "parsing", "optimising", "emitting"]
    assert min(cost["stages"].values()) >= 0
    assert sum(cost["stages"].values()) == pytest.approx(cost["seconds"])


def test_a_command_that_fails_says_so():
    with pytest.raises(RuntimeError, match="there is no game 'chess'"):
        earlier.compiling_cost(sys.executable, ("perft", "chess", "3"))


def test_the_demo_and_the_first_environment_of_each_game_are_measured(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(earlier, "DEMO", PERFT)
    monkeypatch.setattr(earlier, "game_names", lambda: ["tictactoe"])
    rows = {**earlier.demo(sys.executable), **earlier.first_environments(sys.executable)}
    assert rows["ludus demo: kernels", "kernels"] == 2
    assert 0 < rows["ludus demo: the largest kernel", PROCESSORS] <= rows["ludus demo: all kernels", PROCESSORS]
    first = "tictactoe: first environment ever"
    assert 0 < rows[f"{first}, above a warm start", PROCESSORS] < rows[first, PROCESSORS]
    assert rows[f"{first}, by the clock", "s"] > 0


def test_both_versions_are_measured_in_turn_and_the_median_counts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    values = {"old": [5.0, 1.0, 3.0], sys.executable: [1.0, 1.0, 1.0]}
    turns = list[str]()

    def measure(python: str) -> dict[earlier.Line, float]:
        turns.append(python)
        gone = {("a line that is gone", "s"): 1.0} if python == "old" else {}
        return {("a start", "s"): values[python].pop(), **gone}

    rows = earlier.measure_both("old", 3, measure)
    assert turns == ["old", sys.executable] * 3
    assert rows == [{"what": "a start", "unit": "s", "before": 3.0, "after": 1.0, "times": 3.0}]
