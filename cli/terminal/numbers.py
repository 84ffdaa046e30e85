"""Numbers and paths as command-line options: argparse actions that answer a bad one with one sentence, without the usage."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Any

from ...core import numbers
from ...core.files.writing import path_of
from ...core.numbers import short_repr


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
    """An action for an option that is a number of seconds: more than 0, or with `or_none` 0 or more."""
    return _action(float, lambda number, name: numbers.seconds_of(number, name, or_none=or_none))


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


def _action(kind: type[int] | type[float] | type[str], check: Callable[[Any, str], Any]) -> type[argparse.Action]:
    """An action that reads a word and checks it. Its ValueError reaches the user, instead of argparse's error with the usage.

    Args:
        kind: the type to read. A text that cannot be converted goes to the check unchanged.
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
