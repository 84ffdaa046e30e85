"""Proven bounds of scores: the entries of the search's transposition table, which threads share without locks.

An entry is four words; a bucket of two entries is one line of cache.

    0  own ^ data
    1  other ^ data · SCATTER     an entry that two threads wrote at once matches no position
    2  data   bits  0-7    66 + the lower bound of the score
              bits  8-15   66 + the upper bound
              bits 16-23   the move that proved it, a cell of 8×8; 64 for none
              bits 24-31   the one that proved the bound before
              bits 32-63   the generation: the number of the problem that was being solved
    3  the nodes of the proof

A new entry replaces one of an older generation, else the one whose proof took fewer nodes.
"""

from __future__ import annotations

import numpy as np

from ...games.kernels.arrays import States
from ...games.kernels.bits import number, u64
from .flips import NONE
from .last import ABOVE

WORDS = 4
EIGHT, SIXTEEN, TWENTY_FOUR, HALF, LOW_BYTE = u64(8), u64(16), u64(24), u64(32), u64(0xFF)
SCATTER, MIX_OWN, MIX_OTHER = u64(0xD6E8FEB86659FD93), u64(0x9E3779B97F4A7C15), u64(0xC2B2AE3D27D4EB4F)
NO_MOVE = u64(64)


def bucket(own: np.uint64, other: np.uint64, shift: int) -> int:
    """The first row of a position's bucket, in a table of 2**(64 - shift) entries."""
    mixed = own * MIX_OWN ^ (other ^ other >> HALF) * MIX_OTHER
    return number((mixed ^ mixed >> HALF) * SCATTER >> u64(shift)) & ~1  # even: a bucket is two rows


def find(own: np.uint64, other: np.uint64, table: States, shift: int) -> np.uint64:
    """The data of a position; 0 without an entry."""
    row = bucket(own, other, shift)
    for at in range(row, row + 2):
        data = table[at, 2]
        # both words depend on the data, so an entry that two threads wrote at once matches nothing, and needs no lock
        if table[at, 0] ^ data == own and table[at, 1] ^ data * SCATTER == other:
            return data
    return NONE


def lower(data: np.uint64) -> int:
    """The lower bound in an entry's data."""
    return number(data & LOW_BYTE) - ABOVE


def upper(data: np.uint64) -> int:
    """The upper bound in an entry's data."""
    return number(data >> EIGHT & LOW_BYTE) - ABOVE


def keep(
    own: np.uint64, other: np.uint64, low: int, high: int, move: np.uint64, nodes: int, generation: int, table: States, shift: int
) -> None:
    """Stores the bounds of a score, tightened by the bounds stored before."""
    at = bucket(own, other, shift)
    stored = find(own, other, table, shift)
    before = NO_MOVE
    if stored != NONE:
        if table[at, 0] ^ stored != own or table[at, 2] != stored:
            at += 1  # the position's entry is the second of its bucket
        low, high = max(low, lower(stored)), min(high, upper(stored))
        last = stored >> SIXTEEN & LOW_BYTE
        before = last if last != move else stored >> TWENTY_FOUR & LOW_BYTE
    elif worth(at + 1, generation, table) < worth(at, generation, table):
        at += 1
    data = u64(low + ABOVE) | u64(high + ABOVE) << EIGHT | move << SIXTEEN | before << TWENTY_FOUR | u64(generation) << HALF
    table[at, 0] = own ^ data
    table[at, 1] = other ^ data * SCATTER
    table[at, 2] = data
    table[at, 3] = u64(nodes)


def worth(at: int, generation: int, table: States) -> int:
    """The value of keeping an entry: the nodes of its proof; -1 for one of an older generation."""
    return number(table[at, 3]) if number(table[at, 2] >> HALF) == generation else -1
