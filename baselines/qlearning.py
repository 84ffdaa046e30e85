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

from ..envs.kernels.arrays import Numbers, Rewards
from ..envs.native import Function
from ..envs.specs import check_between
from .plain import Move
from .tabular import LARGEST_VALUE, ORIGINAL, Tabular, TabularSettings
from .walk import DISCOUNT, MODE, Played, Values, best_of, move_towards


@dataclass(frozen=True)
class QLearningSettings(TabularSettings):
    """Settings of Q-learning.

    Args:
        spaced: whether a player's move number i of n is rewarded with i/n of the result, instead of the last with all of it.
        four_bonus: in Quixo, with `rows`: what a move is rewarded with, whatever the game comes to, after which more lines
            lack one cube of the player's only (lines of four on 5×5) than before.
        break_bonus: the same for a move after which fewer lines lack one cube of the opponent's only. A move that ends the game has
            neither.
    """

    spaced: bool = False
    four_bonus: float = 0.0
    break_bonus: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_between(self, -LARGEST_VALUE, LARGEST_VALUE, "four_bonus", "break_bonus")


OWN = ORIGINAL | {"rate": 0.5, "rate_decay": 0.0, "spaced": True, "draw_second": 0.5}
"""The player that this one grew from: later moves count more, and a draw as second is worth something."""
QUIXO = ORIGINAL | {
    "games": 100_000,
    "opponent": "random",
    "merge": "mover",
    "rows": 65_536,
    "rate": 0.5,
    "rate_decay": 0.0,
    "four_bonus": 0.1,
    "break_bonus": 0.1,
}
"""The player of Quixo that this one grew from. That it merged positions so, and had these two bonuses, is known; how large they
were, how many games it learnt from, and its rates are not: they are those of the tic-tac-toe player where it has them."""


class QLearning(Tabular[QLearningSettings]):
    """Learns a value for each action in each position, from the best value of the position that comes next."""

    name: ClassVar[str] = "qlearning"
    settings_class = QLearningSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "original": OWN | {"opponent": "random"},
        "two_learners": OWN,
        "quixo_original": QUIXO,
    }

    @property
    def bonuses(self) -> tuple[float, float]:
        return self.settings.four_bonus, self.settings.break_bonus

    @property
    def rule(self) -> Function:
        return learn_q

    @property
    def mode(self) -> int:
        return int(self.settings.spaced)

    def learn_plainly(self, moves: Sequence[Move], reward: float | None, tally: NDArray[np.float64]) -> None:
        ahead, count = 0.0, len(moves)
        if reward is None and moves:  # the game was left: what came of the last move, one does not know
            ahead = self.settings.discount * float(self.values[moves[-1].position].max())
            moves = moves[:-1]
        for number in range(len(moves), 0, -1):
            position, action = moves[number - 1]
            target = reward_at(number, count, reward or 0.0, self.mode) + ahead
            self.move_towards(target, action, tally)
            ahead = self.settings.discount * float(self.values[position].max())


def learn_q(learner: int, reward: float, played: Played, table: Values, whole: Numbers, numbers: Rewards, tally: Rewards) -> None:
    """Moves the values of a learner's actions towards what came next."""
    count = 0
    for ply in range(played.plies):
        count += played.movers[ply] == learner
    known = reward == reward  # else the game was left, and what came of the last move, one does not know
    ahead, number = 0.0, count
    for ply in range(played.plies - 1, -1, -1):
        if played.movers[ply] == learner:
            if known:
                got = 0.0 if reward != reward else reward_at(number, count, reward, whole[MODE])
                got += played.gains[ply]
                move_towards(got + ahead, played.taken[ply], table, numbers, tally)
            ahead, known = numbers[DISCOUNT] * best_of(played.places[ply], table), True
            number -= 1


def reward_at(number: int, count: int, reward: float, spaced: int) -> float:
    """What a learner's move brings, of so many: the last one all of the reward; or, if spaced, each its share by its number."""
    if spaced != 0:
        return reward * float(number) / float(count)
    return reward if number == count else 0.0
