"""What the search has found out about positions, as an array of two words an entry; no two positions share one.

    word 0    the four boards of the form that stands for all positions like it (symmetry.py)
         1    bit 0-15    its occupied cells
                  16-17   the player to move gets at least a draw; a win
                  18-19   does not get a draw; a win

Every position has two places, side by side: the first is for whichever has fewer pieces on the board, below which more was
searched, the second for the latest.
"""

from __future__ import annotations

import numpy as np

from ....envs.games.quarto import BOARD
from ....envs.kernels.arrays import States
from ....envs.kernels.bits import count, has, number, u64
from ....envs.kernels.keys import mixed

UNKNOWN = -1
GETS, GETS_NOT = 16, 18


def find(table: States, board: np.uint64, cells: np.uint64, wanted: int) -> int:
    """Whether the player to move gets at least the wanted value, 0 or 1: 1, 0 or UNKNOWN."""
    place = place_of(table, board, cells)
    for i in range(place, place + 2):
        if table[i, 0] == board and table[i, 1] & BOARD == cells:
            if has(table[i, 1], GETS + wanted):
                return 1
            if has(table[i, 1], GETS_NOT + wanted):
                return 0
    return UNKNOWN


def keep(table: States, board: np.uint64, cells: np.uint64, wanted: int, answer: int) -> None:
    """Notes whether the player to move gets at least the wanted value, and what follows from it."""
    bits = u64((1 + 2 * wanted) << GETS if answer == 1 else (3 - wanted) << GETS_NOT)
    place = place_of(table, board, cells)
    for i in range(place, place + 2):
        if table[i, 0] == board and table[i, 1] & BOARD == cells:
            table[i, 1] |= bits
            return
    if count(table[place, 1] & BOARD) < count(cells) and table[place, 1] != u64(0):
        place += 1
    else:
        table[place + 1, 0], table[place + 1, 1] = table[place, 0], table[place, 1]
    table[place, 0], table[place, 1] = board, cells | bits


def place_of(table: States, board: np.uint64, cells: np.uint64) -> int:
    """The first of the two places."""
    return number(mixed(board ^ (cells << u64(24))) & u64(table.shape[0] - 2))
