"""Othello on 8×8 by patterns: the score that a position looks like, as a sum of numbers from tables.

A pattern is the content of some cells, as a number whose digits of base 3 are the cells: 0 empty, 1 own, 2 the opponent's. The
eleven families lie everywhere that the symmetries of the board map them to; here is one place of each:

    edge      a b c d e f g h    the cells of the edge from a1 to h1, then b2 and g2         4 places
    wide      a1 to e1, then a2 to e2                                                        8
    corner    a1 b1 c1, then a2 b2 c2, then a3 b3 c3                                         4
    lines     the second, the third and the fourth row                                       4 each
    diagonals from a4 to d1, a5 to e1, a6 to f1, a7 to g1                                    4 each
              a8 to h1                                                                       2

One more number depends on how many moves each player has, and on whether the number of discs is odd.
Each stage of the game, which covers two numbers of discs, has tables of its own. benchmarks/making/othello_patterns.py makes them.

Sources: M. Buro, Logistello (1995), and Improving heuristic mini-max search by supervised learning, Artificial Intelligence 134
(2002); the families are those that the program Edax uses, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.evaluation import Evaluation
from ...games.game import Game
from ...games.kernels.arrays import Numbers
from ...games.kernels.bits import BYTES, NIBBLES, ONE, PAIRS, count, u64
from ...games.kernels.rules import State
from ...games.othello.rules import Othello, placements, play, sides

STAGES = 30
UNITS, MOST = 8, 127
"""Units of a number in the tables to a disc, and the most units of a number."""
LENGTHS = (10, 10, 9, 8, 8, 8, 8, 7, 6, 5, 4)
"""The cells of the families: edge, wide, corner, lines, the diagonals from the longest to the shortest."""
IMAGES = (
    *([7, 6, 5, 4, 3, 2, 1, 0, 9, 8], None, [0, 3, 6, 1, 4, 7, 2, 5, 8]),
    *([*range(length)][::-1] for length in LENGTHS[3:]),
)
"""Where the mirror image of a pattern has each of its cells, by family; patterns of the wide family have none."""
STARTS = tuple(sum(3**length for length in LENGTHS[:family]) for family in range(len(LENGTHS)))
"""Where the numbers of each family start among those of a stage."""
EDGE, WIDE, CORNER, SECOND, THIRD, FOURTH, LONGEST, SEVENTH, SIXTH, FIFTH, SHORTEST = STARTS
MOVES = sum(3**length for length in LENGTHS)
"""Where the numbers of moves start: those of an even number of discs, then those of an odd one, MOST_MOVES² each."""
MOST_MOVES = 32
"""31 moves or more count as 31."""
SIZE = MOVES + 2 * MOST_MOVES**2
"""The numbers of a stage."""
DIGITS = np.array([sum(3**index for index in range(10) if bits >> index & 1) for bits in range(1024)], np.uint16)
"""The number whose digits of base 3 are the bits of a number."""
ROW, ALL_ROWS, TOP = u64(0xFF), u64(0x0101010101010101), u64(56)
DIAGONALS = tuple(u64(sum(1 << 7 * row + last for row in range(last + 1))) for last in (7, 6, 5, 4, 3))
"""The cells of the diagonals of 8 to 4 cells from the first column to the first row."""
MOBILITY = 1000
"""What a reply of the opponent costs in the order of moves."""
PHASES = 5
"""The phases of the game that margins depend on."""
STAGES_OF_A_PHASE = STAGES // PHASES
NO_DEVIATIONS = np.zeros((PHASES, 1), np.int64)
Places: TypeAlias = tuple[
    tuple[tuple[int, int, int, int], ...], tuple[tuple[int, int, int, int, int], ...], tuple[int, ...], tuple[int, int]
]
WEIGHTS = Path(__file__).with_name("weights.npz")
EIGHT_BY_EIGHT = Othello()
CORNERS = u64(0x8100000000000081)
TWO, FOUR, SEVEN, EIGHT, QUARTER, HALF = u64(2), u64(4), u64(7), u64(8), u64(16), u64(32)
EVERY_OTHER_ROW, EVERY_OTHER_PAIR = u64(0x00FF00FF00FF00FF), u64(0x0000FFFF0000FFFF)
SINGLE, DOUBLE, QUADRUPLE = u64(0x00AA00AA00AA00AA), u64(0x0000CCCC0000CCCC), u64(0x00000000F0F0F0F0)


def sum_of_patterns(state: State, weights: Numbers) -> int:
    """The estimated score of a position for the player to move, in units; `pack` makes the `weights`."""
    own, other = sides(state)
    return score_by_patterns(own, other, weights)


def score_by_patterns(own: np.uint64, other: np.uint64, weights: Numbers) -> int:
    """The estimated score for the player with these own discs, who is to move, in units."""
    discs = count(own | other)
    first = stage_of(discs) * SIZE
    with_rows, with_corners, wides, longest = patterns(own, other)
    total = weight(first + moves(own, other, discs), weights)
    total += sum_at(wides, first, weights) + sum_at(longest, first, weights)
    for group in with_rows:
        total += sum_at(group, first, weights)
    for places in with_corners:
        total += sum_at(places, first, weights)
    return total


def sum_at(places: tuple[int, ...], first: int, weights: Numbers) -> int:
    """The sum of the numbers at some places of the stage that starts at `first`."""
    total = 0
    for index in places:
        total += weight(first + index, weights)
    return total


def stage_of(discs: int) -> int:
    """The stage of an unfinished position with this many discs."""
    return (discs - 4) // 2


def weight(index: int, weights: Numbers) -> int:
    """A number of the tables, four of which share a word: shifted up and down again, its sign stays."""
    return weights[index >> 2] << (48 - 16 * (index & 3)) >> 48


def patterns(own: np.uint64, other: np.uint64) -> Places:
    """Where the numbers of all 46 patterns stand, in groups."""
    own_over, other_over = turn_over(own), turn_over(other)
    own_back, other_back = mirror(own), mirror(other)
    own_round, other_round = turn_over(own_back), turn_over(other_back)
    a, x = transpose(own), transpose(other)
    b, y = turn_over(a), turn_over(x)
    c, z = mirror(a), mirror(x)
    return (
        (rows(own, other), rows(own_over, other_over), rows(a, x), rows(b, y)),
        (corners(own, other), corners(own_over, other_over), corners(own_back, other_back), corners(own_round, other_round)),
        (
            wide(own, other),
            wide(own_over, other_over),
            wide(own_back, other_back),
            wide(own_round, other_round),
            wide(a, x),
            wide(b, y),
            wide(c, z),
            wide(turn_over(c), turn_over(z)),
        ),
        (diagonal(own, other, 0, LONGEST), diagonal(own_back, other_back, 0, LONGEST)),
    )


def rows(own: np.uint64, other: np.uint64) -> tuple[int, int, int, int]:
    """The patterns of the upper edge and of the three rows below it."""
    edge = EDGE + pattern(edge_cells(own), edge_cells(other))
    second, third = row(own, other, u64(8), SECOND), row(own, other, u64(16), THIRD)
    return edge, second, third, row(own, other, u64(24), FOURTH)


def corners(own: np.uint64, other: np.uint64) -> tuple[int, int, int, int, int]:
    """The patterns of the corner at the top left and of four diagonals before it."""
    corner = CORNER + pattern(corner_cells(own), corner_cells(other))
    seventh, sixth = diagonal(own, other, 1, SEVENTH), diagonal(own, other, 2, SIXTH)
    return corner, seventh, sixth, diagonal(own, other, 3, FIFTH), diagonal(own, other, 4, SHORTEST)


def wide(own: np.uint64, other: np.uint64) -> int:
    """The pattern of two rows of five cells at the top left."""
    return WIDE + pattern(wide_cells(own), wide_cells(other))


def row(own: np.uint64, other: np.uint64, shift: np.uint64, start: int) -> int:
    return start + pattern(own >> shift & ROW, other >> shift & ROW)


def diagonal(own: np.uint64, other: np.uint64, before: int, start: int) -> int:
    """The pattern of the diagonal that lies this many cells before the longest one."""
    cells = DIAGONALS[before]
    # No two of its cells share a column, so the product adds all rows into the last one without a carry.
    return start + pattern((own & cells) * ALL_ROWS >> TOP, (other & cells) * ALL_ROWS >> TOP)


def pattern(own: np.uint64, other: np.uint64) -> int:
    """The pattern of cells, up to ten bits."""
    return DIGITS[own] + 2 * DIGITS[other]


def moves(own: np.uint64, other: np.uint64, discs: int) -> int:
    """Where the number of the players' moves stands."""
    most = MOST_MOVES - 1
    movable, replies = min(count(placements(own, other, 8)), most), min(count(placements(other, own, 8)), most)
    return MOVES + ((discs & 1) * MOST_MOVES + movable) * MOST_MOVES + replies


