"""Solved games: every reachable position with its value and distance, by retrograde analysis of the graph.

Sweeps go from the highest number to the lowest, as most moves lead to higher numbers, first for values, then for distances, until
nothing changes. A position that stays undecided is drawn: nobody can be forced to end such a game.

Source: Thompson, Retrograde analysis of certain endgames, ICCA Journal 9 (1986), here with a player who may move twice in a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game
from ...games.kernels.arrays import Flags, Numbers
from ...games.kernels.rules import ONGOING
from ...native import releases_gil
from .graph import GRAPH_KERNELS, TooLargeError, explore
from .index import INDEX_KERNELS, Slots, StateIndex

MAX_POSITIONS = 200_000
"""Games with more positions are not solved, unless a setting allows more."""
UNKNOWN_DISTANCE = 2**62
"""The distance of a position that no sweep has reached yet."""


@dataclass(frozen=True, eq=False)
class SolvedGame:
    """All reachable positions of a game, solved.

    Args:
        index: finds the number of a position.
        values: the value of each for the player to move (N,), int8: 1, 0 or -1.
        distances: plies to the end (N,), int64, when the winner hurries and the loser delays; -1 of drawn positions.
    """

    index: StateIndex
    values: NDArray[np.int8]
    distances: NDArray[np.int64]


@cache
def solve_game(game: Game, most: int = MAX_POSITIONS) -> SolvedGame | None:
    """Solves a game; None where it has more positions than `most`."""
    try:
        graph = explore(game, largest=most)
    except TooLargeError:
        return None
    over = graph.outcomes != ONGOING
    # values are player 0's here, so that a sweep need not ask who moves next
    values, plies = np.where(over, graph.outcomes, np.int8(0)), np.where(over, 0, UNKNOWN_DISTANCE)
    while game.kernel(propagate_values)(graph.starts, graph.targets, graph.movers, values):
        pass
    while game.kernel(propagate_distances)(graph.starts, graph.targets, graph.movers, values, plies):
        pass
    return SolvedGame(StateIndex(game, graph.states), values * (1 - 2 * graph.movers), np.where(values == 0, -1, plies))


@releases_gil
def propagate_values(starts: Numbers, targets: Slots, movers: Flags, values: Flags) -> int:
    """Decides positions by perfect play on both sides.

    Args:
        starts, targets, movers: the graph's, every legal move among its moves.
        values: player 0's (N,): 1 won, -1 lost, 0 drawn or undecided; at first only those of finished games.

    Returns:
        How many positions were decided.
    """
    decided = 0
    for i in range(starts.shape[0] - 2, -1, -1):
        if values[i] == 0 and starts[i] != starts[i + 1]:
            sign = 1 - 2 * movers[i]
            best = -1
            for move in range(starts[i], starts[i + 1]):
                best = max(best, sign * values[targets[move]])
            values[i] = sign * best  # an undecided move counts as 0: a loss is written only once every move is known to lose
            decided += best != 0
    return decided


@releases_gil
def propagate_distances(starts: Numbers, targets: Slots, movers: Flags, values: Flags, plies: Numbers) -> int:
    """Lowers the distances to the end, from above: none is ever less than the true one.

    Args:
        starts, targets, movers, values: as `propagate_values` left them.
        plies: the distance of each position (N,); at first 0 of finished games and UNKNOWN_DISTANCE of others.

    Returns:
        How many distances were lowered.
    """
    lowered = 0
    for i in range(starts.shape[0] - 2, -1, -1):
        if values[i] != 0 and starts[i] != starts[i + 1]:
            wins = values[i] == 1 - 2 * movers[i]
            distance = UNKNOWN_DISTANCE if wins else 0
            for move in range(starts[i], starts[i + 1]):
                target = targets[move]
                if wins and values[target] == values[i]:
                    distance = min(distance, plies[target])
                elif not wins:  # UNKNOWN_DISTANCE is the largest: a loser waits until every move has a distance
                    distance = max(distance, plies[target])
            if distance < UNKNOWN_DISTANCE and distance + 1 < plies[i]:
                plies[i] = distance + 1
                lowered += 1
    return lowered


SOLVING_KERNELS = *GRAPH_KERNELS, *INDEX_KERNELS, propagate_values, propagate_distances
"""The kernels that solve a game and find its positions."""
