"""Discs that can never be flipped again, and the bound on the score that they give.

A line without an empty cell is quiet: none of its discs is flipped along it. A disc is also quiet along a line that ends
next to it, at the border or a wall, or in which a neighbour is a stable disc of its own colour. A disc that is quiet along its
row, its column and both diagonals is stable. Every disc found is stable, but not every stable disc is found.
"""

from __future__ import annotations

import numpy as np

from ...games.kernels.bits import ONE, count, u64
from .flips import NONE

SEVEN, EIGHT, NINE = u64(7), u64(8), u64(9)
DISCS_TO_SPARE = 4
"""A bound is computed only if the opponent has at least this many discs more than would have to be stable."""


def cells_after_step(down: int, right: int) -> np.uint64:
    """The cells of 8×8 that a step from another cell of it leads to."""
    return u64(sum(1 << c for c in range(64) if 0 <= c // 8 - down < 8 and 0 <= c % 8 - right < 8))


ROW_1, ROW_2, ROW_4 = cells_after_step(0, 1), cells_after_step(0, 2), cells_after_step(0, 4)
LEFT_1, LEFT_2, LEFT_4 = cells_after_step(1, -1), cells_after_step(2, -2), cells_after_step(4, -4)
COLUMN_1, COLUMN_2, COLUMN_4 = cells_after_step(1, 0), cells_after_step(2, 0), cells_after_step(4, 0)
RIGHT_1, RIGHT_2, RIGHT_4 = cells_after_step(1, 1), cells_after_step(2, 2), cells_after_step(4, 4)


def at_most(own: np.uint64, other: np.uint64, empties: np.uint64, threshold: int) -> int:
    """An upper bound of the score of the player to move, because the opponent keeps the stable discs.

    It is computed only where it is likely to be below the threshold; elsewhere it is the number of cells, which cuts nothing off.
    """
    cells = count(own | other | empties)
    # A single one means that not all of its discs are lost, which is worth a look at the highest threshold.
    # With s stable discs of the opponent the score is at most cells - 2·s: below the threshold only if 2·s > cells - threshold.
    if 2 * (count(other) - DISCS_TO_SPARE) <= cells - threshold and threshold < cells - 1:
        return cells
    return cells - 2 * count(stable(other, own, empties))


def stable(own: np.uint64, other: np.uint64, empties: np.uint64) -> np.uint64:
    """Discs of `own` that are never flipped again."""
    walls = ~(own | other | empties)
    row = quiet(empties, walls, ONE, ROW_1, ROW_2, ROW_4)
    left = quiet(empties, walls, SEVEN, LEFT_1, LEFT_2, LEFT_4)
    column = quiet(empties, walls, EIGHT, COLUMN_1, COLUMN_2, COLUMN_4)
    right = quiet(empties, walls, NINE, RIGHT_1, RIGHT_2, RIGHT_4)
    discs, more = NONE, own & row & left & column & right
    while more != discs:  # each stable disc may make its neighbours stable
        discs = more
        more = (row | beside(discs, ONE, ROW_1)) & (left | beside(discs, SEVEN, LEFT_1))
        more &= (column | beside(discs, EIGHT, COLUMN_1)) & (right | beside(discs, NINE, RIGHT_1)) & own
    return discs


def beside(cells: np.uint64, step: np.uint64, reached: np.uint64) -> np.uint64:
    """The neighbours of some cells along a line, both ways; `cells_after_step` are the cells that a step up leads to."""
    return (cells << step & reached) | (cells & reached) >> step


def quiet(
    empties: np.uint64, walls: np.uint64, step: np.uint64, once: np.uint64, twice: np.uint64, four_times: np.uint64
) -> np.uint64:
    """The cells that have no empty cell on their line, or whose line ends beside them."""
    # By steps of 1, 2 and 4 every empty cell spreads over the seven others that its line can have; the masks stop at the border.
    two = step + step
    four = two + two
    up = empties | (empties << step & once)
    down = empties | (empties & once) >> step
    up |= up << two & twice
    down |= (down & twice) >> two
    up |= up << four & four_times
    down |= (down & four_times) >> four
    return ~(up | down) | beside(walls, step, once) | border(step, once)


def border(step: np.uint64, once: np.uint64) -> np.uint64:
    """The cells beside which the board ends along a line."""
    return ~once | ~(once >> step)  # no step leads to them, or none leads away from them
