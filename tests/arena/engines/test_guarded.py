"""Commands and policies that do not come with ludus: these live in a process of their own, and cost games, not the command."""

import os
import sys
from pathlib import Path

import pytest

from ludus.arena.engines.remote import DEATHS
from ludus.arena.store.store import Store
from ludus.core.workers.worker import Worker

MISBEHAVING = """
import ctypes, os, signal, time

def crashes(states, keys):
    ctypes.string_at(0)

def first(states, keys):
    import ludus
    return ludus.make_policy("greedy", "tictactoe").act(states, keys)

def process(states, keys):
    with open("processes", "a") as file:
        file.write(f"{os.getpid()} ")
    return first(states, keys)

def unmade(game):
    os._exit(5)

def exits(game):
    raise SystemExit("no policy here")
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    (tmp_path / "misbehaving.py").write_text(MISBEHAVING)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    assert sys.modules.pop("misbehaving", None) is None, "a command imported a policy's module into its own process"


DIED = "python:misbehaving:crashes lost 2 of 2 games by its process dying. The first, game 0: its process was ended by signal 11"


def test_a_segmentation_fault_costs_games_and_the_commands_say_which(run):
    arguments = ["arena", "tictactoe", "--policies", "greedy", "python:misbehaving:crashes", "--games", 2]
    status, out, _ = run(*arguments, "--store", "x.sqlite", "--no-report")
    assert (status, DIED in " ".join(out.split())) == (0, True)
    assert [record.ending for record in Store.open("x.sqlite").records()] == ["died", "died"]
    status, out, _ = run("grade", "tictactoe", "--policy", "python:misbehaving:crashes", "--games", 2)
    assert (status, DIED in " ".join(out.split())) == (0, True)
    status, _, err = run("grade", "tictactoe", "--policy", "python:misbehaving:crashes", "--exact")
    assert status == 2
    assert "python:misbehaving:crashes cannot be graded, since it failed: its process was ended by signal 11" in err


def test_a_policy_lives_in_one_process_for_the_length_of_the_command(run, here):
    games = ["tictactoe", "--policies", "random", "python:misbehaving:process", "--games", 20]
    assert run("arena", *games, "--no-report")[0] == 0
    (process,) = {*map(int, (here / "processes").read_text().split())}
    assert process != os.getpid()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.parametrize(
    "command",
    ["arena tictactoe --policies random greedy --games 2 --no-report", "grade tictactoe --policy greedy --exact"],
)
def test_what_comes_with_ludus_starts_no_process(run, monkeypatch, command):
    monkeypatch.setattr(Worker, "_start", lambda _: pytest.fail("a process was started"))
    assert run(*command.split())[0] == 0


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("arena tictactoe --policies random python:misbehaving:unmade", "its process ended with exit status 5"),
        ("grade tictactoe --policy python:misbehaving:exits", "it raised SystemExit: no policy here (misbehaving.py, line "),
        ("play tictactoe --against python:misbehaving:missing", "has no 'missing'"),
    ],
)
def test_a_policy_that_cannot_be_made_is_refused_before_anything_is_played(run, command, words):
    status, out, err = run(*command.split())
    assert (status, out, err[:7]) == (2, "", "ludus: ")
    assert words in err
    assert not [*Path.cwd().glob("*.sqlite")]


def test_a_policy_that_ends_its_process_each_time_is_soon_asked_no_more(run, monkeypatch):
    started, start = [], Worker._start
    monkeypatch.setattr(Worker, "_start", lambda worker: started.append(worker) or start(worker))
    _, out, _ = run("arena", "tictactoe", "--policies", "random", "python:misbehaving:crashes", "--games", 20, "--no-report")
    assert "lost 20 of 20 games" in out
    assert len(started) == DEATHS
