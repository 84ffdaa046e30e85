"""The entries of Quarto's search in a transposition table, two words each; no two positions share one.

    word 0    the four boards of the canonical form of the position (symmetry.py)
         1    bit 0-15    its occupied cells
                  16-17   the player to move gets at least a draw; a win
                  18-19   does not get a draw; a win

The first row of a bucket keeps the position with fewer pieces on the board, whose search took longer; the second keeps the latest.
"""

from __future__ import annotations

import numpy as np

from ...games.kernels.arrays import States
from ...games.kernels.bits import count, has, u64
from ...games.kernels.keys import mix
from ...games.quarto.rules import BOARD
from ...search.transposition import ABSENT, bucket_of, find_row

UNKNOWN = -1
GETS, GETS_NOT = 16, 18


def find(table: States, board: np.uint64, cells: np.uint64, wanted: int) -> int:
    """Whether the player to move gets at least the wanted value, 0 or 1: 1, 0 or UNKNOWN."""
    row = find_row(table, first_row(table, board, cells), board, BOARD, cells)
    if row == ABSENT:
        return UNKNOWN
    return 1 if has(table[row, 1], GETS + wanted) else 0 if has(table[row, 1], GETS_NOT + wanted) else UNKNOWN


def keep(table: States, board: np.uint64, cells: np.uint64, wanted: int, answer: int) -> None:
    """Stores whether the player to move gets at least the wanted value, and what follows from it."""
    # who wins also gets a draw, and who does not get a draw does not win: such an answer sets two bits
    bits = u64((1 + 2 * wanted) << GETS if answer == 1 else (3 - wanted) << GETS_NOT)
    first = first_row(table, board, cells)
    row = find_row(table, first, board, BOARD, cells)
    if row != ABSENT:
        table[row, 1] |= bits
        return
    if count(table[first, 1] & BOARD) < count(cells) and table[first, 1] != u64(0):
        first += 1
    else:
        table[first + 1, 0], table[first + 1, 1] = table[first, 0], table[first, 1]
    table[first, 0], table[first, 1] = board, cells | bits


def first_row(table: States, board: np.uint64, cells: np.uint64) -> int:
    """The first row of a position's bucket."""
    return bucket_of(table, mix(board ^ (cells << u64(24))))
