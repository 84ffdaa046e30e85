"""Transposition tables: what searches know of positions, in buckets of two entries of some words.

Each search defines what the words of an entry hold, and which of two entries it replaces: see alphabeta/negamax.py, and the oracles
of Quarto (search.py) and Othello (proofs.py). Othello looks its entries up in a way of its own, since threads share them without
locks.
Two tables do not use this file: Quixo's endings (a single word per entry), and the index of a state space, which replaces nothing.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from ..games.kernels.arrays import States
from ..games.kernels.bits import number, u64
from ..games.kernels.keys import mix
from ..games.kernels.rules import State

ABSENT = -1
CACHE_LINE = 64
"""Bytes; a bucket does not cross two lines."""
LARGEST_KEPT = 22
"""Tables of more than 2 to this power entries are freed when a search is over."""


class TranspositionTable:
    """The entries of one search at a time, and numbers (generations) for the searches.

    Args:
        bits: it has 2 to this power entries.
        words: the words of an entry, 2 or 4.
        generations: how many generations an entry can tell apart, 0 among them. When they are used up, the table is cleared.

    Attributes:
        entries: (2^bits, words), uint64, zeros at first.

    Raises:
        MemoryError: there is no room for it.
    """

    def __init__(self, bits: int, words: int = 2, generations: int = 1 << 32) -> None:
        size = words << bits
        try:
            memory = np.zeros(size + CACHE_LINE // 8, np.uint64)
        except (MemoryError, ValueError):
            raise MemoryError(
                f"there is no room for a table of 2^{bits} entries ({8 * size / 2**30:,.1f} GiB); choose fewer table_bits"
            ) from None
        start = -memory.ctypes.data % CACHE_LINE // 8
        self.entries: NDArray[np.uint64] = memory[start : start + size].reshape(-1, words)
        self._generations, self._numbers = generations, itertools.count(1)

    def next_generation(self) -> int:
        """The generation of a new search, 1 or more; no entry has it."""
        if (generation := next(self._numbers)) < self._generations:
            return generation
        self.entries[:] = 0
        self._numbers = itertools.count(2)
        return 1


_spare: defaultdict[tuple[int, int], list[TranspositionTable]] = defaultdict(list)


@contextmanager
def borrow_table(bits: int, generations: int) -> Generator[TranspositionTable]:
    """Lends a table of two words per entry, one of an earlier search if it is free: new memory costs more than a short search."""
    spare = _spare[bits, generations]
    try:
        table = spare.pop()
    except IndexError:
        table = TranspositionTable(bits, generations=generations)
    try:
        yield table
    finally:
        if bits <= LARGEST_KEPT:
            spare.append(table)


def hash_of(state: State) -> np.uint64:
    """A position's hash; no two states of one word have the same."""
    key = u64(0)
    for word in state:
        key = mix(key + word)
    return key


def bucket_of(table: States, hash_: np.uint64) -> int:
    """The first of the two rows of a hash; the mask clears the lowest bit, as the number of rows is a power of two."""
    return number(hash_ & u64(table.shape[0] - 2))


def find_row(table: States, bucket: int, first: np.uint64, mask: np.uint64, second: np.uint64) -> int:
    """The row of a bucket with this first word, and these bits of the second word under the mask; or ABSENT."""
    for row in range(bucket, bucket + 2):
        if table[row, 0] == first and table[row, 1] & mask == second:
            return row
    return ABSENT
