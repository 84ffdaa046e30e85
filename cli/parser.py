"""The parser of all commands. Each is a module in commands/ with `arguments` and `run`, which is loaded when it is given."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version

from ..envs import plug_in, set_threads
from ..envs.settings import specs
from .terminal.compiling import compiling_said
from .terminal.numbers import seed, whole

COMMANDS = {
    "list": "the games, their variants, actions, observations and ids, and the puzzles",
    "perft": "count the leaves of a game's tree to a depth",
    "check": "check a game against the contract: rules, notation, drawing, environments; names the function and line at fault",
    "solve": "what a position is worth with perfect play",
    "play": "play against a policy",
    "arena": "a tournament: policies against each other, rated, on a page",
    "replay": "games that were played: list them, step through one, write them for other programs",
    "grade": "how a policy compares with perfect play: by a sample of its moves, or exactly",
    "demo": "all policies on all games in a short tournament, on a page",
    "train": "learn to play a game",
    "puzzle": "solvers of a one-player problem side by side, on a page",
    "bench": "how fast the environments, search and oracles, the arena, or the compiler are on this machine",
    "cache": "the folder of compiled kernels: show it, clear it, fill it ahead",
}


def run(given: list[str]) -> int:
    """Runs the command that is given, as words, and returns its exit status."""
    for module in taken_imports(given):
        plug_in(module)
    chosen = parser(given).parse_args(given)
    set_threads(chosen.threads)
    with compiling_said(silent=chosen.json):
        return chosen.run(chosen) or 0


def parser(given: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of all commands; only the command that is given is loaded."""
    top = _Parser(prog="ludus", description="Two-player board games for reinforcement-learning research.")
    top.add_argument("--version", action="version", version=f"ludus {version('ludus')}")
    _add_import(top)
    commands = top.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True, parser_class=_Parser)
    for name, help_ in COMMANDS.items():
        command = commands.add_parser(name, help=help_, description=help_[0].upper() + help_[1:] + ".")
        command.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
        command.add_argument("--seed", action=seed(), default=0, help="the source of all randomness (0)")
        command.add_argument("--threads", action=whole(1), help="how many threads to use in all (one a processor)")
        _add_import(command)
        if name in given:
            module = import_module(f".commands.{name}", __package__)
            module.arguments(command)
            if hasattr(module, "more_arguments"):  # some options hang on what else is given
                module.more_arguments(command, given)
            command.set_defaults(run=module.run)
    return top


def taken_imports(given: list[str]) -> list[str]:
    """The modules named by `--import MODULE`, wherever it stands; the option is taken out of what is given.

    They are imported before anything else is read, since what can be named depends on them.
    """
    modules: list[str] = []
    while option := next((word for word in given if word.partition("=")[0] == "--import"), None):
        place = given.index(option)
        taken = given[place : place + (1 if "=" in option else 2)]
        modules.append(taken[-1].removeprefix("--import="))
        del given[place : place + len(taken)]
    return modules


def _add_import(parser: argparse.ArgumentParser) -> None:
    """Shows `--import` in the help; `taken_imports` has taken it."""
    parser.add_argument("--import", metavar="MODULE", help="import a module that adds games, policies or trainers; its code runs")


class _Parser(argparse.ArgumentParser):
    """Errors in one line, with the nearest word there is."""

    def error(self, message: str) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        if "invalid choice" in message and "COMMAND" in message:
            word = message.split("'")[1]
            message = f"there is no command {word!r}; {specs.nearest(word, COMMANDS)}"
        self.exit(2, f"ludus: {message}\n{self.format_usage()}")
