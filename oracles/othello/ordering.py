"""Which move to try first: the one that leaves the opponent the fewest moves, and, far from the end, the one that looks best.

Far from the end a short search of guesses (evaluation.py) counts too. Source: the criteria, mobility above all, then corners and
the discs that are safe beside them, are those of Edax 4.6, src/move.c; the weights were tuned on endgames of 18 to 25 empty cells.
"""

from __future__ import annotations

import numpy as np

from ...games.kernels.arrays import Numbers
from ...games.kernels.bits import ONE, count, lowest, number, u64
from ...games.othello.rules import placements
from .evaluation import EXTREMES, look_ahead
from .flips import NONE, flips
from .last import odd_quadrants
from .layout import LISTS, MARGIN, MOVES
from .proofs import LOW_BYTE, NO_MOVE, SIXTEEN, TWENTY_FOUR
from .stability import COLUMN_1, EIGHT, ROW_1, beside

QUARTER = ((20, 2, 10, 10), (2, 0, 6, 6), (10, 6, 8, 8), (10, 6, 8, 8))
"""The values of cells by their distance from the border in rows and in columns: corners are good, cells beside them bad."""


def value_of(cell: int, margin: int) -> int:
    """The value of a cell of a board that lies in the middle of 8×8; 0 for walls."""
    down, right = (min(place - margin, 7 - margin - place) for place in divmod(cell, 8))
    return QUARTER[down][right] if down >= 0 and right >= 0 else 0


CORNERS = np.array([sum(1 << 8 * r + c for r in (m, 7 - m) for c in (m, 7 - m)) for m in range(3)], np.uint64)
VALUES = np.array([[value_of(cell, m) for cell in range(64)] for m in range(3)], np.int64)
MOBILITY, CORNER, VALUE, PARITY = 1024, 256, 1, 1
"""The weights of the opponent's moves, which count against, and of corners, a cell's value and an odd quadrant, which count for."""
LOOK_AHEAD = 32
"""The weight of a unit of a guess."""
LOOK_AHEAD_FROM, CELLS_A_PLY, MOST_PLIES = 14, 3, 5
"""Guesses count from this many empty cells on; the look-ahead is a ply deeper for each CELLS_A_PLY more, up to MOST_PLIES."""
WITHIN = 128
"""Guesses are exact down to this many units below the best one so far; a worse move only has to come late."""
FROM_TABLE, BEFORE = 1 << 40, 1 << 39
CELL = u64(63)


def sort_in(own: np.uint64, other: np.uint64, empties: np.uint64, moves: np.uint64, known: np.uint64, workspace: Numbers) -> int:
    """Writes moves to the workspace, each with its merit and, in the lowest six bits, its cell; returns where the list ends."""
    best, before = NO_MOVE, NO_MOVE
    if known != NONE:
        best, before = known >> SIXTEEN & LOW_BYTE, known >> TWENTY_FOUR & LOW_BYTE
    left, odd = count(empties), odd_quadrants(empties)
    end, floor = list_of(empties), EXTREMES[0]
    while moves != NONE:
        cell = u64(lowest(moves))
        moves &= moves - ONE
        if cell == best:
            looks = FROM_TABLE
        elif cell == before:
            looks = BEFORE
        else:
            placed = ONE << cell
            flipped = flips(cell, own, other)
            mine, theirs, rest = own | flipped | placed, other ^ flipped, empties ^ placed
            looks = merit(mine, theirs, rest, cell, odd, workspace[MARGIN])
            if left >= LOOK_AHEAD_FROM:
                plies = min(MOST_PLIES, 1 + (left - LOOK_AHEAD_FROM) // CELLS_A_PLY)
                # for the opponent, who moves next, only guesses below -floor matter
                guessed = -look_ahead(theirs, mine, rest, workspace[MARGIN], plies, EXTREMES[0], -floor)
                floor = max(floor, guessed - WITHIN)
                looks += LOOK_AHEAD * guessed
        workspace[end] = looks * 64 + number(cell)
        end += 1
    return end


def list_of(empties: np.uint64) -> int:
    """Where the moves of a position begin in the workspace."""
    return LISTS + count(empties) * MOVES


def take_best(at: int, end: int, workspace: Numbers) -> np.uint64:
    """Swaps the best of the moves from `at` on to `at`, and returns its cell."""
    best = at  # one step of a selection sort: a node often ends before the whole list would be needed in order
    for other in range(at + 1, end):
        if workspace[other] > workspace[best]:
            best = other
    chosen = workspace[best]
    workspace[best] = workspace[at]
    workspace[at] = chosen
    return u64(chosen) & CELL


def merit(own: np.uint64, other: np.uint64, empties: np.uint64, cell: np.uint64, odd: np.uint64, margin: int) -> int:
    """The merit of a move: the higher, the better it looks.

    Args:
        own: the discs, after the move, of the player who made it.
        other: the opponent's discs after the move.
        empties: the empty cells after the move.
        cell: where the disc was placed.
        odd: all cells of the quadrants that had an odd number of empty cells before.
        margin: how many walls lie around the board.
    """
    corners = CORNERS[margin]
    moves = placements(other, own, 8) & empties
    total = CORNER * count_held_corners(own, corners) + VALUE * VALUES[margin, cell]
    total -= MOBILITY * (count(moves) + count(moves & corners))  # a move to a corner costs twice as much
    return total + PARITY if odd & ONE << cell != NONE else total


def count_held_corners(own: np.uint64, corners: np.uint64) -> int:
    """The number of own corners, plus own discs next to them on the border."""
    corners &= own
    return count(corners | own & (beside(corners, ONE, ROW_1) | beside(corners, EIGHT, COLUMN_1)))
