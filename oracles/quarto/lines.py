"""The board as the search stores it: what the pieces on each line still share, and how many of its cells are empty.

A line is a lane of 16 bits, four lanes a word:

    bit 0-3     attributes that all pieces on the line have         word 0    rows
        4-7     attributes that none of them has                         1    columns
        8-10    how many cells of the line are empty                     2    the falling and the rising diagonal
                                                                         3-6  2×2 squares, where they win

The nine squares are distributed so that no cell is in two squares of a word. The attributes that a piece has, and those that
it does not have, are its eight *values*, bits as in a lane. From the lines follows what matters about each empty cell:

    bit 0-7     COMPLETES: values of pieces that complete a line there
        8-15    JOINS: values that complete a line elsewhere once they are placed there
        16-19   the cell

and of the board: which values complete a line on some cell, and which on two or more. A placement takes away what only its
cell completed and adds what it joins, so that one look into a table says which pieces are safe to give after it. A board
with all this is a row of an array:

    column 0-6      7-13        14             15         16-31             32            33
           lines    scratch     attributes,    occupied   the empty         values that   on two cells
                                four boards    cells      cells, rising     complete      or more
"""

from __future__ import annotations

import numpy as np

from ...games.kernels.arrays import States
from ...games.kernels.bits import ONE, bit, lowest, u64

NEAR, BOARD, OCCUPIED, CELLS, ONCE, TWICE, COLUMNS = 7, 14, 15, 16, 32, 33, 34
LANE, VALUE_BITS = u64(0xFFFF), u64(0xFF)
EIGHT, CELL = u64(8), u64(16)
COUNTS = u64(0x0100010001000100)
"""The lowest bit of the count in each lane."""

ROWS = [[4 * i + j for j in range(4)] for i in range(4)]
FILES = [[4 * j + i for j in range(4)] for i in range(4)]
DIAGONALS = [[0, 5, 10, 15], [3, 6, 9, 12]]
SQUARES = [[[c, c + 1, c + 4, c + 5] for c in corners] for corners in ([0, 2, 8, 10], [1, 9], [4, 6], [5])]
WORDS = [ROWS, FILES, DIAGONALS, *SQUARES]
"""The cells of the line in each lane of each word."""


def _lanes(word: int, cell: int) -> list[int]:
    return [lane for lane, cells in enumerate(WORDS[word]) if cell in cells]


def _keep_mask(word: int, piece: int, cell: int) -> int:
    return 2**64 - 1 - sum((~values_of(piece) & 0xFF) << 16 * lane for lane in _lanes(word, cell))


def values_of(piece: int) -> int:
    """The attributes that a piece has, and those that it does not have, as eight bits."""
    return piece | (~piece & 15) << 4


VALUES = np.array([values_of(piece) for piece in range(16)], np.uint64)
"""The values of each piece."""
UNSAFE = np.array([sum(1 << p for p in range(16) if values_of(p) & danger) for danger in range(256)], np.uint64)
"""For each set of values, the pieces that have one of them."""
SPREAD = np.array([sum((piece >> a & 1) << 16 * a for a in range(4)) for piece in range(16)], np.uint64)
"""Each piece on cell 0, as four boards."""
EMPTY = np.array([sum(0x04FF << 16 * lane for lane in range(len(lines))) for lines in WORDS], np.uint64)
"""The lines of the empty board; a lane without a line is 0."""
KEPT = np.array([[[_keep_mask(w, p, c) for c in range(16)] for p in range(16)] for w in range(7)], np.uint64)
"""What a word keeps of its values when a piece is placed on a cell."""
TAKEN = np.array([[sum(1 << 16 * lane + 8 for lane in _lanes(w, c)) for c in range(16)] for w in range(7)], np.uint64)
"""What a word loses of its counts when a cell is taken."""
SHIFT = np.array([[16 * (*_lanes(w, c), len(WORDS[w]))[0] for c in range(16)] for w in range(7)], np.uint64)
"""Where in a word the lane of a cell begins; a lane without a line, where the word has none for it."""


def line_words() -> int:
    """How many words of lines there are. A search with the square rule plugs in `line_words_with_squares`."""
    return 3


def line_words_with_squares() -> int:
    """How many words of lines there are where 2×2 squares win."""
    return 7


def begin(boards: States, row: int) -> None:
    """Makes a row the empty board."""
    for w in range(line_words()):
        boards[row, w] = EMPTY[w]
    boards[row, BOARD] = u64(0)
    boards[row, OCCUPIED] = u64(0)


def place_piece(boards: States, source: int, row: int, piece: int, cell: int) -> None:
    """Writes the board of the row `source` with one more piece on it to a row."""
    for w in range(line_words()):
        boards[row, w] = (boards[source, w] & KEPT[w, piece, cell]) - TAKEN[w, cell]
    boards[row, BOARD] = boards[source, BOARD] | (SPREAD[piece] << u64(cell))
    boards[row, OCCUPIED] = boards[source, OCCUPIED] | bit(cell)


def complete_row(boards: States, row: int) -> None:
    """Writes the columns of a row that follow from its lines."""
    for w in range(line_words()):
        boards[row, NEAR + w] = near(boards[row, w])
    once, twice = u64(0), u64(0)
    column = CELLS
    empty = ~boards[row, OCCUPIED] & LANE
    while empty != u64(0):
        cell = lowest(empty)
        empty &= empty - ONE
        here = on_cell(boards, row, cell)
        twice |= once & here
        once |= here
        boards[row, column] = here | (u64(cell) << CELL)
        column += 1
    boards[row, ONCE] = once & VALUE_BITS
    boards[row, TWICE] = twice & VALUE_BITS


def near(lines: np.uint64) -> np.uint64:
    """Of a word of lines: their values where one cell is empty, and eight bits higher where two are."""
    one = lines & ~(lines >> ONE) & COUNTS  # a count's two lowest bits are 01 for one empty cell, 10 for two; four, 100, is neither
    two = ~lines & (lines >> ONE) & COUNTS
    # a bit at 8 of a lane, less the same eight lower, is a mask of the lane's bits 0 to 7
    return (lines & (one - (one >> EIGHT))) | ((lines & (two - (two >> EIGHT))) << EIGHT)


def on_cell(boards: States, row: int, cell: int) -> np.uint64:
    """The values that complete a line on an empty cell, and those that join one there, from the words of `near`."""
    values = u64(0)
    for w in range(line_words()):
        values |= boards[row, NEAR + w] >> SHIFT[w, cell]
    return values & LANE


def safe_after(boards: States, row: int, column: int, values: np.uint64, left: np.uint64) -> np.uint64:
    """Of the pieces left, those that complete no line once a piece of these values stands on the empty cell in a column."""
    here = boards[row, column]
    dangerous = boards[row, TWICE] | (boards[row, ONCE] & ~here) | ((here >> EIGHT) & values & VALUE_BITS)
    return left & ~UNSAFE[dangerous]
