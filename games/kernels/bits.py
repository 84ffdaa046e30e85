"""Sets of small numbers as the bits of 64-bit words, and the planes and masks that show them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.native import is_instruction
from .rules import Plane

u64 = np.uint64
ONE = u64(1)
"""The lowest bit of a word, as a uint64."""
PAIRS, NIBBLES, BYTES, SUMS = u64(0x5555555555555555), u64(0x3333333333333333), u64(0x0F0F0F0F0F0F0F0F), u64(0x0101010101010101)


def number(value: np.integer[Any]) -> int:
    """A word as an int, with which other ints can be added and compared."""
    return np.int64(value)  # pyright: ignore[reportReturnType]


def count(bits: np.uint64) -> int:
    """How many bits are set (LLVM knows this idiom and makes it one instruction)."""
    bits = bits - ((bits >> ONE) & PAIRS)
    bits = (bits & NIBBLES) + ((bits >> u64(2)) & NIBBLES)
    bits = (bits + (bits >> u64(4))) & BYTES
    return number((bits * SUMS) >> u64(56))


def lowest(bits: np.uint64) -> int:
    """The number of the lowest set bit; 64 where none is set."""
    return count(~bits & (bits - ONE))


@is_instruction("leading zeros")
def leading(bits: np.uint64) -> np.uint64:
    """How many bits above the highest set bit are not set; 64 where none is set."""
    return u64(64 - int(bits).bit_length())


def bit(place: int) -> np.uint64:
    """The word in which only this bit is set."""
    return ONE << u64(place)


def has(bits: np.uint64, place: int) -> bool:
    """Whether this bit is set."""
    return (bits >> u64(place)) & ONE != u64(0)


@is_instruction("nth set bit")
def select(bits: np.uint64, nth: int) -> int:
    """The number of the nth set bit from below, counted from 0; there must be more than nth.

    Halves the word six times, without a branch that the processor could guess wrong.
    """
    place = 0
    for width in (32, 16, 8, 4, 2, 1):
        inside = count(bits & (bit(width) - ONE))
        if nth >= inside:
            nth -= inside
            bits >>= u64(width)
            place += width
    return place


def spread(bits: np.uint64, plane: Plane) -> None:
    """Writes bit i into plane[i], for a plane of at most 64 cells."""
    for i in range(plane.shape[0]):
        plane[i] = (bits >> u64(i)) & ONE
