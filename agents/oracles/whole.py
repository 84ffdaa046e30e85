"""Whole games: every position that can come up, with its value and distance, by retrograde analysis.

The graph of the game is swept from the ends backwards, first for values, then for distances, until nothing changes. Sweeps go from
the highest number to the lowest, so one does nearly all where the game has no cycles. What is never decided is drawn: nobody can be
made to end such a game.

Source: Thompson, Retrograde analysis of certain endgames, ICCA Journal 9 (1986), here with a player who may move twice in a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...envs.games.game import Game
from ...envs.kernels.arrays import Flags, Numbers
from ...envs.kernels.rules import ONGOING
from ...envs.native import releases_gil
from ..statespace.graph import GRAPH_KERNELS, TooLargeError, explore
from ..statespace.index import INDEX_KERNELS, Slots, StateIndex

MOST = 200_000
"""Games with no more positions are solved as a whole, unless a setting says otherwise."""
FAR = 2**62
"""The distance of a position that no sweep has settled yet."""


@dataclass(frozen=True, eq=False)
class Whole:
    """All positions of a game.

    Args:
        index: finds the number of a position.
        values: the value of each for the player to move (N,), int8: 1, 0 or -1.
        distances: plies to the end (N,), int64, when the winner hurries and the loser delays; -1 of drawn positions.
    """

    index: StateIndex
    values: NDArray[np.int8]
    distances: NDArray[np.int64]


@cache
def whole_of(game: Game, most: int = MOST) -> Whole | None:
    """A game as a whole; None where it has more positions than `most`."""
    try:
        graph = explore(game, largest=most)
    except TooLargeError:
        return None
    over = graph.outcomes != ONGOING
    values, plies = np.where(over, graph.outcomes, np.int8(0)), np.where(over, 0, FAR)
    while game.kernel(settle)(graph.starts, graph.targets, graph.movers, values):
        pass
    while game.kernel(measure)(graph.starts, graph.targets, graph.movers, values, plies):
        pass
    return Whole(StateIndex(game, graph.states), values * (1 - 2 * graph.movers), np.where(values == 0, -1, plies))


@releases_gil
def settle(starts: Numbers, targets: Slots, movers: Flags, values: Flags) -> int:
    """Decides positions by perfect play on both sides.

    Args:
        starts, targets, movers: the graph's, every legal move among its moves.
        values: player 0's (N,): 1 won, -1 lost, 0 drawn or not decided; at first only what finished games brought.

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
            values[i] = sign * best
            decided += best != 0
    return decided


@releases_gil
def measure(starts: Numbers, targets: Slots, movers: Flags, values: Flags, plies: Numbers) -> int:
    """Measures how far the end is, from above: no distance is ever less than the true one, which a last sweep finds unchanged.

    Args:
        starts, targets, movers, values: as `settle` left them.
        plies: the distance of each position (N,); at first 0 of finished games and FAR of others.

    Returns:
        How many distances fell.
    """
    fallen = 0
    for i in range(starts.shape[0] - 2, -1, -1):
        if values[i] != 0 and starts[i] != starts[i + 1]:
            wins = values[i] == 1 - 2 * movers[i]
            found = FAR if wins else 0
            for move in range(starts[i], starts[i + 1]):
                target = targets[move]
                if wins and values[target] == values[i]:
                    found = min(found, plies[target])
                elif not wins:
                    found = max(found, plies[target])
            if found < FAR and found + 1 < plies[i]:
                plies[i] = found + 1
                fallen += 1
    return fallen


WHOLE_KERNELS = *GRAPH_KERNELS, *INDEX_KERNELS, settle, measure
"""The kernels that solve a game as a whole, and find a position of it."""
