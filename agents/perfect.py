"""The perfect player: the oracle's move within its reach, and the deepest search within the limits beyond it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.bounds import Count
from ..core.native.threads import share
from ..games.game import StateArray
from ..games.linking import LinkedKernel
from ..oracles import Oracle, make_oracle
from ..oracles.searched import SearchOracle
from ..search.watch import Seconds
from .minimax import Minimax
from .policy import Policy


@dataclass(frozen=True)
class Perfect(Policy):
    """Keeps the value of every position within the oracle's reach, wins soon and loses late; plays minimax elsewhere.

    Args:
        nodes: positions to visit for each move outside of the oracle's reach, and for the value of a position in a game whose
            oracle searches, as that of most games from outside does.
        seconds: time for a move there; the moves then depend on the speed of the machine.
    """

    name: ClassVar[str] = "perfect"
    symmetric: ClassVar[bool] = True

    nodes: Count = 100_000
    seconds: Seconds | None = None

    @cached_property
    def oracle(self) -> Oracle:
        """The oracle of the game, which chooses wherever it reaches."""
        oracle = make_oracle(self.game)
        return replace(oracle, nodes=self.nodes) if isinstance(oracle, SearchOracle) else oracle

    @cached_property
    def search(self) -> Minimax:
        """The search that chooses outside of the oracle's reach."""
        return Minimax(self.game, nodes=self.nodes, seconds=self.seconds, **self.oracle.beyond)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return self.oracle.kernels + self.search.kernels

    @property
    def page_kernels(self) -> tuple[LinkedKernel, ...]:
        return self.search.kernels  # those of the oracle are its own there (`Oracle.for_page`)

    @property
    def page_data(self) -> Mapping[str, Any]:
        return {"weights": self.search.searcher.evaluation.numbers.tolist()}

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        states, keys = self.batch(states, keys)
        actions = np.full(len(states), -1, np.int64)
        self._ask(states, keys, actions)
        if len(rest := np.flatnonzero(actions < 0)):
            actions[rest] = self.search.act(states[rest], keys[rest])
        return actions

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        choices = self.oracle.choices_of(states)
        counts = choices.sum(axis=1, keepdims=True)
        if not counts.all():
            position = self.game.text(states[int(counts.argmin())])
            raise NotImplementedError(f"{self} does not know its probabilities in {position!r}, which its oracle does not reach")
        return choices / counts

    def _ask(self, states: StateArray, keys: NDArray[np.uint64], actions: NDArray[np.int64]) -> None:
        def work(rows: Iterator[int]) -> None:
            for row in rows:
                if (action := self.oracle.choose(states[row], int(keys[row]))) is not None:
                    actions[row] = action

        share(len(states), work)
