"""What a search has proven of positions: bounds of their scores, in a table that threads share without locks.

An entry is four words; two entries lie side by side, one line of cache, and a position has its place in both.

    0  own ^ data
    1  other ^ data · SCATTER     an entry that two threads wrote at once gives no position back, and is not found
    2  data   bits  0-7    66 + what the score is at least
              bits  8-15   66 + what it is at most
              bits 16-23   the move that proved it, a cell of 8×8; 64 for none
              bits 24-31   the one that did before
              bits 32-63   the generation: the number of the problem that was being solved
    3  how many nodes the proof took

A place is taken from the entry of an older generation, else from the one whose proof was shorter.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....envs.kernels.arrays import States
from ....envs.kernels.bits import number, u64
from .flips import NONE
from .last import ABOVE

WORDS = 4
EIGHT, SIXTEEN, TWENTY_FOUR, HALF, LOW_BYTE = u64(8), u64(16), u64(24), u64(32), u64(0xFF)
SCATTER, MIX_OWN, MIX_OTHER = u64(0xD6E8FEB86659FD93), u64(0x9E3779B97F4A7C15), u64(0xC2B2AE3D27D4EB4F)
NO_MOVE = u64(64)
LINE_BYTES = 64


def new_table(bits: int) -> NDArray[np.uint64]:
    """A table of 2**bits entries (N, 4), two of them to a line of cache.

    Raises:
        MemoryError: there is no room for it.
    """
    size = WORDS << bits
    try:
        words = np.zeros(size + LINE_BYTES // 8, np.uint64)
    except (MemoryError, ValueError):
        raise MemoryError(
            f"there is no room for a table of 2**{bits} positions ({8 * size / 2**30:.1f} GiB); ask for fewer table_bits"
        ) from None
    start = -words.ctypes.data % LINE_BYTES // 8
    return words[start : start + size].reshape(-1, WORDS)


def bucket(own: np.uint64, other: np.uint64, shift: int) -> int:
    """The first of the two places of a position, in a table of 2**(64 - shift) entries."""
    mixed = own * MIX_OWN ^ (other ^ other >> HALF) * MIX_OTHER
    return number((mixed ^ mixed >> HALF) * SCATTER >> u64(shift)) & ~1


def find(own: np.uint64, other: np.uint64, table: States, shift: int) -> np.uint64:
    """What is known of a position; 0 where nothing is."""
    place = bucket(own, other, shift)
    for at in range(place, place + 2):
        data = table[at, 2]
        if table[at, 0] ^ data == own and table[at, 1] ^ data * SCATTER == other:
            return data
    return NONE


def lower(data: np.uint64) -> int:
    return number(data & LOW_BYTE) - ABOVE


def upper(data: np.uint64) -> int:
    return number(data >> EIGHT & LOW_BYTE) - ABOVE


def keep(
    own: np.uint64, other: np.uint64, low: int, high: int, move: np.uint64, nodes: int, generation: int, table: States, shift: int
) -> None:
    """Notes that a score is at least `low` and at most `high`, with whatever was known before."""
    at = bucket(own, other, shift)
    known = find(own, other, table, shift)
    before = NO_MOVE
    if known != NONE:
        if table[at, 0] ^ known != own or table[at, 2] != known:
            at += 1
        low, high = max(low, lower(known)), min(high, upper(known))
        last = known >> SIXTEEN & LOW_BYTE
        before = last if last != move else known >> TWENTY_FOUR & LOW_BYTE
    elif worth(at + 1, generation, table) < worth(at, generation, table):
        at += 1
    data = u64(low + ABOVE) | u64(high + ABOVE) << EIGHT | move << SIXTEEN | before << TWENTY_FOUR | u64(generation) << HALF
    table[at, 0] = own ^ data
    table[at, 1] = other ^ data * SCATTER
    table[at, 2] = data
    table[at, 3] = u64(nodes)


def worth(at: int, generation: int, table: States) -> int:
    """How much an entry is worth keeping: the nodes of its proof, if it is of this generation."""
    return number(table[at, 3]) if number(table[at, 2] >> HALF) == generation else -1
