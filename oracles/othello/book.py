"""A proof in progress, in a file: bounds of positions, so that the work of hours survives an interruption.

The book of a problem lists the positions whose proofs took the most nodes, CAPACITY of them at most. A search that resumes from it
finds them in its table. The file (../files.py) holds two arrays of uint64, with cells as bits of 8×8 (layout.py) and data as in
entries.py:

    problem (3,)     own discs, the opponent's, empty cells
    rows (N, 4)      a position: own discs, the opponent's, bits 0-31 of its data in the table, the nodes of the proof
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from ...games.kernels.arrays import Numbers, States
from ...games.kernels.bits import number
from ...games.othello.rules import Othello
from .. import files
from .entries import LOW_BYTE, SCATTER, SIXTEEN, keep, lower, upper
from .workspace import GENERATION, SHIFT

CAPACITY = 2**16
Rows = NDArray[np.uint64]


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
