"""The nim-sum player: perfect Nim, normal and misère, with a limit or without, by the Grundy values of its oracle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..games.game import StateArray
from ..games.kernels.arrays import Keys, Numbers, States
from ..games.kernels.queries import choose
from ..games.linking import LinkedKernel, linked
from ..oracles.nim import good_actions, nim_choices, period_of
from .policy import Policy


@dataclass(frozen=True)
class NimSum(Policy):
    """A random move that leaves the opponent in a lost position; if no move does, any legal move."""

    name: ClassVar[str] = "nim_sum"
    games: ClassVar[tuple[str, ...] | None] = ("nim",)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return linked(nim_sum_actions, nim_choices)

    @property
    def page_data(self) -> Mapping[str, Any]:
        return {"period": period_of(self.game)}

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        states, keys = self.batch(states, keys)
        actions = np.empty(len(states), np.int64)
        good = np.empty((len(states), self.game.action_words), np.uint64)
        self.game.kernel(nim_sum_actions)(states, period_of(self.game), good, keys, actions)
        return actions

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        good = good_actions(self.game, states).astype(np.float64)
        return good / good.sum(axis=1, keepdims=True)


def nim_sum_actions(states: States, period: int, good: States, keys: Keys, actions: Numbers) -> None:
    """Draws one good action for each state by its key, each equally likely."""
    nim_choices(states, period, good)
    for i in range(states.shape[0]):
        actions[i] = choose(good[i], keys[i])
