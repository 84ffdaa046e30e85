"""What commands print: names as they are, on any terminal, in any locale, and in logs; and boards that begin with a dash."""

import io
import sys

import pytest
from rich.console import Console
from rich.progress import Progress

from ludus.cli import main
from ludus.cli import parser as commands
from ludus.cli.terminal import compiling
from ludus.cli.terminal.display import display, plain, progress_bar
from ludus.core.announcing import Compilation, announce, announce_compilation, listen
from ludus.core.workers.worker import Worker
from ludus.games.display import TextTable

NAMES = [":rocket:", "[red]x[/red]", "[/]", "[bold", ":smile:x", "[link=x]y[/link]", "\\[x]", "a\\"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_printed_as_it_is_in_tables_and_beside_bars(name):
    assert str(TextTable(name, [name], [[name]])).count(name) == 3
    console = Console(file=io.StringIO(), force_terminal=True, width=100, color_system=None)
    progress = Progress(plain("{task.description}"), console=console)
    progress.add_task(name)
    console.print(progress, TextTable("", [name], [[name]]).rich())
    assert console.file.getvalue().count(name) == 3


class Stream(io.StringIO):
    """A terminal, or none."""

    def __init__(self, terminal):
        super().__init__()
        self.isatty = lambda: terminal


@pytest.mark.parametrize(
    ("terminal", "variables", "moves"),
    [
        (False, {"FORCE_COLOR": "1", "TTY_COMPATIBLE": "1", "TERM": "xterm"}, False),
        (True, {"TERM": "xterm", "NO_COLOR": "1"}, True),
        (True, {"TERM": "dumb", "FORCE_COLOR": "1"}, False),
    ],
)
def test_bars_move_on_terminals_alone(terminal, variables, moves, monkeypatch):
    for name in ("FORCE_COLOR", "NO_COLOR", "TERM", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stderr", Stream(terminal))
    with progress_bar("working", silent=False) as progress:
        progress(1, 2)
    with display("working"):
        pass
    assert bool(sys.stderr.getvalue()) is moves


COMMANDS = [
    ["list"],
    ["solve", "nim", "1 3 5 7"],
    ["grade", "nim:heaps=1+2", "--policy", "greedy", "--exact"],
    ["replay", "no–such–file\udcff"],
    ["solve", "tictactoe", "–"],
]


@pytest.mark.parametrize(("encoding", "errors"), [("ascii", "surrogateescape"), ("cp1252", "strict")])
def test_commands_print_what_the_locale_has_signs_for(encoding, errors, monkeypatch):
    for words in COMMANDS:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding, one) for one in (errors, "backslashreplace"))
        with monkeypatch.context() as streams:
            streams.setattr(sys, "stdout", out)
            streams.setattr(sys, "stderr", err)
            status = main(words)
        out.flush()
        err.flush()
        assert status == (2 if "–" in words[-1] else 0), err.buffer.getvalue()
        printed = (err if status else out).buffer.getvalue().decode(encoding)
        assert printed
        assert "bug" not in printed


def test_a_board_may_begin_with_a_dash(capsys):
    board, wrong = "--------- X", "--a---XO-"
    for words in (["solve", "tictactoe"], ["perft", "tictactoe", "1", "--position"], ["solve", "tictactoe", "--seed", "3"]):
        assert main([*words, board]) == 0
        assert main([*words, wrong]) == 2
        assert "does not say who moves" in (err := capsys.readouterr().err) or "is not a position" in err
    assert main(["solve", "tictactoe", "--json", "--", board]) == 0
    assert main(["solve", "nim", "-1-"]) == 2
    assert "is not a position of nim" in capsys.readouterr().err


# ---- compiling is mentioned on stderr, once for each game

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
