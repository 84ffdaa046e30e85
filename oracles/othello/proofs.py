"""Proven bounds of scores: the entries of the search's transposition table, which threads share without locks, and a book of them.

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

The book of a problem is a proof in progress, in a file, so that the work of hours survives an interruption. It lists the positions
whose proofs took the most nodes, CAPACITY of them at most. A search that resumes from it finds them in its table. The file
(../files.py) holds two arrays of uint64, with cells as bits of 8×8:

    problem (3,)     own discs, the opponent's, empty cells
    rows (N, 4)      a position: own discs, the opponent's, bits 0-31 of its data in the table, the nodes of the proof
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from ...games.kernels.arrays import Numbers, States
from ...games.kernels.bits import number, u64
from ...games.othello.rules import Othello
from .. import files
from .flips import NONE
from .last import ABOVE
from .layout import GENERATION, SHIFT

WORDS = 4
EIGHT, SIXTEEN, TWENTY_FOUR, HALF, LOW_BYTE = u64(8), u64(16), u64(24), u64(32), u64(0xFF)
SCATTER, MIX_OWN, MIX_OTHER = u64(0xD6E8FEB86659FD93), u64(0x9E3779B97F4A7C15), u64(0xC2B2AE3D27D4EB4F)
NO_MOVE = u64(64)
CAPACITY = 2**16
Rows = NDArray[np.uint64]


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


# ---- the book


class OthelloBook:
    """The proofs of one problem.

    Args:
        game: the size of the board.
        problem: the position (3,): own discs, the opponent's and the empty cells, as bits of 8×8.
    """

    def __init__(self, game: Othello, problem: NDArray[np.uint64]) -> None:
        self._game, self._problem = game, problem
        name = hashlib.blake2b(problem.astype("<u8").tobytes(), digest_size=8).hexdigest()
        self.path = files.path_of(f"othello-{game.size}-{name}.proofs")
        arrays = files.read_arrays(self.path, "the proof starts again")
        same = arrays is not None and np.array_equal(arrays["problem"], problem)
        self._rows: Rows = arrays["rows"] if arrays is not None and same else np.zeros((0, 4), np.uint64)

    @property
    def has_proofs(self) -> bool:
        """Whether the book holds proofs already."""
        return len(self._rows) > 0

    def open(self, table: Rows, workspace: NDArray[np.int64]) -> None:
        """Copies the proofs into a search's table."""
        self._game.kernel(recall)(self._rows, table, workspace)

    def save(self, table: Rows, workspace: NDArray[np.int64]) -> None:
        """Writes the proofs that took the most nodes, with those read before. If that fails, the log reports it."""
        self._rows = longest_proofs(merge_rows(np.concatenate([self._rows, proofs_in(table, int(workspace[GENERATION]))])))
        if not self.has_proofs:
            return
        try:
            files.write_arrays(self.path, problem=self._problem, rows=self._rows)
        except OSError as error:
            files.log.warning("the proofs so far cannot be saved in %s (%s); the search continues", self.path, error)


def proofs_in(table: Rows, generation: int) -> Rows:
    """The entries of a problem in a table, as rows of a book."""
    entries = table[table[:, 2] >> np.uint64(32) == generation]
    own, other = entries[:, 0] ^ entries[:, 2], entries[:, 1] ^ entries[:, 2] * SCATTER
    rows = np.stack([own, other, entries[:, 2] & np.uint64(0xFFFFFFFF), entries[:, 3]], 1)
    return rows[own & other == 0]  # an entry that two threads wrote at once would give a cell with both colours


def merge_rows(rows: Rows) -> Rows:
    """One row for each position, with the tightest bounds of all its rows."""
    if not len(rows):
        return rows
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    first = np.flatnonzero(np.append(True, (rows[1:, :2] != rows[:-1, :2]).any(axis=1)))
    low = np.maximum.reduceat(rows[:, 2] & LOW_BYTE, first)
    high = np.minimum.reduceat(rows[:, 2] >> np.uint64(8) & LOW_BYTE, first)
    nodes = np.maximum.reduceat(rows[:, 3], first)
    moves = rows[first, 2] & ~np.uint64(0xFFFF)
    return np.stack([rows[first, 0], rows[first, 1], moves | high << np.uint64(8) | low, nodes], 1)


def longest_proofs(rows: Rows) -> Rows:
    """The rows whose proofs took the most nodes, CAPACITY at most."""
    return rows if len(rows) <= CAPACITY else rows[np.argpartition(rows[:, 3], -CAPACITY)[-CAPACITY:]]


def recall(rows: States, table: States, workspace: Numbers) -> None:
    """Copies the rows of a book into a table."""
    for i in range(rows.shape[0]):
        data = rows[i, 2]
        move = data >> SIXTEEN & LOW_BYTE
        low, high = lower(data), upper(data)
        keep(rows[i, 0], rows[i, 1], low, high, move, number(rows[i, 3]), workspace[GENERATION], table, workspace[SHIFT])
