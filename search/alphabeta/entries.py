"""The entries of alpha-beta in a transposition table: bounds of values, as earlier visits found them.

The first row of a bucket keeps the deepest search, the second the latest. An entry is two words, the whole hash and

    bit   0-1     2-8      9-19         20-31          32-63
          bound   depth    action + 1   generation     value + 2³¹

The value is a bound on what a search of exactly that depth gives, seen from the position itself: a win that is n plies
away is WIN - n wherever the position stands. An entry counts only in the generation that wrote it, so no search learns from
another and the table need not be cleared between them.
"""

from __future__ import annotations

import numpy as np

from ...games.kernels.arrays import States
from ...games.kernels.bits import number, u64
from ..transposition import ABSENT, bucket_of, find_row

LOWER, UPPER, EXACT = 1, 2, 3
GENERATIONS = 1 << 12
DEEPEST = 127
OFFSET = 1 << 31
GENERATION_BITS = u64(0xFFF << 20)


def find(table: States, hash_: np.uint64, generation: int) -> np.uint64:
    """The entry of a position, or 0."""
    row = find_row(table, bucket_of(table, hash_), hash_, GENERATION_BITS, u64(generation << 20))
    return u64(0) if row == ABSENT else table[row, 1]


def keep(table: States, hash_: np.uint64, generation: int, value: int, bound: int, depth: int, action: int) -> None:
    """Writes an entry: over the bucket's second where the first is another position's, of this generation, and deeper."""
    row = bucket_of(table, hash_)
    old = table[row, 1]
    if generation_of(old) == generation and depth_of(old) > depth and table[row, 0] != hash_:
        row += 1
    table[row, 0] = hash_
    rest = bound | depth << 2 | (action + 1) << 9 | generation << 20
    table[row, 1] = u64(rest) | (u64(value + OFFSET) << u64(32))


def bound_of(entry: np.uint64) -> int:
    """LOWER, UPPER or EXACT; 0 without an entry."""
    return number(entry & u64(3))


def depth_of(entry: np.uint64) -> int:
    """The depth of the search, in plies."""
    return number((entry >> u64(2)) & u64(0x7F))


def action_of(entry: np.uint64) -> int:
    """The best action found, -1 without one."""
    return number((entry >> u64(9)) & u64(0x7FF)) - 1


def generation_of(entry: np.uint64) -> int:
    """The search that wrote it."""
    return number((entry >> u64(20)) & u64(0xFFF))


def value_of(entry: np.uint64) -> int:
    """The value, as a bound."""
    return number(entry >> u64(32)) - OFFSET
