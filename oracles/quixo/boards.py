"""Boards of Quixo as numbers, and their moves as sums.

Every board, whatever its counts, has a number: its cells, numbered row by row, are the digits of a number to base 3, as the
player to move sees them.

    digit of a cell     0 the opponent's, 1 blank, 2 one's own
    number of a board   the sum of digit(cell) · 3^cell, from 0 to 3^(size·size) - 1

The opponent sees the digits 2 - d of the same board. A move changes one row or column, so that the number after it, as the opponent
sees it, is a constant less the number before: one constant for each move and contents of its line. Moves of a line that
lead to the same board, such as taking either of two equal neighbours, are listed once.

A board is split into two parts, 3^8 · high + low, so that tables of 6561 rows suffice; the entries of the two parts are added.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.native import in_ranges
from ...core.native.threads import pool
from ...games.game import StateArray
from ...games.kernels.arrays import Permutations, States
from ...games.kernels.bits import ONE, number, u64
from ...games.kernels.rules import State, load
from ...games.quixo.rules import HIGH, SIZE, Quixo, cells_of, player, size_of, slides

Boards: TypeAlias = Annotated[NDArray[np.int32], 1]
"""Boards by number (N,), or parts of such numbers."""
Images: TypeAlias = Annotated[NDArray[np.int32], 3]
"""What each part of a board with each content adds to the number of each image of it (2, 6561, 8)."""
PartWords: TypeAlias = Annotated[NDArray[np.uint64], 2]
"""A word for each part of a board with each content (2, 6561)."""

LOW_CELLS, PART = 8, 3**8
# The sum of 3^i over the bits set in a byte, the powers of 3, and the number of the blank board of each size.
THIRDS = np.array([sum(3**i for i in range(8) if byte >> i & 1) for byte in range(256)], np.int64)
POWERS = np.array([3**i for i in range(16)], np.int64)
BLANK_BOARD = np.array([(3 ** (size * size) - 1) // 2 for size in range(5)], np.int64)
BLANK, OWN = 0, 1
"""What a move takes."""


class BoardTables(NamedTuple):
    """The tables that the kernels use for the boards of one size.

    There are L = 2 · size lines, rows before columns, of P = 3^size contents each.

    Args:
        size: cells along a side.
        marks: the cells of both players in each part with each content, as the rules' state has them (2, 6561).
        lines: what each part with each content adds to a word whose byte k says what line k holds (2, 6561).
        images: what it adds to the number of each symmetric image of the board (2, 6561, 8).
        starts: where the replies by what is taken, line and content begin: at (taken · L + line) · P + content; the next begin
            where they end (2 · L · P + 1,).
        replies: the board after a move is reply - board by its number, as the opponent sees it.
    """

    size: int
    marks: PartWords
    lines: PartWords
    images: Images
    starts: Boards
    replies: Boards

    @property
    def boards(self) -> int:
        """How many boards there are."""
        return 3 ** (self.size**2)


@cache
def tables_of(size: int) -> BoardTables:
    """The tables for boards of size 3 or 4, made from the rules."""
    marks, lines = np.zeros((2, 2, PART), np.uint64)
    images = np.zeros((2, PART, 8), np.int32)
    game = Quixo(size=size)
    game.kernel(fill_parts)(size, game.symmetries.cells, marks, lines, images)
    return BoardTables(size, marks, lines, images, *_moves(size))


def fill_parts(size: int, cells: Permutations, marks: PartWords, lines: PartWords, images: Images) -> None:
    """Writes what each part with each content adds, where zeros were.

    Args:
        size: cells along a side.
        cells: where each symmetry takes each cell (8, size·size).
        marks, lines, images: see `BoardTables`.
    """
    for cell in range(size * size):
        part, row, column = cell // LOW_CELLS, cell // size, cell % size
        worth = POWERS[cell % LOW_CELLS]
        for content in range(PART):
            digit = content // worth % 3
            if digit != 1:
                marks[part, content] |= ONE << (u64(cell) if digit == 2 else u64(cell) + HIGH)
            along, across = u64(digit * POWERS[column]), u64(digit * POWERS[row])
            lines[part, content] += along << u64(8 * row) | across << u64(8 * (size + column))
            for k in range(8):
                images[part, content, k] += digit * POWERS[cells[k, cell]]


def _moves(size: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """`starts` and `replies`: each move is played in its line with every content, on a board that is blank elsewhere."""
    game, contents = Quixo(size=size), np.arange(3**size)[:, None] // 3 ** np.arange(size) % 3  # a line's contents, by digits
    reply_sets: list[set[int]] = [set() for _ in range(2 * 2 * size * len(contents))]
    for action, (taken, entered) in enumerate(slides(size)):
        row, column = divmod(taken, size)
        in_row = row == entered // size
        cells = [row * size + i if in_row else i * size + column for i in range(size)]
        states = np.bitwise_or.reduce([_bits(contents[:, i], cell) for i, cell in enumerate(cells)])[:, None]
        states |= u64(size) << SIZE
        replies = numbers_of(game, states) + numbers_of(game, game.plays(states, np.full(len(states), action)))
        for content in np.flatnonzero(game.masks(states)[:, action]).tolist():
            kind = OWN if contents[content, cells.index(taken)] == 2 else BLANK
            line = row if in_row else size + column
            reply_sets[(kind * 2 * size + line) * len(contents) + content].add(int(replies[content]))
    starts = np.cumsum([0, *map(len, reply_sets)], dtype=np.int32)
    return starts, np.array([reply for replies in reply_sets for reply in sorted(replies)], np.int32)


def _bits(digits: NDArray[np.int64], cell: int) -> NDArray[np.uint64]:
    """A cell with each of these digits, as bits of the rules' state for player 0."""
    own, other = u64(1 << cell), u64(1 << cell) << HIGH
    return np.where(digits == 2, own, np.where(digits == 0, other, u64(0)))


def numbers_of(game: Quixo, states: StateArray) -> NDArray[np.int32]:
    """The number of the board in each state (B,), as its player to move sees it."""
    result = np.empty(len(states), np.int32)
    game.kernel(numbers)(pool(len(states)), 0, len(states), game.batch(states), result)
    return result


def states_of(game: Quixo, boards: NDArray[np.int64]) -> StateArray:
    """The boards of these numbers (B,) as states in which player 0 is to move (B, 1)."""
    marks = tables_of(game.size).marks
    return (marks[0, boards % PART] | marks[1, boards // PART] | u64(game.size) << SIZE)[:, None]


@in_ranges
def numbers(lo: int, hi: int, states: States, result: Boards) -> None:
    """The number of the board in each state."""
    for i in range(lo, hi):
        state = load(states[i])
        mover = player(state)
        result[i] = BLANK_BOARD[size_of(state)] + thirds(cells_of(state, mover)) - thirds(cells_of(state, 1 - mover))


def thirds(cells: np.uint64) -> int:
    """The sum of 3^cell over a set of cells, of at most 16."""
    return THIRDS[number(cells & u64(255))] + PART * THIRDS[number((cells >> u64(8)) & u64(255))]


def state_of(board: int, tables: BoardTables) -> State:
    """A board by its number as a state in which player 0 is to move."""
    return (tables.marks[0, board % PART] | tables.marks[1, board // PART] | (u64(tables.size) << SIZE),)
