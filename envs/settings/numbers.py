"""Numbers as users give them: whole numbers, seeds and seconds, each read in one place.

Whole numbers may be Python's or numpy's, also as an array without axes. A boolean, a text or a float is none, not even 5.0: what
was worked out in floats may be off by a little, and whoever means it can write int(…).
"""

from __future__ import annotations

import math
import operator
from numbers import Integral
from typing import Any

import numpy as np

MANY = 10**12
"""More of anything than there is time for."""
LARGEST_SEED = 2**64 - 1
LONGEST = 10**9
"""More seconds than anything lasts: 31 years."""


def is_whole(given: Any, least: int, most: float = math.inf) -> bool:
    """Whether something is a whole number, at least and at most so large."""
    given = _without_axes(given)
    return isinstance(given, Integral) and not isinstance(given, bool) and least <= int(given) <= most


def whole(given: Any, name: str, least: int = 0, most: int = MANY) -> int:
    """A whole number as Python's int.

    Args:
        given: what the user gave.
        name: what it is called where it is given.
        least, most: its bounds, which are allowed.

    Raises:
        ValueError: it is no whole number, or out of its bounds.
    """
    if not is_whole(given, least, most):
        top = "2^64 - 1" if most == LARGEST_SEED else f"{most:,}"
        only_least = most == MANY and not is_whole(given, least)
        bounds = f", {least:,} or more" if only_least else f" from {least:,} to {top}"
        raise ValueError(f"{name} is {shown(given)}; it must be a whole number{bounds}")
    return operator.index(_without_axes(given))


def seed_of(given: Any, name: str = "seed") -> int:
    """A seed: a whole number of 64 bits, from 0 to 2^64 - 1.

    Raises:
        ValueError: it is none.
    """
    return whole(given, name, 0, LARGEST_SEED)


def seconds_of(given: Any, name: str, *, or_none: bool = False) -> float:
    """Seconds, more than 0 and at most LONGEST.

    Args:
        given: what the user gave.
        name: what it is called where it is given.
        or_none: whether 0 will do, too.

    Raises:
        ValueError: they are none.
    """
    given = _without_axes(given)
    number = given if isinstance(given, (int, float, np.integer, np.floating)) and not isinstance(given, bool) else -1
    if not 0 <= number <= LONGEST or not (number > 0 or or_none):
        least = "0 seconds or more" if or_none else "more than 0 seconds"
        raise ValueError(f"{name} is {shown(given)}; it must be a number, {least}, and {LONGEST:,} at most")
    return float(number)


def shown(given: Any) -> str:
    """What was given, as an error shows it: not longer than it helps."""
    try:
        text = repr(given)
    except ValueError:  # Python does not write out whole numbers with thousands of digits
        return "a number of thousands of digits"
    return text if len(text) <= 80 else f"{text[:77]}…"


def _without_axes(given: Any) -> Any:
    """The entry of an array without axes; anything else as it is."""
    return given[()] if isinstance(given, np.ndarray) and given.ndim == 0 else given
