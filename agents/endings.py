"""Othello's endings, solved for the best score within limits, for players that search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..games.game import StateArray
from ..games.linking import Linked
from ..games.othello.rules import Othello
from ..native.threads import share
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

    def solve(self, states: StateArray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """An action that keeps the score, and how many nodes were visited (B,) (B,); -1 for positions that are not endings, or not
        solved within the limits."""
        actions, near = np.full(len(states), -1, np.int64), np.flatnonzero(self.reached(states))
        nodes = np.zeros(len(states), np.int64)
        watches: list[Watch] = []

        def work(places: Iterator[int]) -> None:
            for place in places:
                watch = Watch(self.nodes, self.seconds)
                watches.append(watch)
                found = self._oracle().score(states[near[place]], watch)
                actions[near[place]] = -1 if found is None else found[1]
                nodes[near[place]] = watch.nodes

        share(len(near), work, lambda: [watch.stop() for watch in watches])
        return actions, nodes

    def _oracle(self) -> OthelloOracle:
        return OthelloOracle(self.game, self.empties, table_bits=TABLE_BITS)