# What follows moves the cells of a pattern beside each other, into the lowest bits of a word.


def edge_cells(discs: np.uint64) -> np.uint64:
    # The first row stays, b2 (bit 9) and g2 (bit 14) become bits 8 and 9.
    return (discs & ROW) | (discs >> ONE & u64(0x100)) | (discs >> u64(5) & u64(0x200))


def wide_cells(discs: np.uint64) -> np.uint64:
    # Five cells of the first row stay, those of the second (bits 8 to 12) become bits 5 to 9.
    return (discs & u64(0x1F)) | (discs >> u64(3) & u64(0x3E0))


def corner_cells(discs: np.uint64) -> np.uint64:
    # Three cells of the first row stay, those of the second and third (from bits 8 and 16) become bits 3 to 8.
    return (discs & u64(0x7)) | (discs >> u64(5) & u64(0x38)) | (discs >> u64(10) & u64(0x1C0))


def mirror(discs: np.uint64) -> np.uint64:
    """The board with left and right exchanged: single cells of each row, then pairs, then halves change places."""
    discs = (discs >> ONE & PAIRS) | (discs & PAIRS) << ONE
    discs = (discs >> TWO & NIBBLES) | (discs & NIBBLES) << TWO
    return (discs >> FOUR & BYTES) | (discs & BYTES) << FOUR


