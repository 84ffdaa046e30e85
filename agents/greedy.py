"""The greedy player: it looks one ply ahead, and wins at once if it can."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..games.game import StateArray
from ..games.linking import LinkedKernel
from .expectimax import Expectimax
from .policy import Policy


@dataclass(frozen=True)
class Greedy(Policy):
    """Plays the action with the best classic evaluation after it, a win first; equally good actions are equally likely."""

    name: ClassVar[str] = "greedy"
    symmetric: ClassVar[bool] = True

    @cached_property
    def _look(self) -> Expectimax:
        return Expectimax(self.game, depth=1)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return self._look.kernels

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self._look.act(states, keys)

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        return self._look.probabilities(states)
