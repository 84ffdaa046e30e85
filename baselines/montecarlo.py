"""Monte-Carlo control: a table of what each action is worth in each position, the mean of how games went on after it.

After each game, each of a learner's moves is worth the reward at its end, discounted for each move of his own until then; the
value of the action moves towards that. First-visit Monte-Carlo learns from the first time an action is taken in a position in
a game, every-visit from each time; they differ where positions can come again, as in Quixo.

Source: Sutton, Barto: Reinforcement learning, 2nd edition, 5.3 and 5.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..envs.kernels.arrays import Numbers, Rewards
from ..envs.native import Function
from .plain import Move
from .tabular import ORIGINAL, Tabular, TabularSettings
from .walk import DISCOUNT, MODE, Played, Values, move_towards

FIRST, EVERY = "first", "every"


@dataclass(frozen=True)
class MonteCarloSettings(TabularSettings):
    """Settings of Monte-Carlo control.

    Args:
        visit: "first" or "every": which of the times that an action is taken in a position in a game count.
    """

    visit: str = FIRST

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.visit not in (FIRST, EVERY):
            raise ValueError(f"visit is {self.visit!r}; there are: {FIRST}, {EVERY}")


OWN = ORIGINAL | {"rate_decay": 1.0}
"""The player that this one grew from: every value is the mean of all its returns."""


class MonteCarlo(Tabular[MonteCarloSettings]):
    """Learns a value for each action in each position, the mean of the returns after it."""

    name: ClassVar[str] = "montecarlo"
    settings_class = MonteCarloSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "original": OWN | {"opponent": "random"},
        "two_learners": OWN,
    }

    @property
    def rule(self) -> Function:
        return learn_returns

    @property
    def mode(self) -> int:
        return int(self.settings.visit == EVERY)

    def learn_plainly(self, moves: Sequence[Move], reward: float | None, tally: NDArray[np.float64]) -> None:
        if reward is None:
            return
        returned = reward
        for number in range(len(moves) - 1, -1, -1):
            if self.settings.visit == EVERY or moves[number] not in moves[:number]:
                self.move_towards(returned, moves[number].action, tally)
            returned *= self.settings.discount


def learn_returns(
    learner: int, reward: float, played: Played, table: Values, whole: Numbers, numbers: Rewards, tally: Rewards
) -> None:
    """Moves the values of a learner's actions towards the return after them."""
    if reward != reward:
        return
    for ply in range(played.plies):  # marks each edge with the ply at which it was taken first
        if played.movers[ply] == learner and played.stamps[played.taken[ply]] < played.stamp:
            played.stamps[played.taken[ply]] = played.stamp + ply
    returned = reward
    for ply in range(played.plies - 1, -1, -1):
        if played.movers[ply] == learner:
            edge = played.taken[ply]
            if whole[MODE] != 0 or played.stamps[edge] == played.stamp + ply:
                move_towards(returned, edge, table, numbers, tally)
            returned *= numbers[DISCOUNT]
