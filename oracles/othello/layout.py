"""Positions in the form that the search takes: boards of every size in the middle of 8×8, as the player to move sees them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...games.game import StateArray
from ...games.kernels.arrays import States
from ...games.kernels.bits import u64
from ...games.kernels.rules import load
from ...games.othello.rules import CELLS, Othello, sides, size_of
from .workspace import MARGINS


def positions_on_8x8(game: Othello, states: StateArray) -> NDArray[np.uint64]:
    """Own discs, the opponent's and the empty cells of each state (B, 3), as bits of 8×8."""
    positions = np.empty_like(states)
    game.kernel(write_positions)(game.batch(states), positions)
    return positions


def cell_of(game: Othello, action: int) -> int:
    """The cell of 8×8 where an action places its disc."""
    row, column = divmod(action, game.size)
    return 8 * (row + MARGINS[game.size]) + column + MARGINS[game.size]


def write_positions(states: States, positions: States) -> None:
    """Writes own discs, the opponent's and the empty cells of each state (B, 3), as bits of 8×8."""
    for i in range(states.shape[0]):
        state = load(states[i])
        size = size_of(state)
        own, other = sides(state)
        positions[i, 0], positions[i, 1] = centre_cells(own, size), centre_cells(other, size)
        positions[i, 2] = centre_cells(CELLS[size] & ~(own | other), size)


def centre_cells(cells: np.uint64, size: int) -> np.uint64:
    """A board's bits moved to the middle of 8×8."""
    centred = u64(0)
    margin = (8 - size) // 2
    for row in range(size):
        in_row = cells >> u64(size * row) & CELLS[size] >> u64(size * (size - 1))
        centred |= in_row << u64(8 * (row + margin) + margin)
    return centred
