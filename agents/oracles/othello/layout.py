"""Positions as the search has them: boards of every size in the middle of 8×8, from the side of the player to move."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....envs.game import StateArray
from ....envs.games.othello import Othello
from .desk import MARGINS


def laid_out(game: Othello, states: StateArray) -> NDArray[np.uint64]:
    """Own discs, the opponent's and the empty cells of each state (B, 3), as bits of 8×8."""
    black, white = _spread(states[:, 0], game.size), _spread(states[:, 1], game.size)
    white_moves = (states[:, 2] & np.uint64(1)).astype(bool)
    own, other = np.where(white_moves, white, black), np.where(white_moves, black, white)
    cells = _spread(np.array([(1 << game.size**2) - 1], np.uint64), game.size)
    return np.stack([own, other, cells & ~(own | other)], 1)


def cell_of(game: Othello, action: int) -> int:
    """The cell of 8×8 where an action places its disc."""
    row, column = divmod(action, game.size)
    return 8 * (row + MARGINS[game.size]) + column + MARGINS[game.size]


def _spread(words: NDArray[np.uint64], size: int) -> NDArray[np.uint64]:
    """Boards of a size, as bits of that size, in the middle of 8×8."""
    found = np.zeros_like(words)
    for row in range(size):
        cells = words >> np.uint64(size * row) & np.uint64((1 << size) - 1)
        found |= cells << np.uint64(8 * (row + MARGINS[size]) + MARGINS[size])
    return found
