"""Othello's endings, solved for the best score within limits, for players that search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...envs.games.game import StateArray
from ...envs.games.linking import Linked
from ...envs.games.othello import Othello
from ...envs.native.threads import share
from ..oracles.othello import OthelloOracle
from ..search.watch import Watch

TABLE_BITS = 16
"""The table for one ending has 2 to this power entries."""


@dataclass(frozen=True)
class Endings:
    """Solves endings, each by itself: what an oracle remembers decides between actions that keep the same score.

    Args:
        game: Othello.
        empties: how many empty cells a position may have.
        nodes: positions to visit at most for each; None for any number.
        seconds: time for each; None for any time.
    """

    game: Othello
    empties: int
    nodes: int | None = None
    seconds: float | None = None

    @property
    def kernels(self) -> tuple[Linked, ...]:
        """The kernels that it needs."""
        return self._oracle().kernels

    def reached(self, states: StateArray) -> NDArray[np.bool_]:
        """Which positions have few enough empty cells (B,)."""
        return self._oracle().reached(states)

    def actions(self, states: StateArray) -> NDArray[np.int64]:
        """An action that keeps the score; -1 for positions that are not endings, or not solved within the limits (B,)."""
        actions, near = np.full(len(states), -1, np.int64), np.flatnonzero(self.reached(states))
        watches: list[Watch] = []

        def work(places: Iterator[int]) -> None:
            for place in places:
                watches.append(Watch(self.nodes, self.seconds))
                found = self._oracle().score(states[near[place]], watches[-1])
                actions[near[place]] = -1 if found is None else found[1]

        share(len(near), work, lambda: [watch.stop() for watch in watches])
        return actions

    def _oracle(self) -> OthelloOracle:
        return OthelloOracle(self.game, self.empties, table_bits=TABLE_BITS)