def turn_over(discs: np.uint64) -> np.uint64:
    """The board with top and bottom exchanged: single rows, then pairs of rows, then halves change places."""
    discs = (discs >> EIGHT & EVERY_OTHER_ROW) | (discs & EVERY_OTHER_ROW) << EIGHT
    discs = (discs >> QUARTER & EVERY_OTHER_PAIR) | (discs & EVERY_OTHER_PAIR) << QUARTER
    return discs >> HALF | discs << HALF


def transpose(discs: np.uint64) -> np.uint64:
    """The board with rows and columns exchanged: cells one, two and four apart in both change places."""
    moving = (discs ^ discs >> SEVEN) & SINGLE
    discs ^= moving ^ moving << SEVEN
    moving = (discs ^ discs >> (SEVEN * TWO)) & DOUBLE
    discs ^= moving ^ moving << (SEVEN * TWO)
    moving = (discs ^ discs >> (SEVEN * FOUR)) & QUADRUPLE
    return discs ^ moving ^ moving << (SEVEN * FOUR)


def phase_of(state: State) -> int:
    """The phase of an unfinished position."""
    return stage_of(count(state[0] | state[1])) // STAGES_OF_A_PHASE


def few_replies(state: State, action: int) -> int:
    """A hint for the order of moves: the fewer replies a move leaves the opponent, the better; replies in corners count twice."""
    own, other = sides(play(state, action))
    replies = placements(own, other, 8)
    return MOBILITY * (64 - count(replies) - count(replies & CORNERS))


