"""The oracle of any game: the whole game where it is small, and otherwise what a search proves.

A small game is solved as a whole, every reachable position with its value and distance, by retrograde analysis of its graph. Sweeps
go from the highest number to the lowest, as most moves lead to higher numbers, first for values, then for distances, until nothing
changes. A position that stays undecided is drawn: nobody can be forced to end such a game.

Source: Thompson, Retrograde analysis of certain endgames, ICCA Journal 9 (1986), here with a player who may move twice in a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.bounds import Count
from ..core.native import releases_gil
from ..core.numbers import Range
from ..games.game import Game, StateArray
from ..games.kernels.arrays import Flags, Numbers
from ..games.kernels.rules import ONGOING
from ..games.linking import LinkedKernel, linked
from ..search.alphabeta.proof import PROVE, Proofs, prove
from ..search.watch import Watch
from .oracle import OUT_OF_REACH, UNKNOWN, ForPage, Oracle, PositionValues, Solution
from .statespace.graph import GRAPH_KERNELS, LARGEST, TooLargeError, explore
from .statespace.index import INDEX_KERNELS, Slots, StateIndex

MAX_POSITIONS = 200_000
"""Games with more positions are not solved, unless a setting allows more."""
UNKNOWN_DISTANCE = 2**62
"""The distance of a position that no sweep has reached yet."""


@dataclass(frozen=True)
class SearchOracle(Oracle):
    """Any game, also one from outside, by its rules alone.

    A game with few positions is solved as a whole at first use, cycles included: play that never ends is a draw. In a larger game,
    and in positions that cannot be reached from the start, alpha-beta searches until it has proven the value or reaches the limit.
    The best actions are then those proven to keep the value within the same limit; there is always one.

    Args:
        positions: games with at most this many positions are solved as a whole, in about 300 bytes a position.
        nodes: how many positions a search visits without a watch; a million take about a tenth of a second.

    Raises:
        ValueError: a setting is out of its range.
    """

    positions: Annotated[int, Range(1, LARGEST)] = MAX_POSITIONS
    nodes: Count = 1_000_000

    reach: ClassVar[str] = "every position of a game with few positions; of larger games, what a short search proves"

    @property
    def whole(self) -> SolvedGame | None:
        """The whole game, solved; None where it is too large."""
        return solve_game(self.game, self.positions)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return (*super().kernels, PROVE, *linked(*SOLVING_KERNELS))

    def for_page(self) -> ForPage | None:
        """A small game is not solved there as a whole: the search proves its positions one by one, if no play is endless."""
        return None if self.game.max_plies else ForPage("Proofs", {}, {"nodes": self.nodes})

    def reaches(self, state: StateArray) -> bool:
        """Whether the position is known for certain: in a larger game, one that is over; of others only a search can tell."""
        whole = self.whole
        return self.game.outcome(state) is not None or (whole is not None and whole.index.find(state[None])[0] >= 0)

    def _solve(self, state: StateArray, watch: Watch | None = None) -> Solution:
        """The solution; a watch makes the search continue until it knows, or a limit ends it."""
        here = self._proofs(state[None], watch)
        value, distance = int(here.values[0]), int(here.distances[0])
        if value == OUT_OF_REACH:
            return UNKNOWN
        actions = self.game.legal_actions(state)
        if value == -1:  # whatever is played
            return Solution(value, tuple(actions), distance)
        states = self.game.plays(np.repeat(state[None], len(actions), axis=0), actions)
        signs = np.where(self.game.players(states) == self.game.player(state), 1, -1)
        known = self._proofs(states, watch).values
        best = [action for action, kept in zip(actions, signs * known == value, strict=True) if kept or action == here.actions[0]]
        return Solution(value, tuple(best), None if distance < 0 else distance, all_best=OUT_OF_REACH not in known)

    def position_values(self, states: StateArray, *, scores: bool = False) -> PositionValues:
        proofs = self._proofs(self.game.batch(states))
        return PositionValues(proofs.values, proofs.distances, None)

    def counts(self, watch: Watch | None = None) -> tuple[int, int, int] | None:
        """How many of all positions that can come up are won, lost and drawn for the player to move; None of a larger game."""
        if self.whole is None:
            return None
        won, lost, drawn = (int(np.count_nonzero(self.whole.values == value)) for value in (1, -1, 0))
        return won, lost, drawn

    @property
    def table_size(self) -> int:
        return 0 if self.whole is None else len(self.whole.values)

    def _table_states(self, start: int, stop: int) -> StateArray:
        assert self.whole is not None
        return self.whole.index.states[start:stop].copy()

    def _proofs(self, states: StateArray, watch: Watch | None = None) -> Proofs:
        """The value of each position, OUT_OF_REACH where it is not known, its distance, and an action that the proof found."""
        if self.whole is None:
            return prove(self.game, states, self.nodes, watch)
        rows = self.whole.index.find(states)
        proofs = Proofs(self.whole.values[rows], self.whole.distances[rows], np.full(len(states), -1))
        if len(others := np.flatnonzero(rows < 0)):
            for array, rest in zip(proofs, prove(self.game, states[others], self.nodes, watch), strict=True):
                array[others] = rest
        return proofs


# ---- a whole game


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
    """Decides positions of a graph of all legal moves by perfect play on both sides; returns how many were decided.

    `values` are player 0's (N,): 1 won, -1 lost, 0 drawn or undecided; at first only those of finished games.
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
    """Lowers the distances to the end, from above, so that none is ever less than the true one; returns how many were lowered.

    `plies` is the distance of each position (N,), at first 0 of finished games and UNKNOWN_DISTANCE of others.
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
