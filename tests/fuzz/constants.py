"""Constants of random programs: those of their module, and expressions that are worth a number before a program runs."""

import math
from enum import IntEnum
from functools import cache
from typing import NamedTuple

import numpy as np

from .meaning import widened

EDGES = (0, 1, 2, 3, 5, 31, 63, 64, 127, 255, 2**31, 2**32 - 1, 2**53 + 1, 2**62, 2**63 - 9)
"""Where something changes, but for 2**63 - 1: in an index it ends LLVM 22.1 (github.com/llvm/llvm-project/issues/181682)."""
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class Point(NamedTuple):
    n: int
    w: np.uint64


class Place(NamedTuple):
    at: Point
    rest: tuple[float, bool]


class Colour(IntEnum):
    RED = 5
    BLUE = -2


CONSTANTS = {
    "NUMBER": 11,
    "LARGE": 2**62,
    "BELOW": -9,
    "HALF": 0.5,
    "FAR": -1e30,
    "NARROW": np.int8(-7),
    "SINGLE": np.float32(0.1),
    "TRUE": True,
    "SIZES": (3, 1, 4, -1, 5),
    "MASK": np.uint64(0xF0F0F0F0F0F0F0F0),
    "RATES": (0.25, -3.0, 1e10),
    "STEPS": ((1, 0), (0, -1), (-1, 1)),
    "TABLE": np.arange(-3, 4).astype(np.int16),
    "GRID": (np.arange(6, dtype=np.uint64) * np.uint64(0x2545F4914F6CDD1D)).reshape(2, 3),
    "CURVE": np.array([0.1, -2.5, 3e38], np.float32),
    "FLAGS": np.array([True, False, True]),
    "Point": Point,
    "Place": Place,
    "Colour": Colour,
}
"""What programs find in their module."""


class Constants:
    """Writes constants.

    Args:
        draw: the random numbers.
    """

    def __init__(self, draw):
        self.draw = draw

    def number(self, low, after):
        """A whole constant from `low` to `after - 1`, often one that is computed."""
        for _ in range(5):
            text = self._constant(2)
            found = worth(text)
            if type(found) is int and low <= found < after:
                return text
        return str(self.draw.choice([edge for edge in EDGES if low <= edge < after]))

    def fraction(self, not_zero=False):
        """A constant of Python that is a float."""
        for _ in range(5):
            ways = ("({} / {})", "({} * HALF)", "({} - 1.5)", "(HALF + {})", "(-FAR)", "SINGLE", "RATES[-2]", "math.pi", "np.pi")
            text = self.draw.choice(ways).format(self._constant(1), self._constant(0))
            found = worth(text)
            if type(found) is float and np.isfinite(found) and (found or not not_zero):
                return text
        return self.draw.choice(("0.5", "-1.5", "1e10", "HALF"))

    def _constant(self, depth):
        if depth == 0 or self.draw.random() < 0.4:
            number = self.draw.choice((*EDGES, self.draw.randrange(100), self.draw.randrange(100)))
            names = (
                "NUMBER",
                "BELOW",
                "LARGE",
                "NARROW",
                "SIZES[1]",
                "STEPS[-1][0]",
                "len(SIZES)",
                "(Colour.RED + 0)",
                "(-Colour.BLUE)",
            )
            return self.draw.choice((str(number), str(number), f"(-{number})", self.draw.choice(names)))
        a, b, c = (self._constant(depth - 1) for _ in range(3))
        few, op = self.draw.randrange(-2, 9), self.draw.choice(("+", "-", "*", "//", "%", "&", "|", "^"))
        return self.draw.choice(
            (
                f"({a} {op} {b})",
                f"({a} {op} {b})",
                f"({a} {self.draw.choice(('<<', '>>'))} {few})",
                f"({few} ** {abs(few)})",
                f"({self.draw.choice('-+~')}{a})",
                f"({a} if {a} {self.draw.choice(COMPARISONS)} {b} else {c})",
                f"({a}, {b})[1]",
            )
        )


@cache
def worth(text):
    """What Python makes of a constant; None where it has no value."""
    try:
        return eval(text, {"np": np, "math": math} | {name: widened(value) for name, value in CONSTANTS.items()})
    except (ArithmeticError, ValueError):
        return None
