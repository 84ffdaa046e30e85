"""Quixo's classic evaluation: how full one's lines are."""

from __future__ import annotations

import numpy as np

from ...envs.games.quixo import LINES, cells_of, player, size_of
from ...envs.kernels.arrays import Numbers
from ...envs.kernels.bits import count
from ...envs.rules import State

LINE_WORTH = np.array([c * 3**c for c in range(6)])


def line_counts(state: State, weights: Numbers) -> int:
    """The sum over all lines of c·3^c, c being the mover's cubes on it, less the same for the opponent's."""
    size = size_of(state)
    own, other = cells_of(state, player(state)), cells_of(state, 1 - player(state))
    total = 0
    for i in range(2 * size + 2):
        line = LINES[size, i]
        total += LINE_WORTH[count(own & line)] - LINE_WORTH[count(other & line)]
    return total
