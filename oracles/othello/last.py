"""The last plies of Othello, unrolled: boards with one to SHALLOW empty cells.

Each search here asks whether the score of the player to move is above a threshold. Scores are even and thresholds odd, so the two
are never equal, and "not above" for one player is "above -threshold" for the other. The result is a bound that answers: if it is
above the threshold, the score is at least the bound, otherwise at most.

Cells are tried in the order of parity: to play last in a region is good, so cells in quadrants with an odd number of empty
cells come first. `odd` holds all cells of such quadrants. Source: Edax 4.6, src/endgame.c.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.native import apart
from ...games.kernels.arrays import Numbers
from ...games.kernels.bits import ONE, count, lowest, number, u64
from ...search.watch import NODES
from .flips import NEAR, NONE, flips, ray
from .stability import at_most

BELOW, ABOVE = -66, 66
"""Below and above every score."""
SHALLOW = 6
"""Up to this many empty cells, parity alone orders the moves, and no table is used."""


def quadrant(cell: int) -> int:
    """The cells of the quadrant that a cell lies in (bits)."""
    return 0x0F0F0F0F << 4 * (cell % 8 // 4) << 32 * (cell // 32)


def flips_in_line(discs: int, place: int) -> int:
    """How many discs a new disc flips at a place of a line of eight on which its owner has `discs` and the opponent the rest."""
    ways = range(place + 1, 8), range(place - 1, -1, -1)
    return sum(next((abs(at - place) - 1 for at in way if discs >> at & 1), 0) for way in ways)


QUADRANTS = np.array([quadrant(cell) for cell in range(64)], np.uint64)
FLIPS_IN_LINE: Any = np.array([[flips_in_line(discs, place) for discs in range(256)] for place in range(8)], np.uint8)
DIAGONALS = np.array([[ray(c, 1, 1) | ray(c, -1, -1), ray(c, 1, -1) | ray(c, -1, 1)] for c in range(64)], np.uint64)
COLUMN, DIAGONAL = u64(0x0101010101010101), u64(0x0102040810204080)
THREE, SEVEN, EIGHT_BITS, LAST_ROW = u64(3), u64(7), u64(0xFF), u64(56)


def odd_quadrants(empties: np.uint64) -> np.uint64:
    """All cells of the quadrants with an odd number of empty cells."""
    odd = NONE
    for corner in (0, 7, 56, 63):
        if count(empties & QUADRANTS[corner]) & 1:
            odd |= QUADRANTS[corner]
    return odd


def final_score(own: np.uint64, other: np.uint64, left: int) -> int:
    """The score where neither player can move; the empty cells go to the winner."""
    score = count(own) - count(other)
    return score + left if score > 0 else score - left if score < 0 else 0


def flips_last(cell: np.uint64, own: np.uint64) -> int:
    """How many discs `own` flips with the last empty cell; all cells that are not its own are the opponent's, or walls."""
    # A wall counts as a disc of the opponent here. No own disc lies beyond it, so it is never between two own discs.
    row, column = cell >> THREE, cell & SEVEN
    total = number(FLIPS_IN_LINE[column, (own >> (row << THREE)) & EIGHT_BITS])
    # Multiplication gathers a line in the last row: DIAGONAL the cells of a column, COLUMN those of a diagonal, one in each column.
    total += number(FLIPS_IN_LINE[row, (((own >> column) & COLUMN) * DIAGONAL) >> LAST_ROW])
    total += number(FLIPS_IN_LINE[column, ((own & DIAGONALS[cell, 0]) * COLUMN) >> LAST_ROW])
    return total + number(FLIPS_IN_LINE[column, ((own & DIAGONALS[cell, 1]) * COLUMN) >> LAST_ROW])


def solve_one(own: np.uint64, other: np.uint64, cell: np.uint64) -> int:
    """The score with one empty cell."""
    score = count(own) - count(other)
    flipped = flips_last(cell, own)
    if flipped != 0:
        return score + 1 + 2 * flipped  # a flipped disc leaves one side and joins the other
    flipped = flips_last(cell, other)
    if flipped != 0:
        return score - 1 - 2 * flipped
    return score + 1 if score > 0 else score - 1  # never 0: an odd number of discs lies on the board


