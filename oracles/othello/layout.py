"""The forms that the search takes: positions on 8×8, a workspace, and its arrays.

Boards of every size lie in the middle of 8×8 (flips.py), as the player to move sees them. A workspace is one array of int64 with
the settings and the lists of moves of a search:

    0  MARGIN      the walls around the board: 0, 1, 2 for size 8, 6, 4
    1  SHIFT       64 less the binary logarithm of the entries of the table
    2  GENERATION  the number of the problem being solved
    3  PAUSE       the number of nodes at which the search stops, as it does at the watch's limit
    4  SHARED      1 if other threads search the same position, else 0
    5  ROOT        the number of empty cells of the position to be solved
    6-             the moves of the position at each number of empty cells, MOVES words each
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.game import StateArray
from ...games.kernels.arrays import Numbers, States, Words
from ...games.kernels.bits import u64
from ...games.kernels.rules import load
from ...games.othello.rules import CELLS, Othello, sides, size_of
from ...search.watch import LIMIT, NODES, UNLIMITED

MARGIN, SHIFT, GENERATION, PAUSE, SHARED, ROOT, LISTS = range(7)
MOVES = 40
WORKSPACE = LISTS + 61 * MOVES
NO_PATTERNS = np.zeros(0, np.int64)
"""The numbers of no evaluation by patterns."""
MARGINS = {8: 0, 6: 1, 4: 2}


class Arrays(NamedTuple):
    """The arrays that a search works with.

    Args:
        table: the transposition table, which threads share.
        busy: the positions that threads are searching, shared by all: a position that another thread is searching is put off
            (Simplified ABDADA, T. Kerrigan).
        workspace: the settings and lists of moves of this thread.
        watch: limits (search/watch.py).
        pattern_weights: the numbers of the evaluation by patterns (search/patterns), which make guesses on 8×8 better; or
            NO_PATTERNS.
    """

    table: States
    busy: Words
    workspace: Numbers
    watch: Numbers
    pattern_weights: Numbers


def positions_on_8x8(game: Othello, states: StateArray) -> NDArray[np.uint64]:
    """Own discs, the opponent's and the empty cells of each state (B, 3), as bits of 8×8."""
    positions = np.empty_like(states)
    game.kernel(write_positions)(game.batch(states), positions)
    return positions


def cell_of(game: Othello, action: int) -> int:
    """The cell of 8×8 where an action places its disc."""
    row, column = divmod(action, game.size)
    return 8 * (row + MARGINS[game.size]) + column + MARGINS[game.size]


def action_at(game: Othello, cell: int) -> int:
    """The action that places a disc on a cell of 8×8; the pass for any number beyond them."""
    row, column = divmod(cell, 8)
    margin = MARGINS[game.size]
    return game.size * (row - margin) + column - margin if cell < 64 else game.size**2


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


def new_workspace(size: int, left: int, table_bits: int, generation: int, shared: bool) -> NDArray[np.int64]:
    """A workspace to solve a position with this many empty cells, on a board of this size."""
    workspace = np.zeros(WORKSPACE, np.int64)
    workspace[:LISTS] = MARGINS[size], 64 - table_bits, generation, UNLIMITED, shared, left
    return workspace


def must_stop(workspace: Numbers, watch: Numbers) -> bool:
    """Whether the search must stop; its result means nothing then."""
    return watch[NODES] > min(watch[LIMIT], workspace[PAUSE])
