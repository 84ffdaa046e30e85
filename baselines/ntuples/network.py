"""Learnt values as the network of a guided search: an action's prior grows with the value of the position after it.

The values are learnt without a search, and a search plays with them.

Source: Scheiermann, Konen: AlphaZero-inspired game learning: faster training by using MCTS only at test time, IEEE Transactions on
Games 15 (2023).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...agents.external.wrapped import softmax
from ...games.game import Game, StateArray
from ...games.linking import Linked
from .kernels import NOT_LEGAL
from .policy import NTuplePolicy

SHARPNESS = 10.0
"""By how much the logarithm of a prior grows with the value of its action."""


@dataclass(frozen=True, eq=False)
class NTupleNetwork:
    """A network from states to priors and values, as `AlphaZeroPolicy` takes it.

    Args:
        policy: the policy whose values it gives.
    """

    policy: NTuplePolicy

    @property
    def game(self) -> Game:
        """The game and variant."""
        return self.policy.game

    @property
    def kernels(self) -> tuple[Linked, ...]:
        """The kernels that it calls."""
        return self.policy.kernels

    def __call__(self, states: StateArray) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The priors of actions (n, A), 0 where they are illegal, and the values of the best ones (n,)."""
        values = self.policy.values(states)
        return softmax(np.where(values == NOT_LEGAL, -np.inf, SHARPNESS * values)), values.max(axis=1)
