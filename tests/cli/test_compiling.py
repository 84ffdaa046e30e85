"""Compiling is mentioned on stderr, once for each game."""

import pytest

from ludus.cli import parser as commands
from ludus.cli.terminal import compiling
from ludus.core.announcing import Compilation, announce, announce_compilation, listen
from ludus.core.workers.worker import Worker

SEARCH = Compilation("othello", "search", over=False)


@pytest.fixture
def compiles(monkeypatch):
    """A command that compiles two kernels of Othello and one of Nim."""

    def run(chosen):
        for game, kernel in (("othello", "search"), ("othello", "settle"), ("nim", "search")):
            with announce_compilation(game, kernel):
                pass

    monkeypatch.setattr("ludus.cli.commands.list.run", run)


def test_a_log_names_each_game_once_and_only_if_compiling_takes_long(compiles, capsys, monkeypatch):
    monkeypatch.setattr(compiling, "LONG", 1.0)
    assert commands.run(["list"]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(compiling, "LONG", 0.0)
    assert commands.run(["list"]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert [line.split()[4].strip(";") for line in printed.err.splitlines()] == ["othello", "nim"]


def test_with_json_nothing_is_said(compiles, capsys, monkeypatch):
    monkeypatch.setattr(compiling, "LONG", 0.0)
    assert commands.run(["list", "--json"]) == 0
    assert capsys.readouterr().err == ""


def test_compiling_in_a_worker_is_reported_even_if_the_worker_dies():
    heard = []
    with listen(heard.append), Worker() as worker:
        assert worker.call(announce, SEARCH) is None
        assert heard == [SEARCH]
    assert heard == [SEARCH, SEARCH._replace(over=True)]
    announce(SEARCH)
    assert len(heard) == 2
