"""Q-learning: a table of what each action is worth in each position, learnt from games.

The value Q(s, a) of an action is the reward that it brings, and the discounted value of the best action in the position in which
the same player moves next; the opponent's answer between the two belongs to the world. After each game, for each of a learner's
moves, the last one first,

    Q(s, a)  +=  rate · (reward + discount · max Q(s', ·) - Q(s, a))

In self-play the opponent is the same table, and errs now and then, since it explores. That is what tells apart actions that
perfect play makes equal: those are worth more after which errors are likelier.

Sources: Watkins: Learning from delayed rewards, PhD thesis, Cambridge 1989; Sutton, Barto: Reinforcement learning, 2nd edition,
6.5. For rates that fall with a power of the visits: Even-Dar, Mansour: Learning rates for Q-learning, JMLR 2003.
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
from .walk import DISCOUNT, MODE, best_of, move_towards


@dataclass(frozen=True)
class QLearningSettings(TabularSettings):
    """Settings of Q-learning.

    Args:
        spaced: whether a player's move number i of n is rewarded with i/n of the result, instead of the last with all of it.
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
    spaced: bool = False


ORIGINAL = {
    "games": 300_000,
    "merge": "nothing",
    "exploration": 0.1,
    "exploration_end": 0.1,
    "exploring_starts": 0.0,
    "discount": 0.7,
    "rate": 0.5,
    "rate_decay": 0.0,
    "spaced": True,
    "draw_second": 0.5,
}
"""What the tic-tac-toe player had that this one grew from: later moves count more, and a draw as second is worth something."""


class QLearning(Tabular[QLearningSettings]):
    """Learns a value for each action in each position, from the best value of the position that comes next."""

    name: ClassVar[str] = "qlearning"
    settings_class = QLearningSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "original": ORIGINAL | {"opponent": "random"},
        "two_learners": ORIGINAL,
    }

    @property
    def rule(self) -> Function:
        return learn_q

    @property
    def mode(self) -> int:
        return int(self.settings.spaced)

    def learn_plainly(self, moves: Sequence[Move], reward: float | None, tally: NDArray[np.float64]) -> None:
        after: slice | None = None
        for number in range(len(moves), 0, -1):
            position, action = moves[number - 1]
            if after is not None or reward is not None:
                target = 0.0
                if self.settings.spaced and reward is not None:
                    target = reward * number / len(moves)
                elif after is None and reward is not None:
                    target = reward
                if after is not None:
                    target += self.settings.discount * float(self.values[after].max())
                self.move_towards(target, action, tally)
            after = position


def learn_q(
    plies: int, whole: Numbers, numbers: Rewards, rewards: Rewards, learner: int, values: Rewards, visits: Numbers,
    begins: Numbers, places: Numbers, taken: Numbers, movers: Flags, stamps: Numbers, stamp: int, tally: Rewards,
) -> None:  # fmt: skip
    """Moves the values of a learner's actions towards what came next."""
    reward, left = rewards[learner], rewards[learner] != rewards[learner]
    moves, after = 0, -1
    for ply in range(plies):
        moves += movers[ply] == learner
    move = moves
    for ply in range(plies - 1, -1, -1):
        if movers[ply] == learner:
            if after >= 0 or not left:
                target = 0.0
                if whole[MODE] != 0 and not left:
                    target = reward * float(move) / float(moves)
                elif after < 0:
                    target = reward
                if after >= 0:
                    target += numbers[DISCOUNT] * best_of(places[after], values, begins)
                move_towards(target, taken[ply], numbers, values, visits, tally)
            after = ply
            move -= 1
