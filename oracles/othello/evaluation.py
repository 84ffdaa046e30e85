"""A guess at the score of a position, for the order of moves near the end: patterns of edges and corners, mobility, parity.

The guess is a sum of numbers from a table: one for what lies on each edge, one for each corner's 3×3 cells, and four counts
times a number. benchmarks/making/othello_evaluation.py finds the numbers by least squares over solved positions, for 8×8 and for
6×6; 4×4 is solved at once without. No guess changes an answer; a good one makes it come sooner.

A pattern is the number whose digits of base 3 are its cells, the first one the lowest: 0 empty, 1 own, 2 the opponent's.

    edge     0 1 2 3 4 5 6 7    from left to right or from top to bottom; six cells on 6×6
    corner   0 1 2              cell 0 is the corner of the board, 1 and 2 lie in its row
             3 4 5
             6 7 8

Source: the idea of patterns whose values add up is that of M. Buro, Logistello (1995).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...games.kernels.bits import count, number, u64
from ...games.othello.rules import placements
from ...search.patterns.evaluation import EIGHT, mirror, turn_over
from .last import COLUMN, DIAGONAL, LAST_ROW, SEVEN

UNITS = 16
"""Units of a guess to a disc."""
CORNER, COUNTS = 3**8, 3**8 + 3**9
"""Where the numbers of corners begin, after those of edges, and where those of the four counts begin: a constant 1, own moves, the
opponent's moves, and 1 if the number of empty cells is odd."""
WEIGHTS = np.load(Path(__file__).with_name("weights.npz"))["weights"]
"""The numbers, in units: one row for 8×8, one for 6×6 (2, COUNTS + 4), int16."""
DIGITS = np.array([sum(3**place for place in range(9) if bits >> place & 1) for bits in range(512)], np.int64)
"""The number whose digits of base 3 are the bits of a number."""
EXTREMES = np.array([-(1 << 20), 1 << 20], np.int64)
"""Below and above every guess."""


def guess(own: np.uint64, other: np.uint64, empties: np.uint64, margin: int) -> int:
    """The guess at the score of the player to move, in units."""
    size = min(margin, 1)  # the row of WEIGHTS; 4×4 has none of its own
    top, bottom, left, right, first, second, third, fourth = patterns(own, other, margin)
    total = WEIGHTS[size, top] + WEIGHTS[size, bottom] + WEIGHTS[size, left] + WEIGHTS[size, right]
    total += WEIGHTS[size, first] + WEIGHTS[size, second] + WEIGHTS[size, third] + WEIGHTS[size, fourth]
    moves, replies, odd = counts(own, other, empties)
    total += WEIGHTS[size, COUNTS] + WEIGHTS[size, COUNTS + 1] * moves
    return total + WEIGHTS[size, COUNTS + 2] * replies + WEIGHTS[size, COUNTS + 3] * odd


def patterns(own: np.uint64, other: np.uint64, margin: int) -> tuple[int, int, int, int, int, int, int, int]:
    """The columns of WEIGHTS for the four edges and the four corners."""
    first, last = u64(margin), SEVEN - u64(margin)
    own_mirrored, other_mirrored = mirror(own), mirror(other)
    return (
        edge(row(own, first), row(other, first), margin),
        edge(row(own, last), row(other, last), margin),
        edge(column(own, first), column(other, first), margin),
        edge(column(own, last), column(other, last), margin),
        corner(own, other, margin),
        corner(turn_over(own), turn_over(other), margin),
        corner(own_mirrored, other_mirrored, margin),
        corner(turn_over(own_mirrored), turn_over(other_mirrored), margin),
    )


def counts(own: np.uint64, other: np.uint64, empties: np.uint64) -> tuple[int, int, int]:
    """Own moves, the opponent's, and 1 if the number of empty cells is odd."""
    return count(placements(own, other, 8) & empties), count(placements(other, own, 8) & empties), count(empties) & 1


def edge(own: np.uint64, other: np.uint64, margin: int) -> int:
    """The pattern of an edge: a row or column of 8×8 as eight bits, of which the middle ones are on the board."""
    return DIGITS[number(own) >> margin] + 2 * DIGITS[number(other) >> margin]


def corner(own: np.uint64, other: np.uint64, margin: int) -> int:
    """The column of WEIGHTS for the corner at the top left."""
    return CORNER + DIGITS[corner_bits(own, margin)] + 2 * DIGITS[corner_bits(other, margin)]


def corner_bits(discs: np.uint64, margin: int) -> int:
    """The 3×3 cells of the corner at the top left as nine bits, row by row."""
    discs >>= u64(9 * margin)
    return number((discs & u64(7)) | (discs >> u64(5) & u64(0x38)) | (discs >> u64(10) & u64(0x1C0)))


def row(discs: np.uint64, which: np.uint64) -> np.uint64:
    """A row as eight bits."""
    return discs >> (EIGHT * which) & u64(0xFF)


def column(discs: np.uint64, which: np.uint64) -> np.uint64:
    """A column as eight bits, the top the lowest."""
    return (discs >> which & COLUMN) * DIAGONAL >> LAST_ROW