@apart
def solve_two(own: np.uint64, other: np.uint64, a: np.uint64, b: np.uint64, threshold: int) -> int:
    """A bound of the score with two empty cells."""
    sign = 1
    for _ in range(2):  # the second time after a pass, with the sides exchanged
        best = BELOW
        if NEAR[a] & other != NONE:
            flipped = flips(a, own, other)
            if flipped != NONE:
                best = -solve_one(other ^ flipped, own | flipped | ONE << a, b)
                if best > threshold:
                    return sign * best
        if NEAR[b] & other != NONE:
            flipped = flips(b, own, other)
            if flipped != NONE:
                best = max(best, -solve_one(other ^ flipped, own | flipped | ONE << b, a))
        if best != BELOW:
            return sign * best
        own, other, sign, threshold = other, own, -sign, -threshold
    return final_score(own, other, 2)


@apart
def solve_three(own: np.uint64, other: np.uint64, a: np.uint64, b: np.uint64, c: np.uint64, threshold: int) -> int:
    """A bound of the score with three empty cells."""
    sign = 1
    for _ in range(2):  # the second time after a pass, with the sides exchanged
        best = BELOW
        if NEAR[a] & other != NONE:
            flipped = flips(a, own, other)
            if flipped != NONE:
                best = -solve_two(other ^ flipped, own | flipped | ONE << a, b, c, -threshold)
                if best > threshold:
                    return sign * best
        if NEAR[b] & other != NONE:
            flipped = flips(b, own, other)
            if flipped != NONE:
                best = max(best, -solve_two(other ^ flipped, own | flipped | ONE << b, a, c, -threshold))
                if best > threshold:
                    return sign * best
        if NEAR[c] & other != NONE:
            flipped = flips(c, own, other)
            if flipped != NONE:
                best = max(best, -solve_two(other ^ flipped, own | flipped | ONE << c, a, b, -threshold))
        if best != BELOW:
            return sign * best
        own, other, sign, threshold = other, own, -sign, -threshold
    return final_score(own, other, 3)


def solve_three_by_parity(own: np.uint64, other: np.uint64, empties: np.uint64, odd: np.uint64, threshold: int) -> int:
    """A bound of the score with three empty cells, tried in the order of parity."""
    # Three is odd, so some quadrant is odd. The two cells left are either both in odd quadrants or both in the same even one.
    a = u64(lowest(empties & odd))
    empties ^= ONE << a
    return solve_three(own, other, a, u64(lowest(empties)), u64(lowest(empties & (empties - ONE))), threshold)


@apart
def solve_shallow(own: np.uint64, other: np.uint64, empties: np.uint64, odd: np.uint64, threshold: int, watch: Numbers) -> int:
    """A bound of the score with four to SHALLOW empty cells."""
    left, sign = count(empties), 1
    if left > 4:  # the many positions with four are neither counted nor bounded by stability, which keeps the last plies short
        watch[NODES] += 1
        bound = at_most(own, other, empties, threshold)
        if bound < threshold:
            return bound
    for _ in range(2):  # the second time after a pass, with the sides exchanged
        best = BELOW
        first, then = empties & odd, empties & ~odd
        while first | then != NONE:
            cells = first if first != NONE else then
            cell = u64(lowest(cells))
            placed = ONE << cell
            first, then = first & ~placed, then & ~placed
            if NEAR[cell] & other != NONE:
                flipped = flips(cell, own, other)
                if flipped != NONE:
                    mine, after = own | flipped | placed, odd ^ QUADRANTS[cell]  # one cell less: odd turns even, even odd
                    if left == 4:
                        score = -solve_three_by_parity(other ^ flipped, mine, empties ^ placed, after, -threshold)
                    else:
                        score = -solve_shallow(other ^ flipped, mine, empties ^ placed, after, -threshold, watch)
                    best = max(best, score)
                    if best > threshold:
                        return sign * best
        if best != BELOW:
            return sign * best
        own, other, sign, threshold = other, own, -sign, -threshold
    return final_score(own, other, left)


@apart
def solve_few(own: np.uint64, other: np.uint64, empties: np.uint64, threshold: int, watch: Numbers) -> int:
    """A bound of the score with at most SHALLOW empty cells."""
    left, odd = count(empties), odd_quadrants(empties)
    watch[NODES] += left <= 4  # with more, `solve_shallow` counts
    if left >= 4:
        return solve_shallow(own, other, empties, odd, threshold, watch)
    if left == 3:
        return solve_three_by_parity(own, other, empties, odd, threshold)
    if left == 2:
        return solve_two(own, other, u64(lowest(empties)), u64(lowest(empties & (empties - ONE))), threshold)
    return solve_one(own, other, u64(lowest(empties))) if left == 1 else count(own) - count(other)
