"""Othello's classic evaluation: corners and discs, and mobility where it is given a weight."""

from __future__ import annotations

import numpy as np

from ...envs.games.othello import placements, sides, size_of
from ...envs.kernels.arrays import Numbers
from ...envs.kernels.bits import ONE, count, u64
from ...envs.rules import State

UNIT = 1_000_000
"""What the evaluation calls 1."""


def corners_and_discs(state: State, weights: Numbers) -> int:
    """The weighted sum of what the mover has more of than the opponent: corners, discs, and moves.

    Each is the difference over the sum, 0 where neither has any; weights in millionths.
    """
    own, other = sides(state)
    size = size_of(state)
    corners = corner_cells(size)
    total = share(count(own & corners), count(other & corners), weights[0]) + share(count(own), count(other), weights[1])
    if weights[2] != 0:
        moves, answers = placements(own, other, size), placements(other, own, size)
        total += share(count(moves), count(answers), weights[2])
    return total


def share(own: int, other: int, weight: int) -> int:
    """The difference over the sum, times a weight, towards 0."""
    if own == other:
        return 0
    return (own - other) * weight // (own + other) if own > other else -((other - own) * weight // (own + other))


def corner_cells(size: int) -> np.uint64:
    """The four corners of the board."""
    row = ONE | (ONE << u64(size - 1))
    return row | (row << u64(size * (size - 1)))


def corners_first(state: State, action: int) -> int:
    """Corners look best."""
    size = size_of(state)
    return UNIT if action < size * size and (corner_cells(size) >> u64(action)) & ONE != u64(0) else 0
