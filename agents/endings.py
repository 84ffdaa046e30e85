"""Othello's endings, solved for the best score within limits, for players that search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..games.game import StateArray
from ..games.linking import LinkedKernel
from ..games.othello.rules import Othello
from ..native.threads import share
from ..oracles.othello import OthelloOracle
from ..search.watch import Watch

TABLE_BITS = 16
"""The table for one ending has 2 to this power entries."""


@dataclass(frozen=True)
class Endings:
    """Solves endings, each with a new table: which of several best actions an oracle finds depends on what its table holds.

    Args:
        game: Othello.
        empties: how many empty cells a position may have.
        nodes: positions to visit at most for each; None for any number.
        seconds: time for each; None for any time.

    Raises:
        ValueError: the game is another one.
    """

    game: Othello
    empties: int
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.game, Othello):
            raise ValueError(f"endings are solved in othello, not in {self.game.spec}; leave it out")

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        """The kernels that solving needs."""
        return self._oracle().kernels

    def reaches(self, states: StateArray) -> NDArray[np.bool_]:
        """Which positions have few enough empty cells (B,)."""
        return self._oracle().reached(states)

    def solve(self, states: StateArray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Solves the positions that are endings.

        Returns:
            An action that keeps the score (B,), -1 where the position is no ending or was not solved within the limits; and how
            many nodes were visited for each (B,).
        """
        actions, near = np.full(len(states), -1, np.int64), np.flatnonzero(self.reaches(states))
        nodes = np.zeros(len(states), np.int64)
        watches: list[Watch] = []

        def work(rows: Iterator[int]) -> None:
            for row in rows:
                watch = Watch(self.nodes, self.seconds)
                watches.append(watch)
                solution = self._oracle().score(states[near[row]], watch)
                actions[near[row]] = -1 if solution is None else solution[1]
                nodes[near[row]] = watch.nodes

        share(len(near), work, lambda: [watch.stop() for watch in watches])
        return actions, nodes

    def _oracle(self) -> OthelloOracle:
        return OthelloOracle(self.game, self.empties, table_bits=TABLE_BITS)
