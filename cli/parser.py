"""The parser of all commands. Each command is a module in commands/ with `arguments` and `run`; only the given one is imported."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from .. import __version__
from ..core import specs
from ..core.numbers import short_repr
from ..envs import plug_in, set_threads, thread_count
from .terminal.compiling import show_compiling
from .terminal.options import check_options, is_option, seed, whole

COMMANDS = {
    "demo": "play a short tournament of the quick policies on every game, and write a report page",
    "list": "list the games with their variants, actions, observations and ids, and the puzzles",
    "play": "play against a policy on the terminal",
    "web": "play in the browser, and see what perfect play says about each move",
    "page": "write the page that plays and analyses all games in any browser, without a server, as one file",
    "solve": "show the value of a position, or of each in a file, with perfect play, and its best moves",
    "arena": "play a tournament between policies, rate them, and write a report page",
    "rate": "rate players by results that any program wrote, as CSV or PGN of any game",
    "replay": "list recorded games, step through one, or export them",
    "convert": "write the games or positions of a file in another format: pgn, ggf, wthor, obf, transcripts, lists",
    "grade": "compare a policy, or the players of recorded games, with perfect play",
    "assignment": "grade files of students, each with an agent: legal, in time, which levels it beats, and the value that it loses",
    "exploit": "look for games that beat a policy, where an exact grade is out of reach",
    "train": "train a policy for a game, or resume a training run",
    "export": "write the network of a training run for other programs, as ONNX",
    "puzzle": "compare solvers of a one-player puzzle",
    "openings": "make openings whose value is known, no two alike up to symmetry, for matches and training",
    "games": "play games by the million, and write their moves, lengths and results as arrays",
    "positions": "write positions with the exact value of every legal move, for training and tests",
    "table": "write all positions of a small game, with perfect play in each, as arrays",
    "check-data": "check games, positions and tables that were written: checksums, rules, and exact values of a sample",
    "text": "measure language models in positions with exact values, beside policies that answer in prose",
    "serve": "serve moves and games with exact values as an environment for trainers of language models",
    "engine": "let other programs ask a policy for moves, over standard input and output",
    "check": "check the rules, notation, drawing and environments of a game; names the function and line of each mistake",
    "perft": "count the leaves of a game's tree at a depth",
    "bench": "measure how fast the environments, policies or search are on this machine",
    "cache": "show or clear the cache of compiled kernels, or compile kernels in advance",
}
"""What each command does; those that a newcomer needs come first."""


LONG_QUOTE = re.compile(r"'([^']{80,})'")
"""What argparse quotes of a long text that was given."""


def run(given: list[str]) -> int:
    """Runs the command given as a list of words, and returns its exit status. Without words it prints the help."""
    if not given:
        parser(given).print_help()
        return 0
    words = [*given]
    for module in pop_imports(given):
        plug_in(module)
    chosen, left = parser(given).parse_known_args(given)
    if left:
        raise ValueError(
            f"ludus {chosen.command} does not take {short_repr(left[0])}; `ludus {chosen.command} --help` shows what it takes"
        )
    chosen.words = words  # as they were typed, for the page of a tournament
    set_threads(chosen.threads)
    thread_count()  # refuses a wrong LUDUS_THREADS now, not at the first large batch
    with show_compiling(silent=chosen.json):
        return chosen.run(chosen) or 0


def parser(given: Sequence[str]) -> argparse.ArgumentParser:
    """Returns the parser of all commands, with the options of the given command.

    Raises:
        ValueError: that command has no such option.
    """
    top = _Parser(
        prog="ludus",
        description="Two-player board games for reinforcement-learning research.",
        epilog="`ludus COMMAND --help` shows the options of a command. Begin with `ludus demo`, or play with `ludus web`.",
    )
    top.add_argument("--version", action="version", version=f"ludus {__version__}")
    _add_import(top)
    commands = top.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True, parser_class=_Command)
    for name, help_ in COMMANDS.items():
        command = commands.add_parser(name, help=help_, description=help_[0].upper() + help_[1:] + ".")
        command.add_argument("--json", action="store_true", help="print the result as one JSON document")
        command.add_argument("--seed", action=seed(), default=0, help="the same seed gives the same result (default: 0)")
        command.add_argument("--threads", action=whole(1), help="total number of threads (default: one per processor)")
        _add_import(command)
        if name in given:
            module = _module_of(name)
            module.arguments(command)
            if hasattr(module, "more_arguments"):  # options that depend on the other arguments
                module.more_arguments(command, given)
            if given[0] == name:
                check_options(command, given[1:])
            command.set_defaults(run=module.run)
    return top


def _module_of(command: str) -> Any:
    """The module of a command.

    Raises:
        ValueError: it needs the folder `puzzles`, which this installation leaves out.
    """
    try:
        return import_module(f".commands.{command.replace('-', '_')}", __package__)
    except ModuleNotFoundError as error:
        if error.name != "ludus.puzzles":
            raise
        raise ValueError(f"`ludus {command}` needs ludus.puzzles, which this installation leaves out") from None


def pop_imports(given: list[str]) -> list[str]:
    """Removes each `--import MODULE` from the words, and returns the modules.

    They are imported before the other words are read, because these may name games and policies that the modules add.
    """
    modules: list[str] = []
    while option := next((word for word in given if word.partition("=")[0] == "--import"), None):
        start = given.index(option)
        words = given[start : start + (1 if "=" in option else 2)]
        modules.append(words[-1].removeprefix("--import="))
        del given[start : start + len(words)]
    return modules


def _add_import(parser: argparse.ArgumentParser) -> None:
    """Shows `--import` in the help; `pop_imports` has removed it from the words."""
    parser.add_argument("--import", metavar="MODULE", help="import a module that adds games, policies or trainers")


class _Parser(argparse.ArgumentParser):
    """Reports errors in one line and suggests the nearest command. A board may begin with `-`."""

    def _parse_optional(self, arg_string: str) -> Any:
        return super()._parse_optional(arg_string) if is_option(arg_string) else None

    def error(self, message: str) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        if "invalid choice" in message and "COMMAND" in message:
            word = message.split("'")[1]
            message = f"there is no command {short_repr(word)}; {specs.nearest(word, COMMANDS)}"
        message = LONG_QUOTE.sub(lambda given: short_repr(given[1]), message)
        self.exit(2, f"ludus: {message}\n{self.format_usage()}")


class _Command(_Parser):
    """Takes options anywhere among the other words, as in `solve GAME --json POSITION`, which argparse does not by default."""

    _mixing = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        if self._mixing:  # parse_known_intermixed_args calls this method
            return super().parse_known_args(args, namespace)
        self._mixing = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixing = False
