"""Numbers as users give them: whole numbers, seeds and seconds, each checked by one function.

Whole numbers may be Python's or numpy's, also as an array without axes. Booleans, texts and floats are refused, even 5.0: a result
of floating-point arithmetic may be slightly off; a caller who wants it rounded can write int(…).
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

MANY = 10**12
"""The largest number for whatever has no limit of its own."""
LONGEST_QUOTE = 80
"""Characters of what was given that an error repeats."""
LARGEST_SEED = 2**64 - 1
LONGEST = 10**9
"""The most seconds that can be given: 31 years."""
LARGEST_VALUE = 1 + 1e-6
"""Values lie from -1 to 1; floats of 32 bits may be rounded beyond."""


@dataclass(frozen=True)
class Range:
    """Numbers from `least` to `most`, both allowed; or more than `above`, less than `below`, which are not allowed themselves."""

    least: float = -MANY
    most: float = MANY
    above: float | None = None
    below: float | None = None

    def holds(self, value: Any) -> bool:
        """Whether a number is within the bounds; "not a number" never is."""
        inside = self.least <= value <= self.most
        return inside and (self.above is None or value > self.above) and (self.below is None or value < self.below)

    def words(self, given: Any = None) -> str:
        """The bounds in words; where the largest number is `MANY` it is left out, unless what was given is larger."""
        low = None if self.least == -MANY else self.least
        unbounded = self.most == math.inf or (self.most == MANY and not (is_number(given) and given > MANY))
        high = None if unbounded else self.most
        if low is not None and high is not None:
            return f"from {_figures(low)} to {_figures(high)}"
        lower = f"{_figures(low)} or more" if low is not None else "" if self.above is None else f"more than {self.above}"
        upper = f"{_figures(high)} or less" if high is not None else "" if self.below is None else f"less than {self.below}"
        return " and ".join(filter(None, (lower, upper)))


def is_number(given: Any) -> bool:
    """Whether something is a number, whole or not; booleans are not."""
    return isinstance(_without_axes(given), (int, float, np.integer, np.floating)) and not isinstance(given, bool)


def several(number: int, noun: str, plural: str = "") -> str:
    """A number and what it counts, as 1 game, 12 games, 1 ply, 2 plies.

    Args:
        number: how many.
        noun: what is counted.
        plural: its plural, where that is not made by an s.
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def several_seconds(seconds: float) -> str:
    """A number of seconds, as 1 second, 0.5 seconds."""
    return f"{seconds:g} second" + "s" * (seconds != 1)


def duration(seconds: float) -> str:
    """A time with a unit that fits, as 12 µs, 3.4 ms, 8 min."""
    for unit, size in (("h", 3600), ("min", 60), ("s", 1), ("ms", 1e-3)):
        if seconds >= size * (2 if unit in ("h", "min") else 1):
            return f"{_short(seconds / size)} {unit}"
    return f"{_short(seconds * 1e6)} µs"


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 9.95 else f"{number:.1f}".removesuffix(".0")


def is_whole(given: Any, least: float = -math.inf, most: float = math.inf) -> bool:
    """Whether something is a whole number from `least` to `most`."""
    given = _without_axes(given)
    return isinstance(given, Integral) and not isinstance(given, bool) and least <= int(given) <= most


def whole(given: Any, name: str, least: int = 0, most: int = MANY) -> int:
    """A whole number as Python's int.

    Args:
        given: what the user gave.
        name: what it is called where it is given.
        least, most: its bounds, which are allowed.

    Raises:
        ValueError: it is not a whole number, or not within its bounds.
    """
    if not is_whole(given, least, most):
        raise ValueError(f"{name} is {short_repr(given)}; it must be {a_number(Range(least, most).words(given), whole=True)}")
    return operator.index(_without_axes(given))


def a_number(bounds: str, *, whole: bool) -> str:
    """A number with its bounds, in words."""
    return f"a {'whole ' * whole}number{',' * (not bounds.startswith('from'))} {bounds}"


def seed_of(given: Any, name: str = "seed") -> int:
    """A seed: a whole number of 64 bits, from 0 to 2^64 - 1; ValueError for anything else."""
    return whole(given, name, 0, LARGEST_SEED)


def seconds_of(given: Any, name: str, *, or_none: bool = False) -> float:
    """Seconds, more than 0 and at most LONGEST.

    Args:
        given: what the user gave.
        name: what it is called where it is given.
        or_none: whether 0 is allowed as well.

    Raises:
        ValueError: it is anything else.
    """
    given = _without_axes(given)
    number = given if is_number(given) else -1
    if not 0 <= number <= LONGEST or not (number > 0 or or_none):
        least = "0 seconds or more" if or_none else "more than 0 seconds"
        raise ValueError(f"{name} is {short_repr(given)}; it must be a number, {least}, and {LONGEST:,} at most")
    return float(number)


def short_repr(given: Any) -> str:
    """The repr of what was given, for errors; a long one is cut."""
    try:
        text = repr(given)
    except ValueError:  # Python does not write out whole numbers with thousands of digits
        return "a number of thousands of digits"
    return text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 1]}…"


def _figures(number: float) -> str:
    return "2^64 - 1" if number == LARGEST_SEED else f"{number:,}"


def _without_axes(given: Any) -> Any:
    """The entry of an array without axes; anything else as it is."""
    return given[()] if isinstance(given, np.ndarray) and given.ndim == 0 else given
