"""Bounds of settings, declared once where the field stands; checked, listed and worded from there.

    @dataclass(frozen=True)
    class Sketch(Bounded):
        size: Annotated[int, OneOf(4, 6, 8)] = 8
        games: Count = 1000                    # short for Annotated[int, Range(1)]
        discount: Share = 0.9                  # short for Annotated[float, Range(0, 1)]
        temperature: Annotated[float, Range(above=0)] | None = None
        layers: Annotated[tuple[Annotated[int, Range(1, 512)], ...], Length(1, 8)] = (64, 64)

    Sketch(size=7)     # ValueError: size is 7; it must be 4, 6 or 8

To convert a dataclass: write the bounds into the annotations, inherit from `Bounded` (games, policies, puzzles, solvers and the
settings of trainers do so already), and delete the checks by hand. What depends on several settings at once stays in
`__post_init__`, after `super().__post_init__()`. Docstrings say what a setting means; `ludus list`, `ludus train NAME --list`
and `--help` add its bounds. A setting outside of a dataclass is checked by `check`, or by `numbers.whole` and its neighbours.
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeAlias, Union, get_args, get_origin, get_type_hints

import numpy as np

from .numbers import MANY, Range, a_number, is_number, is_whole, short_repr


class OneOf:
    """The values that a setting may have, in the order in which errors name them."""

    def __init__(self, *choices: Any) -> None:
        self.choices = choices

    def holds(self, value: Any) -> bool:
        """Whether a value is one of them."""
        return value in self.choices

    def words(self, given: Any = None) -> str:
        """The choices in words."""
        *others, last = map(str, self.choices)
        return f"{', '.join(others)} or {last}" if others else last


@dataclass(frozen=True)
class Length:
    """How many entries a tuple has: from `least` to `most`, both allowed."""

    least: int
    most: int = MANY

    def holds(self, value: Sequence[Any]) -> bool:
        """Whether a tuple has a length within the bounds."""
        return self.least <= len(value) <= self.most

    def words(self, given: Any = None) -> str:
        """The bounds in words."""
        if self.least == self.most:
            return str(self.least)
        return f"{self.least} or more" if self.most == MANY else f"{self.least} to {self.most}"


Count: TypeAlias = Annotated[int, Range(1)]
Share: TypeAlias = Annotated[float, Range(0, 1)]


class Bounded:
    """A dataclass that checks the bounds of its fields when it is made.

    Raises:
        ValueError: a setting is out of its bounds; the message says what was given and what is allowed.
    """

    def __post_init__(self) -> None:
        whose = getattr(type(self), "title", getattr(type(self), "name", ""))
        for name, hint in _checked_hints(type(self)).items():
            check(getattr(self, name), f"{whose and f'{whose}: '}{name}", hint)


def check(value: Any, name: str, hint: Any) -> None:
    """Checks a setting that is not a field of a dataclass.

    Args:
        value: the setting.
        name: what it is called where it is given.
        hint: its annotation, as `Annotated[int, Range(1, 500)]`.

    Raises:
        ValueError: it is out of its bounds; the message says what was given and what is allowed.
    """
    if not _holds(hint, value):
        raise ValueError(f"{name} is {_value_text(value)}; it must be {_words(hint, value)}")


def allowed_values(cls: type) -> dict[str, str]:
    """What the fields with bounds may be, in words, as `{"size": "4, 6 or 8"}`."""
    return {name: _words(hint) for name, hint in _checked_hints(cls).items() if _has_bounds(hint)}


@cache
def _checked_hints(cls: type) -> dict[str, Any]:
    """The annotations that are checked, by field: those with bounds, and of flags.

    There are none where Python cannot evaluate them, as with names imported for type checkers.
    """
    try:
        hints = get_type_hints(cls, include_extras=True)
    except NameError:
        return {}
    return {name: hint for name, hint in hints.items() if hint is bool or _has_bounds(hint)}


def _has_bounds(hint: Any) -> bool:
    inner: tuple[Any, ...] = get_args(hint)
    return any(isinstance(part, (Range, OneOf, Length)) or _has_bounds(part) for part in inner)


def _holds(hint: Any, value: Any) -> bool:
    """Whether a value has the type of an annotation, and is within its bounds."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(_holds(member, value) for member in inner)
    if origin is Annotated:
        return _holds(inner[0], value) and all(bound.holds(value) for bound in inner[1:])
    if origin is tuple:
        return isinstance(value, tuple) and all(_holds(inner[0], entry) for entry in value)  # pyright: ignore[reportUnknownVariableType]
    kind = (bool, np.bool_) if hint is bool else hint
    return is_whole(value) if hint is int else is_number(value) if hint is float else isinstance(value, kind)


def _words(hint: Any, given: Any = None) -> str:
    """What an annotation allows, in words."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return ", or ".join(_words(member, given) for member in inner)
    if origin is Annotated:
        kind, bound = inner[:2]
        if isinstance(bound, Length):
            return f"{bound.words()} {_words(kind)}"
        if isinstance(bound, Range) and (kind is int or given is not None):  # lists show the bounds of numbers alone
            return a_number(bound.words(given), whole=kind is int)
        return bound.words(given)
    if origin is tuple:
        kind, *bounds = get_args(inner[0]) or (inner[0],)
        return {int: "whole numbers", float: "numbers"}.get(kind, "names") + "".join(f", each {bound.words()}" for bound in bounds)
    return {type(None): "none", int: "a whole number", float: "a number", str: "a text", bool: "true or false"}[hint]


def _value_text(value: Any) -> str:
    """A value as a spec has it, where that is a list."""
    return "+".join(map(short_repr, value)) if isinstance(value, tuple) and value else short_repr(value)  # pyright: ignore[reportUnknownArgumentType]
