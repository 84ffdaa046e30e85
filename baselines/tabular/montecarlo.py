"""Monte-Carlo control: a table of the value of each action in each position, the mean of the returns after it.

After each game, the return of each move of a learner is the reward at the end, discounted for each of its own moves until then; the
value of the action moves towards it. First-visit Monte Carlo learns from the first time that an action is taken in a position in
a game, every-visit from each time; they differ where positions repeat, as in Quixo.

With `values=states` the table has a value for each position after a move, whichever move led there, and a player moves to the
position with the highest value. After each game with reward R, for the value V of each position after a move of the learner,

    V  +=  rate · (discount · R - V)

Source: Sutton, Barto: Reinforcement learning, 2nd edition, 5.3 and 5.4; for positions after a move, 6.8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.bounds import OneOf
from ...games.kernels.arrays import Rewards
from .positions import PositionClasses
from .tabular import ORIGINAL, Rule, Tabular, TabularSettings
from .walk import OWN, PlayedGame, Values, WalkSettings, move_towards

FIRST, EVERY = "first", "every"
ACTIONS, STATES = "actions", "states"


@dataclass(frozen=True)
class MonteCarloSettings(TabularSettings):
    """Settings of Monte-Carlo control.

    Args:
        visit: "first" or "every": which of the times that an action is taken in a position in a game count.
        values: what has a value: actions, each action of each position; or states, each position after an action; then the discount
            is applied once, however early the position was.
    """

    visit: Annotated[str, OneOf(FIRST, EVERY)] = FIRST
    values: Annotated[str, OneOf(ACTIONS, STATES)] = ACTIONS

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rows and self.values == STATES:
            raise ValueError(f"with rows, a table holds values of {ACTIONS}, not of {STATES}")


MEANS = ORIGINAL | {"games": 300_000, "rate_decay": 1.0}
"""The original player: every value is the mean of all its returns."""
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
"""Value learning. The rule and the result of the original player are known; these settings are common ones."""


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
    def rule(self) -> Rule:
        s = self.settings
        factors = (1.0, s.discount) if s.values == ACTIONS else (s.discount, 1.0)
        return Rule(learn_returns, int(s.visit == EVERY), factors)

    @cached_property
    def entries(self) -> NDArray[np.int64]:
        if self.settings.values == STATES and isinstance(self.positions, PositionClasses):
            return self.positions.afters
        return super().entries


def learn_returns(learner: int, reward: float, played: PlayedGame, table: Values, rules: WalkSettings, tally: Rewards) -> None:
    """Moves the values of the entries that a learner took towards the return: the reward times the first factor at OWN, and times
    the second for each later move."""
    if reward != reward:  # nan: the game was stopped before its end
        return
    stamps, returned = played.trail.stamps, reward * rules.numbers[OWN]
    for ply in range(played.plies):  # stamps each entry with the ply at which it was first taken
        if played.trail.movers[ply] == learner and stamps[played.trail.edges[ply]] < played.stamp:
            stamps[played.trail.edges[ply]] = played.stamp + ply
    for ply in range(played.plies - 1, -1, -1):
        if played.trail.movers[ply] == learner:
            edge = played.trail.edges[ply]
            if rules.mode != 0 or stamps[edge] == played.stamp + ply:
                move_towards(returned, edge, table, rules.numbers, tally)
            returned *= rules.numbers[OWN + 1]
