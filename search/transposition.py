"""Transposition tables: what searches have found out about positions, in buckets of two entries of some words.

Each search defines what the words of an entry hold, and which of two entries it replaces: alphabeta/entries.py, and entries.py
of the oracles of Quarto and Othello. Othello also finds its entries by itself, since threads share them without locks. Two tables
stand apart: Quixo's endings (a single word per entry), and the index of a state space, where nothing is replaced.
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
from ..games.kernels.keys import mixed
from ..games.kernels.rules import State

ABSENT = -1
CACHE_LINE = 64
"""Bytes; a bucket does not cross two lines."""
LARGEST_KEPT = 22
"""Tables of more than 2 to this power entries are given back when a search is over."""


class TranspositionTable:
    """The entries of one search at a time, and the number of that search.

    Args:
        bits: it has 2 to this power entries.
        words: the words of an entry, 2 or 4.
        generations: how many numbers of searches an entry has room for, with 0. After that many searches the table is cleared.

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
        """The number of a new search, 1 or more; no entry has it."""
        if (generation := next(self._numbers)) < self._generations:
            return generation
        self.entries[:] = 0
        self._numbers = itertools.count(2)
        return 1


_spare: defaultdict[tuple[int, int], list[TranspositionTable]] = defaultdict(list)


@contextmanager
def borrowed_table(bits: int, generations: int) -> Generator[TranspositionTable]:
    """A table of two words per entry, from an earlier search if one is free: new memory costs more than a short search."""
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
        key = mixed(key + word)
    return key


def bucket_of(table: States, hash_: np.uint64) -> int:
    """The first of the two rows of a hash."""
    return number(hash_ & u64(table.shape[0] - 2))


def find_row(table: States, bucket: int, first: np.uint64, mask: np.uint64, second: np.uint64) -> int:
    """The row of a bucket with this first word, and these bits of the second word under the mask; or ABSENT."""
    for row in range(bucket, bucket + 2):
        if table[row, 0] == first and table[row, 1] & mask == second:
            return row
    return ABSENT
