"""The transposition table of alpha-beta: what earlier visits found out about positions, as an array of words.

A position's hash picks a bucket of two entries: the first keeps the deepest search, the second the latest. An
entry is two words, the whole hash and

    bit   0-1     2-8      9-19         20-31          32-63
          bound   depth    action + 1   generation     value + 2³¹

The value is a bound on what a search of exactly that depth gives, seen from the position itself: a win that is n plies
away is WIN - n wherever the position stands. An entry counts only in the generation that wrote it, so that
no search learns from another and a table need not be cleared between them.
"""

from __future__ import annotations

import numpy as np

from ....envs.kernels.arrays import States
from ....envs.kernels.bits import number, u64
from ....envs.kernels.keys import mixed
from ....envs.kernels.rules import State

LOWER, UPPER, EXACT = 1, 2, 3
GENERATIONS = 1 << 12
DEEPEST = 127
OFFSET = 1 << 31


def hashed(state: State) -> np.uint64:
    """A position's hash; no two states of one word have the same."""
    key = u64(0)
    for word in state:
        key = mixed(key + word)
    return key


def find(table: States, key: np.uint64, generation: int) -> np.uint64:
    """The entry of a position, or 0."""
    place = number(key & u64(table.shape[0] - 2))
    for i in range(place, place + 2):
        if table[i, 0] == key and generation_of(table[i, 1]) == generation:
            return table[i, 1]
    return u64(0)


def keep(table: States, key: np.uint64, generation: int, value: int, bound: int, depth: int, action: int) -> None:
    """Writes an entry: over the bucket's second where the first is another position's, of this generation, and deeper."""
    place = number(key & u64(table.shape[0] - 2))
    old = table[place, 1]
    if generation_of(old) == generation and depth_of(old) > depth and table[place, 0] != key:
        place += 1
    table[place, 0] = key
    rest = bound | depth << 2 | (action + 1) << 9 | generation << 20
    table[place, 1] = u64(rest) | (u64(value + OFFSET) << u64(32))


def bound_of(entry: np.uint64) -> int:
    """LOWER, UPPER or EXACT; 0 of no entry."""
    return number(entry & u64(3))


def depth_of(entry: np.uint64) -> int:
    """How deep the search was, in plies."""
    return number((entry >> u64(2)) & u64(0x7F))


def action_of(entry: np.uint64) -> int:
    """The action found best, -1 where none was."""
    return number((entry >> u64(9)) & u64(0x7FF)) - 1


def generation_of(entry: np.uint64) -> int:
    """Which search wrote it."""
    return number((entry >> u64(20)) & u64(0xFFF))


def value_of(entry: np.uint64) -> int:
    """The value, as a bound."""
    return number(entry >> u64(32)) - OFFSET
