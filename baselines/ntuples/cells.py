"""The owner of each cell: declared here for the kernels, and read by one small function per game.

Games without one are read by their observations, which is several times slower (looks.py). For another game, write such a function
and add it: `CELLS["my_game"] = my_cells`.
"""

from __future__ import annotations

import numpy as np

from ...games.kernels.bits import u64
from ...games.kernels.rules import State
from ...games.othello import rules as othello
from ...games.quixo import rules as quixo
from ...games.tictactoe import rules as tictactoe
from ...native import Function


def cells(state: State) -> tuple[np.uint64, np.uint64]:
    """The cells of the player to move, and the opponent's, as bits: bit c stands for the observations' cell c, row by row."""
    raise NotImplementedError


def cells_of_quixo(state: State) -> tuple[np.uint64, np.uint64]:
    mover = quixo_player(state)
    return quixo_cells(state, mover), quixo_cells(state, 1 - mover)


def cells_of_tictactoe(state: State) -> tuple[np.uint64, np.uint64]:
    x, o = state[0] & TICTACTOE, (state[0] >> u64(9)) & TICTACTOE
    return (x, o) if tictactoe_player(state) == 0 else (o, x)


quixo_player, quixo_cells = quixo.player, quixo.cells_of
tictactoe_player, TICTACTOE = tictactoe.player, tictactoe.BOARD

CELLS: dict[str, Function] = {"quixo": cells_of_quixo, "othello": othello.sides, "tictactoe": cells_of_tictactoe}
