"""The random player: every legal action equally likely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..games.game import StateArray
from ..games.kernels import queries
from ..games.linking import LinkedKernel, linked
from .policy import Policy


@dataclass(frozen=True)
class Random(Policy):
    """Plays every legal action with equal probability."""

    name: ClassVar[str] = "random"
    symmetric: ClassVar[bool] = True

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return linked(queries.random_actions, queries.masks)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        states, keys = self.batch(states, keys)
        actions = np.empty(len(states), np.int64)
        choices = np.empty((len(states), self.game.action_words), np.uint64)
        self.game.kernel(queries.random_actions)(states, choices, keys, actions)
        return actions

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        masks = self.game.masks(states).astype(np.float64)
        return masks / masks.sum(axis=1, keepdims=True)