def mirror_classes() -> NDArray[np.int32]:
    """For each index of a stage's table, the lower one of the pattern's and its mirror image's (SIZE,)."""
    classes = np.arange(SIZE)
    for start, length, image in zip(STARTS, LENGTHS, IMAGES, strict=True):
        if image is not None:
            numbers = np.arange(3**length)
            mirrored = sum(numbers // 3**cell % 3 * 3**to for cell, to in enumerate(image))
            classes[start : start + 3**length] = start + np.minimum(numbers, mirrored)
    return classes.astype(np.int32)


def columns_of(tables: NDArray[np.int8]) -> NDArray[np.int8]:
    """The numbers of tables (STAGES, SIZE) as files have them: those of mirror images once, and each number less that of the stage
    after it, which is mostly 0 (SIZE of different ones, STAGES)."""
    columns = tables[::-1, mirror_classes() == np.arange(SIZE)]  # differences may overflow; the sum undoes it
    return np.ascontiguousarray(np.diff(columns, axis=0, prepend=np.int8(0)).T)


def expand_columns(columns: NDArray[np.int8]) -> NDArray[np.int8]:
    """The tables (STAGES, SIZE) of columns."""
    classes = mirror_classes()
    order = np.cumsum(classes == np.arange(SIZE)) - 1
    return np.cumsum(columns, axis=1, dtype=np.int8)[:, ::-1].T[:, order[classes]]


def pack(tables: NDArray[np.int8]) -> NDArray[np.int64]:
    """Tables (STAGES, SIZE) as `sum_of_patterns` takes them: four numbers of 16 bits in a word, the first one the lowest."""
    flat = np.zeros(-(-tables.size // 4) * 4, "<i2")
    flat[: tables.size] = tables.ravel()
    return flat.view("<i8").astype(np.int64)


@dataclass(frozen=True, eq=False, kw_only=True)
class Patterns(Evaluation):
    """The evaluation by tables of numbers.

    Args:
        tables: the numbers, in units (STAGES, SIZE).
        deviations: for each phase and depth from 0 on, how far apart, in units, the values of a search to that depth and of one to
            `shallow_depth` are at most in 68 % of positions, as a standard deviation of normal errors would be; deeper ones are
            like the last (PHASES, depths). 0 where a shallower search would save nothing.
    """

    tables: NDArray[np.int8]
    deviations: NDArray[np.integer]

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        return pack(self.tables)

    def margins(self, deviations: float, depth: int) -> tuple[tuple[int, ...], ...]:
        """The margins of `AlphaBeta` up to a depth: that many times the deviations of shallow searches."""
        depths = np.minimum(np.arange(depth + 1), self.deviations.shape[1] - 1)
        return tuple(tuple(math.ceil(deviations * each) for each in row) for row in self.deviations[:, depths].tolist())


def patterns_of(game: Game) -> Patterns:
    """The evaluation by the tables of this package, for a game.

    Raises:
        ValueError: the game is not Othello on 8×8.
    """
    if game != EIGHT_BY_EIGHT:
        raise ValueError(f"the evaluation by patterns is of othello with size 8, not of {game.spec}; choose classic or plain")
    return shipped_patterns()


@cache
def shipped_patterns() -> Patterns:
    """The evaluation by the tables of this package."""
    with np.load(WEIGHTS) as arrays:
        return patterns_from_tables(expand_columns(arrays["columns"]), arrays["deviations"])


def patterns_from_tables(tables: NDArray[np.int8], deviations: NDArray[np.integer] = NO_DEVIATIONS) -> Patterns:
    """The evaluation by tables (STAGES, SIZE), and the deviations of its searches, without which ProbCut has no effect."""
    return Patterns(
        sum_of_patterns, few_replies, score_unit=UNITS, phase=phase_of, phases=PHASES, tables=tables, deviations=deviations
    )
