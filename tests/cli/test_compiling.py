"""Compiling is shown on stderr: in short lines of a log, or on a terminal in a line that disappears."""

from contextlib import redirect_stderr
from io import StringIO

import pytest
from rich.console import Console

from ludus.cli import parser as commands
from ludus.cli.terminal import compiling, display
from ludus.cli.terminal.compiling import show_compiling
from ludus.core.announcing import Compilation, announce, announce_compilation, listen
from ludus.core.workers.worker import Worker

SEARCH = Compilation("othello", "search", over=False)


class Terminal(StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    """A terminal for stderr."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    return Terminal()


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


def test_a_terminal_shows_each_kernel_and_removes_the_line(compiles, terminal):
    with redirect_stderr(terminal):
        assert commands.run(["list"]) == 0
    shown = terminal.getvalue()
    assert shown.index("compiling othello: search") < shown.index("compiling othello: settle") < shown.index("nim: search")
    assert display._compiling == display._displays == []


def test_with_json_nothing_is_shown(compiles, terminal):
    with redirect_stderr(terminal):
        assert commands.run(["list", "--json"]) == 0
    assert terminal.getvalue() == ""


def test_the_line_stands_below_what_is_shown_already(terminal):
    page = Console(file=StringIO(), width=50)
    said, compiling = show_compiling(silent=False), announce_compilation("othello", "search")
    with redirect_stderr(terminal), said, display.display("the standing") as live, compiling:
        page.print(live.get_renderable())
    assert page.file.getvalue().split("\n")[:2] == ["the standing", "compiling othello: search"]
    assert "the standing" in terminal.getvalue()


def test_compiling_in_a_worker_is_reported_even_if_the_worker_dies():
    heard = []
    with listen(heard.append), Worker() as worker:
        assert worker.call(announce, SEARCH) is None
        assert heard == [SEARCH]
    assert heard == [SEARCH, SEARCH._replace(over=True)]
    announce(SEARCH)
    assert len(heard) == 2
