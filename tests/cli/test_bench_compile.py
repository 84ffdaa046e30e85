"""`ludus bench compile`: the cost of kernels, by stage, and of first environments."""

import json
import sys

import pytest

from ludus.cli import main
from ludus.cli.bench import compile as bench_compile

PERFT = ("perft", "tictactoe", "3")


def test_a_command_says_what_each_kernel_cost_and_at_which_stage():
    found = bench_compile.compiling_cost(sys.executable, PERFT)
    kernels = dict(found["kernels"])
    assert kernels.keys() == {"tictactoe first_foreign", "tictactoe perft"}
    assert 0 < min(kernels.values()) <= sum(kernels.values()) <= found["seconds"]
    assert list(found["stages"]) == ["front end", "parsing", "optimising", "emitting"]
    assert min(found["stages"].values()) >= 0
    assert sum(found["stages"].values()) == pytest.approx(found["seconds"])


def test_a_command_that_fails_says_so():
    with pytest.raises(RuntimeError, match="there is no game 'chess'"):
        bench_compile.compiling_cost(sys.executable, ("perft", "chess", "3"))


def test_bench_compile_gives_the_demo_and_the_first_environment_of_each_game(monkeypatch, capsys):
    monkeypatch.setattr(bench_compile, "DEMO", PERFT)
    monkeypatch.setattr(bench_compile, "game_names", lambda: ["tictactoe"])
    assert main(["bench", "compile", "--runs", "1", "--json"]) == 0
    rows = {(row["what"], row["unit"]): row["median"] for row in json.loads(capsys.readouterr().out)["measured"]}
    assert rows["ludus demo: kernels", "kernels"] == 2
    assert 0 < rows["ludus demo: the largest kernel", "s of processors"] <= rows["ludus demo: all kernels", "s of processors"]
    first = "tictactoe: first environment ever"
    assert 0 < rows[f"{first}, above a warm start", "s of processors"] < rows[first, "s of processors"]
    assert rows[f"{first}, by the clock", "s"] > 0


def test_of_several_runs_the_median_is_shown(monkeypatch, capsys):
    runs = [5.0, 1.0, 3.0]
    monkeypatch.setattr(bench_compile, "demo", lambda python: {("all kernels", "s of processors"): runs.pop()})
    monkeypatch.setattr(bench_compile, "first_environments", lambda python: {})
    assert main(["bench", "compile", "--runs", "3"]) == 0
    printed = capsys.readouterr().out
    assert "3.00" in printed
    assert "5.00" not in printed
