"""Which move to try first: the one that leaves the opponent the fewest moves, and, far from the end, the one that looks best.

Far from the end a short search of guesses counts too, unless the question is whether a player loses all discs. A guess is that of
evaluation.py, or on 8×8 with many empty cells, the evaluation by patterns (search/patterns).
Source: the criteria, mobility above all, then corners and the discs that are safe beside them, are those of Edax 4.6, src/move.c;
the weights were tuned on endgames of 18 to 25 empty cells, and the look-ahead by patterns on six of 20 to 27.
"""

from __future__ import annotations

import numpy as np

from ...core.native import apart
from ...games.kernels.arrays import Numbers
from ...games.kernels.bits import ONE, count, lowest, number, u64
from ...games.othello.rules import placements
from ...search.patterns.evaluation import UNITS as PATTERN_UNITS
from ...search.patterns.evaluation import score_by_patterns
from .evaluation import EXTREMES, UNITS, guess
from .flips import NONE, flips
from .last import odd_quadrants
from .layout import LISTS, MARGIN, MOVES, ROOT, Arrays
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
LOOK_AHEAD, LOOK_AHEAD_BY_PATTERNS = 32, 16
"""The weight of a unit of a guess. Guesses by patterns are made after one ply, three and so on, or after two, four and so on, and
add up: an order that comes soon makes the next look-ahead short, and together they err less than the last one alone."""
LOOK_AHEAD_FROM, MOST_PLIES = 14, 6
"""Without patterns, guesses count from this many empty cells on; the look-ahead is two plies deeper for each three cells
more, up to MOST_PLIES."""
BY_PATTERNS_FROM, MOST_BY_PATTERNS = 15, 5
"""With them, guesses count from this many empty cells on, and are by patterns where as many are still empty after the look-ahead.
They are better and take longer: the look-ahead is only two plies deeper for each four cells more, up to MOST_BY_PATTERNS."""
NEAR_ROOT, DEEPER = 1, 2
"""At the position to be solved, and down to this many moves after it, the look-ahead by patterns is this many plies deeper: these
are few positions, and much depends on them."""
WITHIN = 64
"""Guesses are exact down to this many units below the best one so far; a worse move only has to come late."""
WIPE_OUT = 57
"""From this threshold on, or its negative, mobility alone counts: guesses were fitted to closer scores."""
FROM_TABLE, BEFORE = 1 << 40, 1 << 39
CELL = u64(63)


def sort_in(
    own: np.uint64, other: np.uint64, empties: np.uint64, moves: np.uint64, known: np.uint64, threshold: int, arrays: Arrays
) -> int:
    """Writes moves to the workspace, each with its merit and, in the lowest six bits, its cell; returns where the list ends."""
    workspace = arrays.workspace
    best, before = NO_MOVE, NO_MOVE
    if known != NONE:
        best, before = known >> SIXTEEN & LOW_BYTE, known >> TWENTY_FOUR & LOW_BYTE
    left, end = count(empties), list_moves(own, other, empties, moves, best, before, workspace)
    plies = plies_ahead(left, arrays)
    if plies == 0 or abs(threshold) >= WIPE_OUT:
        return end
    if likely_score(own, other, empties, arrays) < UNITS * threshold:
        plies = (plies + 1) // 2  # most likely no move is above the threshold, and all are searched in whatever order
    first, weight = plies, LOOK_AHEAD
    if has_patterns(arrays):
        if left >= workspace[ROOT] - NEAR_ROOT:
            plies += DEEPER
        first, weight = 2 - plies % 2, LOOK_AHEAD_BY_PATTERNS
    for ahead in range(first, plies + 1, 2):
        floor = EXTREMES[0]
        for at in range(list_of(empties), end):
            cell = take_best(at, end, workspace)
            if cell != best and cell != before:
                mine, theirs, rest = after_move(own, other, empties, cell)
                # for the opponent, who moves next, only guesses below -floor matter
                guessed = -look_ahead(theirs, mine, rest, ahead, EXTREMES[0], -floor, arrays)
                floor = max(floor, guessed - WITHIN)
                workspace[at] += weight * guessed * 64
    return end


def has_patterns(arrays: Arrays) -> bool:
    """Whether the search has the evaluation by patterns."""
    return arrays.pattern_weights.shape[0] > 0


def plies_ahead(left: int, arrays: Arrays) -> int:
    """How many plies to look ahead after each move of a position with this many empty cells; 0 for not at all."""
    if has_patterns(arrays):
        return 0 if left < BY_PATTERNS_FROM else min(MOST_BY_PATTERNS, 1 + (left - BY_PATTERNS_FROM) // 4 * 2)
    return 0 if left < LOOK_AHEAD_FROM else min(MOST_PLIES, 1 + (left - LOOK_AHEAD_FROM) * 2 // 3)


@apart
def look_ahead(own: np.uint64, other: np.uint64, empties: np.uint64, plies: int, low: int, high: int, arrays: Arrays) -> int:
    """The guess for the player to move after this many plies of best play, by alpha-beta between two bounds."""
    moves = placements(own, other, 8) & empties
    if plies == 0 or moves == NONE:  # a pass is not searched: the guess is only for the order of moves
        return likely_score(own, other, empties, arrays)
    workspace = arrays.workspace
    at, end = list_of(empties), list_of(empties)
    if plies > 1:  # the last ply is soon done in any order
        end = list_moves(own, other, empties, moves, NO_MOVE, NO_MOVE, workspace)
    while low < high and (at < end or (plies == 1 and moves != NONE)):
        if plies > 1:
            cell = take_best(at, end, workspace)
            at += 1
        else:
            cell = u64(lowest(moves))
            moves &= moves - ONE
        mine, theirs, rest = after_move(own, other, empties, cell)
        low = max(low, -look_ahead(theirs, mine, rest, plies - 1, -high, -low, arrays))
    return low


def likely_score(own: np.uint64, other: np.uint64, empties: np.uint64, arrays: Arrays) -> int:
    """The guess at the score of the player to move, in units: by patterns, where there are any and many empty cells."""
    if has_patterns(arrays) and count(empties) >= BY_PATTERNS_FROM:
        return UNITS // PATTERN_UNITS * score_by_patterns(own, other, arrays.pattern_weights)
    return guess(own, other, empties, arrays.workspace[MARGIN])


def list_moves(
    own: np.uint64, other: np.uint64, empties: np.uint64, moves: np.uint64, best: np.uint64, before: np.uint64, workspace: Numbers
) -> int:
    """Writes moves by their merit alone to the workspace, those from the table above all; returns where the list ends."""
    odd, end = odd_quadrants(empties), list_of(empties)
    while moves != NONE:
        cell = u64(lowest(moves))
        moves &= moves - ONE
        if cell == best:
            looks = FROM_TABLE
        elif cell == before:
            looks = BEFORE
        else:
            mine, theirs, rest = after_move(own, other, empties, cell)
            looks = merit(mine, theirs, rest, cell, odd, workspace[MARGIN])
        workspace[end] = looks * 64 + number(cell)
        end += 1
    return end


def after_move(own: np.uint64, other: np.uint64, empties: np.uint64, cell: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """The discs of the player who places one on a cell, the opponent's, and the empty cells after it."""
    flipped, placed = flips(cell, own, other), ONE << cell
    return own | flipped | placed, other ^ flipped, empties ^ placed


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
