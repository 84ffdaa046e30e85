"""The options of commands: actions of argparse that answer a bad value with one sentence, and what is said of unknown options."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...core import numbers
from ...core.files.writing import path_of
from ...core.numbers import short_repr
from ...core.specs import likely_name, settings_of
from ...games.registry import GAMES, game_names

OPTION = re.compile(r"--?|-h|--[a-z][a-z_-]*(=.*)?", re.DOTALL)
"""An option, or a word with a special meaning for argparse."""
NAMED = re.compile(r"(?<![\w-])--[a-z][a-z_-]*")
"""The options that a usage names."""
UNITS = {"s": 1, "m": 60, "h": 3600}
"""The seconds of each unit of time."""


def whole(least: int = 0, most: int = numbers.MANY) -> type[argparse.Action]:
    """An action for an option that is a whole number from `least` to `most`."""
    return _action(int, lambda number, name: numbers.whole(number, name, least, most))


def games() -> type[argparse.Action]:
    """An action for an option that is the number of games between two policies."""

    def check(number: Any, name: str) -> int:
        if numbers.whole(number, name, 2) % 2:
            raise ValueError(f"{name} is {number}; it must be an even number, half of the games for each seat")
        return number

    return _action(int, check)


def or_file(number: type[argparse.Action]) -> type[argparse.Action]:
    """An action for an option that is a number, as another action reads it, or the name of a file."""

    class NumberOrFile(number):
        def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: str | None = None) -> None:
            if values and not re.fullmatch(r"[+-]?[\d_.]+", values):
                setattr(namespace, self.dest, path_of(values))
            else:
                super().__call__(parser, namespace, values, option_string)

    return NumberOrFile


def seed() -> type[argparse.Action]:
    """An action for an option that is a seed."""
    return _action(int, numbers.seed_of)


def seconds(*, or_none: bool = False) -> type[argparse.Action]:
    """An action for an option that is a number of seconds, or a time such as `90s`, `30m`, `1h`: more than 0, or with `or_none` 0
    or more."""

    def read(text: str) -> float:
        return float(text[:-1]) * UNITS[text[-1]] if text[-1:] in UNITS else float(text)

    def check(given: Any, name: str) -> float:
        if isinstance(given, str):
            raise ValueError(f"{name} is {short_repr(given)}; it must be a number, of seconds or with a unit: 90, 90s, 30m, 1h")
        return numbers.seconds_of(given, name, or_none=or_none)

    return _action(read, check)


def sequential_test() -> type[argparse.Action]:
    """An action for an option that is a sequential test: `0,10`, or `0,10,0.05,0.05`."""
    from ...arena import Sprt  # here, so that only the command that has the option loads the arena

    def check(text: Any, name: str) -> Sprt:
        try:
            parts = [float(part) for part in text.split(",")]
        except ValueError:
            parts = []
        if len(parts) not in (2, 4):
            raise ValueError(f"{name} is {short_repr(text)}; it must be elo0,elo1 or elo0,elo1,alpha,beta, such as 0,10,0.05,0.05")
        return Sprt(*parts)

    return _action(str, check)


def pathname() -> type[argparse.Action]:
    """An action for an option that is a path; `~` is the user's home."""
    return _action(str, lambda text, _: path_of(text))


def _action(kind: Callable[[str], Any], check: Callable[[Any, str], Any]) -> type[argparse.Action]:
    """An action that reads a word and checks it. Its ValueError reaches the user, instead of argparse's error with the usage.

    Args:
        kind: what reads it. A text that cannot be converted goes to the check unchanged.
        check: returns what the option is, or raises a ValueError that names the option, its second argument.
    """

    class CheckedOption(argparse.Action):
        def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: str | None = None) -> None:
            try:
                value = kind(values)
            except ValueError:
                value = values
            setattr(namespace, self.dest, check(value, option_string or self.dest))

    return CheckedOption


# ---- unknown options


def check_options(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Checks that a command has each option among its words. It checks nothing else about the words.

    Raises:
        ValueError: it lacks one; the message names the nearest option, or says that it is a setting of a game or a policy.
    """
    known = NAMED.findall(parser.format_usage())
    for option in (word.partition("=")[0] for word in words if is_option(word)):
        if option.startswith("--") and not any(name.startswith(option) for name in ("--help", *known)):
            raise ValueError(f"{parser.prog} has no option {short_repr(option)}; {_suggestion(option, known, words, parser.prog)}")


def is_option(word: str) -> bool:
    """Whether a word names an option. Other words that begin with `-` are positions, such as `--------- X`, or numbers."""
    return OPTION.fullmatch(word) is not None


def _suggestion(option: str, known: Sequence[str], words: Sequence[str], command: str) -> str:
    if specs := [*_specs_with(option.removeprefix("--").replace("-", "_"))]:
        here = next((spec for spec in specs if spec.partition(":")[0] in {word.partition(":")[0] for word in words}), specs[0])
        return f"a setting of a game or a policy goes into its spec, as {here}"
    if meant := likely_name(option[2:], [name[2:] for name in known], cutoff=0.65):
        return f"did you mean '--{meant}'?"
    return f"`{command} --help` shows its options"


def _specs_with(setting: str) -> Iterator[str]:
    """The specs of games and policies with a setting of this name, at its default."""
    from ...agents.registry import POLICIES, policy_names  # imported here, because only a mistake needs them

    for registry, names in ((GAMES, game_names()), (POLICIES, policy_names())):
        for name in names:
            yield from (f"{name}:{setting}={its.default}" for its in settings_of(registry.find(name)) if its.name == setting)
