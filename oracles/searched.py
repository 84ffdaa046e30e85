"""The oracle of any game: the whole game where it is small, and otherwise what a search proves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from ..core.bounds import Count
from ..core.numbers import Range
from ..games.game import StateArray
from ..games.linking import LinkedKernel, linked
from ..search.alphabeta.proof import PROVE, Proofs, prove
from ..search.watch import Watch
from .oracle import OUT_OF_REACH, UNKNOWN, Oracle, PositionValues, Solution
from .statespace.graph import LARGEST
from .statespace.solved import MAX_POSITIONS, SOLVING_KERNELS, SolvedGame, solve_game


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
        states = self.game.plays(np.repeat(state[None], len(actions), axis=0), actions)
        signs = np.where(self.game.players(states) == self.game.player(state), 1, -1)
        keeps = signs * self._proofs(states, watch).values == value
        best = [action for action, kept in zip(actions, keeps, strict=True) if kept or action == here.actions[0]]
        return Solution(value, tuple(best), None if distance < 0 else distance)

    def position_values(self, states: StateArray, *, scores: bool = False) -> PositionValues:
        proofs = self._proofs(states)
        return PositionValues(proofs.values, proofs.distances, None)

    def counts(self, watch: Watch | None = None) -> tuple[int, int, int] | None:
        """How many of all positions that can come up are won, lost and drawn for the player to move; None of a larger game."""
        if self.whole is None:
            return None
        won, lost, drawn = (int(np.count_nonzero(self.whole.values == value)) for value in (1, -1, 0))
        return won, lost, drawn

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
