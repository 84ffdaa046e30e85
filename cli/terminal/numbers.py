"""Numbers among the words of a command, as actions of argparse: one that is not taken is answered in a sentence, without usage."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from ...envs.settings import numbers


def whole(least: int = 0, most: int = numbers.MANY) -> type[argparse.Action]:
    """The action of an option that is a whole number with these bounds, which are allowed."""
    return _taking(lambda text, name: numbers.whole(_read(int, text), name, least, most))


def games() -> type[argparse.Action]:
    """The action of an option that says how many games two policies play."""

    def read(text: str, name: str) -> int:
        number = numbers.whole(_read(int, text), name, 2)
        if number % 2:
            raise ValueError(f"{name} is {number}; it must be an even number, half of the games for each seat")
        return number

    return _taking(read)


def seed() -> type[argparse.Action]:
    """The action of an option that is a seed."""
    return _taking(lambda text, name: numbers.seed_of(_read(int, text), name))


def seconds(*, or_none: bool = False) -> type[argparse.Action]:
    """The action of an option that is a number of seconds, more than 0; or 0, if that will do."""
    return _taking(lambda text, name: numbers.seconds_of(_read(float, text), name, or_none=or_none))


def _read(kind: type[int] | type[float], text: str) -> Any:
    """The number that a text is; the text itself where it is none, for the error to show."""
    try:
        return kind(text)
    except ValueError:
        return text


def _taking(read: Callable[[str, str], float]) -> type[argparse.Action]:
    """An action that reads a number from a text and the option's name; its ValueError is the command's answer, not argparse's."""

    class Number(argparse.Action):
        def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: str | None = None) -> None:
            setattr(namespace, self.dest, read(values, option_string or self.dest))

    return Number
