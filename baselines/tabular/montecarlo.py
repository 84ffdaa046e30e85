"""Monte-Carlo control: a table of what each action is worth in each position, the mean of how games went on after it.

After each game, each of a learner's moves is worth the reward at its end, discounted for each move of his own until then; the
value of the action moves towards that. First-visit Monte-Carlo learns from the first time an action is taken in a position in
a game, every-visit from each time; they differ where positions can come again, as in Quixo.

With `values=states` the table has a value for each position that a player leaves by its move, however it came there, and the player
moves to the position of the highest value. After each game, for each position V that a learner left, with the reward R at the end,

    V  +=  rate · (discount · R - V)

Source: Sutton, Barto: Reinforcement learning, 2nd edition, 5.3 and 5.4; for positions after a move, 6.8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...envs.kernels.arrays import Numbers, Rewards
from ...envs.native import Function
from .plain import Part
from .positions import Positions
from .tabular import ORIGINAL, Tabular, TabularSettings
from .walk import DISCOUNT, MODE, Played, Values, move_towards

FIRST, EVERY = "first", "every"
ACTIONS, STATES = "actions", "states"


@dataclass(frozen=True)
class MonteCarloSettings(TabularSettings):
    """Settings of Monte-Carlo control.

    Args:
        visit: "first" or "every": which of the times that an action is taken in a position in a game count.
        values: what has a value: actions, each action of each position; or states, each position that an action leads to, and then
            the discount is applied once, whenever a position came.
    """

    visit: str = FIRST
    values: str = ACTIONS

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.visit not in (FIRST, EVERY):
            raise ValueError(f"visit is {self.visit!r}; there are: {FIRST}, {EVERY}")
        if self.values not in (ACTIONS, STATES):
            raise ValueError(f"values is {self.values!r}; there are: {ACTIONS}, {STATES}")
        if self.rows and self.values == STATES:
            raise ValueError(f"with rows, a table holds values of {ACTIONS}, not of {STATES}")


MEANS = ORIGINAL | {"games": 300_000, "rate_decay": 1.0}
"""The player that this one grew from: every value is the mean of all its returns."""


VALUES = ORIGINAL | {
    "games": 50_000,
    "values": STATES,
    "visit": EVERY,
    "exploration": 0.3,
    "exploration_end": 0.3,
    "discount": 0.9,
    "rate": 0.2,
    "rate_decay": 0.0,
}
"""Value learning. Of the player that this one grew from its rule and its figure are known, and these settings are usual ones."""


class MonteCarlo(Tabular[MonteCarloSettings]):
    """Learns a value for each action in each position, the mean of the returns after it."""

    name: ClassVar[str] = "montecarlo"
    settings_class = MonteCarloSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "original": MEANS | {"opponent": "random"},
        "two_learners": MEANS | {"tables": 2},
        "values": VALUES,
    }
    shared: ClassVar[tuple[str, ...] | None] = ("merge", "rows", "tables", "values")

    @property
    def rule(self) -> Function:
        return learn_returns if self.settings.values == ACTIONS else learn_states

    @cached_property
    def entries(self) -> NDArray[np.int64]:
        if self.settings.values == STATES and isinstance(self.positions, Positions):
            return self.positions.afters
        return super().entries

    @property
    def mode(self) -> int:
        return int(self.settings.visit == EVERY)

    def learn_plainly(self, part: Part, tally: NDArray[np.float64]) -> None:
        if part.reward is None:
            return
        discount, of_states = self.settings.discount, self.settings.values == STATES
        returned, fading = (discount * part.reward, 1.0) if of_states else (part.reward, discount)
        taken = [move.entry for move in part.moves]
        for number in range(len(taken) - 1, -1, -1):
            if self.settings.visit == EVERY or taken[number] not in taken[:number]:
                self.move_towards(returned, part, taken[number], tally)
            returned *= fading


def learn_returns(
    learner: int, reward: float, played: Played, table: Values, whole: Numbers, numbers: Rewards, tally: Rewards
) -> None:
    """Moves the values of a learner's actions towards the return after them."""
    learn_fading(learner, reward, numbers[DISCOUNT], played, table, whole, numbers, tally)


def learn_states(
    learner: int, reward: float, played: Played, table: Values, whole: Numbers, numbers: Rewards, tally: Rewards
) -> None:
    """Moves the values of the positions that a learner left towards the discounted reward."""
    learn_fading(learner, numbers[DISCOUNT] * reward, 1.0, played, table, whole, numbers, tally)


def learn_fading(
    learner: int, returned: float, fading: float, played: Played, table: Values, whole: Numbers, numbers: Rewards, tally: Rewards
) -> None:
    """Moves the values of what a learner took towards what was returned at the end, and towards less of it the earlier it was."""
    if returned != returned:
        return
    for ply in range(played.plies):  # marks each entry with the ply at which it was taken first
        if played.trail.movers[ply] == learner and played.trail.stamps[played.trail.taken[ply]] < played.stamp:
            played.trail.stamps[played.trail.taken[ply]] = played.stamp + ply
    for ply in range(played.plies - 1, -1, -1):
        if played.trail.movers[ply] == learner:
            edge = played.trail.taken[ply]
            if whole[MODE] != 0 or played.trail.stamps[edge] == played.stamp + ply:
                move_towards(returned, edge, table, numbers, tally)
            returned *= fading
