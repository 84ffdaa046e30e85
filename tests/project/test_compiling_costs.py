"""The cost of kernels, by stage, and of first environments, as benchmarks measure it."""

import sys

import pytest

from benchmarks.speed import compiling

PERFT = ("perft", "tictactoe", "3")


def test_a_command_says_what_each_kernel_cost_and_at_which_stage():
    found = compiling.compiling_cost(sys.executable, PERFT)
    kernels = dict(found["kernels"])
    assert kernels.keys() == {"tictactoe first_foreign", "tictactoe perft"}
    assert 0 < min(kernels.values()) <= sum(kernels.values()) <= found["seconds"]
    assert list(found["stages"]) == ["front end", "parsing", "optimising", "emitting"]
    assert min(found["stages"].values()) >= 0
    assert sum(found["stages"].values()) == pytest.approx(found["seconds"])


def test_a_command_that_fails_says_so():
    with pytest.raises(RuntimeError, match="there is no game 'chess'"):
        compiling.compiling_cost(sys.executable, ("perft", "chess", "3"))


def test_the_demo_and_the_first_environment_of_each_game_are_measured(monkeypatch):
    monkeypatch.setattr(compiling, "DEMO", PERFT)
    monkeypatch.setattr(compiling, "game_names", lambda: ["tictactoe"])
    costs = compiling.demo(sys.executable) | compiling.first_environments(sys.executable)
    assert costs["ludus demo: kernels", "kernels"] == 2
    assert 0 < costs["ludus demo: the largest kernel", "s of processors"] <= costs["ludus demo: all kernels", "s of processors"]
    first = "tictactoe: first environment ever"
    assert 0 < costs[f"{first}, above a warm start", "s of processors"] < costs[first, "s of processors"]
    assert costs[f"{first}, by the clock", "s"] > 0
