"""What Quarto's policies look at in a position: cells that complete a line, pieces that are safe to give, what pieces share.

A word of four boards, as in the rules (games/quarto/rules.py), says for each attribute which cells have it:

    bit 16·a + c    attribute a, cell c

Pieces and cells by themselves are sets of 16 bits. With the square rule the nine 2×2 squares are lines as well.
"""

from __future__ import annotations

import numpy as np

from ...games.kernels.bits import has, number, u64
from ...games.kernels.rules import State
from ...games.quarto.rules import BOARD, CORNERS, EACH, FIRST_COLUMN, FIRST_ROW, GIVEN, HAND

# Each row is a direction of lines: the distances from a line's first cell to the other three, and the possible first cells.
WAYS = np.array(
    [
        (1, 2, 3, FIRST_COLUMN),
        (4, 8, 12, FIRST_ROW),
        (5, 10, 15, EACH),
        (3, 6, 9, EACH << u64(3)),
        (1, 4, 5, CORNERS),
    ],
    np.uint64,
)
LINES = np.array(
    [
        (1 | 1 << second | 1 << third | 1 << fourth) << first
        for second, third, fourth, firsts in WAYS.tolist()
        for first in range(16)
        if firsts >> first & 1
    ],
    np.uint64,
)
"""The cells of each line: rows, columns, the two diagonals; then the squares."""
PIECES_WITH = np.array([sum(1 << piece for piece in range(16) if piece >> a & 1) for a in range(4)], np.uint64)
"""The pieces that have each attribute."""
BOARDS_OF = np.array([sum(0xFFFF << 16 * a for a in range(4) if piece >> a & 1) for piece in range(16)], np.uint64)
"""For each piece, the boards of the attributes it has, all cells set."""


def squares_win(state: State) -> bool:
    """Whether the square rule holds."""
    return has(state[1], 37)


def line_count(state: State) -> int:
    """The number of `LINES` that count."""
    return 19 if squares_win(state) else 10


def in_hand(state: State) -> int:
    """The number of the piece in hand, where one is."""
    return number((state[1] >> HAND) & u64(15))


def empty_cells(state: State) -> np.uint64:
    """The cells on which no piece stands."""
    return ~state[1] & BOARD


def pieces_left(state: State) -> np.uint64:
    """The pieces not given yet."""
    return ~(state[1] >> GIVEN) & BOARD


def fourths(boards: np.uint64, squares: bool) -> np.uint64:
    """On each of four boards, the cells whose line has all its three other cells set."""
    cells = u64(0)
    for way in range(5 if squares else 4):
        second, third, fourth, firsts = WAYS[way, 0], WAYS[way, 1], WAYS[way, 2], WAYS[way, 3]
        a, b = boards & firsts, (boards >> second) & firsts
        c, d = (boards >> third) & firsts, (boards >> fourth) & firsts
        cells |= (b & c & d) | ((a & c & d) << second) | ((a & b & d) << third) | ((a & b & c) << fourth)
    return cells


def completing_cells(state: State) -> tuple[np.uint64, np.uint64]:
    """The empty cells on which a piece with the attribute, and on which one without it, completes a line, as four boards each."""
    occupied, squares = (state[1] & BOARD) * EACH, squares_win(state)
    return fourths(state[0], squares) & ~occupied, fourths(occupied & ~state[0], squares) & ~occupied


def any_board(boards: np.uint64) -> np.uint64:
    """The cells that are set on at least one of four boards."""
    boards |= boards >> u64(32)
    return (boards | (boards >> u64(16))) & BOARD


def winning_cells(state: State, piece: int) -> np.uint64:
    """The cells on which a piece completes a line."""
    having, lacking = completing_cells(state)
    return any_board((having & BOARDS_OF[piece]) | (lacking & ~BOARDS_OF[piece]))


def cells_of_threes(state: State) -> np.uint64:
    """The empty cells of lines whose three other pieces share an attribute: where a line can be completed, or blocked."""
    having, lacking = completing_cells(state)
    return any_board(having | lacking)


def completing_pieces(state: State) -> np.uint64:
    """The pieces that would complete a line on some empty cell, given already or not."""
    having, lacking = completing_cells(state)
    pieces = u64(0)
    for attribute in range(4):
        if (having >> u64(16 * attribute)) & BOARD != u64(0):
            pieces |= PIECES_WITH[attribute]
        if (lacking >> u64(16 * attribute)) & BOARD != u64(0):
            pieces |= ~PIECES_WITH[attribute]
    return pieces & BOARD


def safe_pieces(state: State) -> np.uint64:
    """The pieces not given yet with which the opponent cannot win at once."""
    return pieces_left(state) & ~completing_pieces(state)


def count_shared(state: State, cells: np.uint64, piece: int) -> int:
    """The number of attributes that a piece has in common with all pieces on some occupied cells; 4 where there are no cells."""
    others = (state[0] ^ BOARDS_OF[piece]) & (cells * EACH)
    total = 0
    for attribute in range(4):
        total += (others >> u64(16 * attribute)) & BOARD == u64(0)
    return total
