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

from ..envs.kernels.arrays import Flags, Numbers, Rewards
from ..envs.native import Function
from .plain import Move
from .tabular import Tabular, TabularSettings
from .walk import DISCOUNT, MODE, move_towards

FIRST, EVERY = "first", "every"


@dataclass(frozen=True)
class MonteCarloSettings(TabularSettings):
    """Settings of Monte-Carlo control.

    Args:
        visit: "first" or "every": which of the times that an action is taken in a position in a game count.
    """

    games: int = 4_000_000
    opponent: str = "self"
    merge: str = "symmetry"
    exploration: float = 0.2
    exploration_end: float = 0.2
    exploring_starts: float = 0.5
    discount: float = 0.9
    initial: float = 0.0
    rate: float = 1.0
    rate_decay: float = 0.8
    rate_least: float = 0.0
    visit: str = FIRST

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.visit not in (FIRST, EVERY):
            raise ValueError(f"visit is {self.visit!r}; there are: {FIRST}, {EVERY}")


ORIGINAL = {
    "games": 300_000,
    "merge": "nothing",
    "exploration": 0.1,
    "exploration_end": 0.1,
    "exploring_starts": 0.0,
    "discount": 0.7,
    "rate_decay": 1.0,
}
"""The tic-tac-toe player that this one grew from: every value is the mean of all its returns."""


class MonteCarlo(Tabular[MonteCarloSettings]):
    """Learns a value for each action in each position, the mean of the returns after it."""

    name: ClassVar[str] = "montecarlo"
    settings_class = MonteCarloSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "original": ORIGINAL | {"opponent": "random"},
        "two_learners": ORIGINAL,
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
    plies: int, whole: Numbers, numbers: Rewards, rewards: Rewards, learner: int, values: Rewards, visits: Numbers,
    begins: Numbers, places: Numbers, taken: Numbers, movers: Flags, stamps: Numbers, stamp: int, tally: Rewards,
) -> None:  # fmt: skip
    """Moves the values of a learner's actions towards the return after them."""
    if rewards[learner] != rewards[learner]:
        return
    first = stamp * places.shape[0]  # what is stamped from here on is stamped in this game, with the ply
    for ply in range(plies):
        if movers[ply] == learner and stamps[taken[ply]] < first:
            stamps[taken[ply]] = first + ply
    returned = rewards[learner]
    for ply in range(plies - 1, -1, -1):
        if movers[ply] == learner:
            if whole[MODE] != 0 or stamps[taken[ply]] == first + ply:
                move_towards(returned, taken[ply], numbers, values, visits, tally)
            returned *= numbers[DISCOUNT]
