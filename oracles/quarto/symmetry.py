"""The canonical form of a position: the same for all positions that are equal up to symmetry.

A symmetry moves the cells (32 ways, 8 if squares win) and renames the pieces: it exchanges attributes (4! ways), and negates
any of them (2⁴ ways); 12288 symmetries, or 3072. The canonical form is the image with the least word of occupied
cells, and among these the least four boards, one for each attribute. The best renaming is found directly: with a piece in
hand, each attribute is negated if the piece has it, otherwise if that makes its board smaller; then the boards are
sorted. So only the movements of the cells are tried, and of those only the ones that make the occupied cells least.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game, StateArray
from ...games.kernels.arrays import States
from ...games.kernels.bits import ONE, bit, has, number, u64
from ...games.kernels.rules import ONGOING, State, load, outcome, play, store
from ...games.quarto.rules import BOARD, GIVEN, HAND, IN_HAND, SQUARES, piece_on

Movements: TypeAlias = Annotated[NDArray[np.uint16], 3]
"""Where cells go: by movement, by half of the board (cells 0-7, 8-15), for each set of cells in that half (M, 2, 256)."""

BYTE = u64(0xFF)
RENAMINGS = 384
NOTHING = -1
"""Stands for no piece in hand."""


def canonical(game: Game, states: StateArray) -> StateArray:
    """The canonical form of each position (B, 2); a piece in hand becomes piece 0."""
    result = np.empty_like(states)
    game.kernel(canonicals)(game.batch(states), movements_of(game), result)
    return result


def cell_movements(game: Game) -> NDArray[np.integer]:
    """Where each cell goes, by movement (M, 16)."""
    return game.symmetries.cells[::RENAMINGS]


@cache
def movements_of(game: Game) -> NDArray[np.uint16]:
    """The ways to move the cells of a game, as kernels take them (read-only)."""
    cells = cell_movements(game)
    movements = np.zeros((len(cells), 2, 256), np.uint16)
    for half in range(2):
        for cell in range(8):
            with_cell = (np.arange(256) >> cell & 1).astype(bool)
            movements[:, half, with_cell] |= (1 << cells[:, 8 * half + cell]).astype(np.uint16)[:, None]
    movements.flags.writeable = False
    return movements


def canonicals(states: States, movements: Movements, result: States) -> None:
    """Writes the canonical form of each position."""
    for i in range(states.shape[0]):
        store(result[i], canonical_state(load(states[i]), movements))


def canonical_state(state: State, movements: Movements) -> State:
    """The canonical form of a state."""
    piece = number((state[1] >> HAND) & u64(15)) if has(state[1], 36) else NOTHING
    board, cells = least_form(state[0], state[1] & BOARD, piece, movements)
    rest = cells | (state[1] & ((ONE << IN_HAND) | (ONE << SQUARES)))
    if piece != NOTHING:
        rest |= ONE << GIVEN
    for cell in range(16):
        if has(cells, cell):
            rest |= bit(16 + piece_on((board, cells), cell))
    return board, rest


def least_form(board: np.uint64, occupied: np.uint64, piece: int, movements: Movements) -> tuple[np.uint64, np.uint64]:
    """The four boards and the occupied cells of the canonical form.

    Args:
        board: the four boards, as in the rules' word 0.
        occupied: the occupied cells.
        piece: the piece in hand, or NOTHING.
        movements: the ways to move the cells.
    """
    least_cells, least_board = BOARD, ~u64(0)
    for movement in range(movements.shape[0]):
        least_cells = min(least_cells, move_cells(occupied, movement, movements))
    for movement in range(movements.shape[0]):
        if move_cells(occupied, movement, movements) == least_cells:
            a = least_of_attribute(board, occupied, piece, 0, movement, movements)
            b = least_of_attribute(board, occupied, piece, 1, movement, movements)
            c = least_of_attribute(board, occupied, piece, 2, movement, movements)
            d = least_of_attribute(board, occupied, piece, 3, movement, movements)
            least_board = min(least_board, side_by_side(a, b, c, d))
    return least_board, least_cells


def least_of_attribute(
    board: np.uint64, occupied: np.uint64, piece: int, attribute: int, movement: int, movements: Movements
) -> np.uint64:
    """The board of an attribute after a movement, negated if that makes the canonical form."""
    cells = (board >> u64(16 * attribute)) & BOARD
    if piece == NOTHING:
        return min(move_cells(cells, movement, movements), move_cells(cells ^ occupied, movement, movements))
    return move_cells(cells ^ occupied if (piece >> attribute) & 1 else cells, movement, movements)


def move_cells(cells: np.uint64, movement: int, movements: Movements) -> np.uint64:
    """Where a set of cells goes."""
    return u64(movements[movement, 0, number(cells & BYTE)]) | u64(movements[movement, 1, number(cells >> u64(8))])


def side_by_side(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64) -> np.uint64:
    """Four boards in one word, the least in the highest bits."""
    a, b, c, d = min(a, b), max(a, b), min(c, d), max(c, d)
    a, b, c, d = min(a, c), min(b, d), max(a, c), max(b, d)
    return a << u64(48) | min(b, c) << u64(32) | max(b, c) << u64(16) | d


def successors(states: States, movements: Movements, result: States) -> int:
    """Writes the positions after a placement and a give, for positions with a piece in hand, in canonical form.

    Games that the placement ends are left out, and so are those where no piece is left to give.

    Args:
        states: the positions (N, 2).
        movements: the ways to move the cells.
        result: takes the positions after them, with repetitions; (240·N, 2) has room for all.

    Returns:
        How many there are.
    """
    num_written = 0
    for i in range(states.shape[0]):
        state = load(states[i])
        for cell in range(16):
            placed = play(state, cell)
            if has(state[1], cell) or outcome(placed) != ONGOING:
                continue
            for piece in range(16):
                if not has(placed[1], 16 + piece):
                    store(result[num_written], canonical_state(play(placed, 16 + piece), movements))
                    num_written += 1
    return num_written
