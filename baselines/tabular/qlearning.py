"""Q-learning: a table of what each action is worth in each position, learnt from games.

The value Q(s, a) of an action is the reward that it brings, and the discounted value of the best action in the position in which
the same player moves next; the opponent's answer between the two belongs to the world. After each game, for each of a learner's
moves, the last one first,

    Q(s, a)  +=  rate · (reward + discount · max Q(s', ·) - Q(s, a))

In self-play the opponent is the same table, and errs now and then, since it explores. That is what tells apart actions that
perfect play makes equal: those are worth more after which errors are likelier.

The players that this one grew from, the presets `original` and `two_learners`, rewarded every move by a square, later moves more,
and took for s' the board right after the move, first move first. The other player moves there, so that max Q(s', ·) is of actions
that the learner never takes, which are worth nothing: the value of an action is the moving mean of its rewards.

Sources: Watkins: Learning from delayed rewards, PhD thesis, Cambridge 1989; Sutton, Barto: Reinforcement learning, 2nd edition,
6.5. For rates that fall with a power of the visits: Even-Dar, Mansour: Learning rates for Q-learning, JMLR 2003.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...envs.kernels.arrays import Numbers, Rewards
from ...envs.native import Function
from ...envs.settings.bounds import Length, OneOf
from .plain import Part
from .tabular import ORIGINAL, Tabular, TabularSettings, Value
from .walk import DISCOUNT, MODE, OWN, Played, Values, best_of, move_towards, moves_of

TURN, BOARD = "turn", "board"
Ends: TypeAlias = Annotated[tuple[Value, ...], Length(2, 2)]


@dataclass(frozen=True)
class QLearningSettings(TabularSettings):
    """Settings of Q-learning.

    Args:
        spaced: whether each move of a player is rewarded, instead of the last one alone with the result: n moves with the squares
            of n evenly spaced numbers, whose ends stand in won, lost, drawn_first and drawn_second.
        won: the numbers of the first move and of the last, where the player won.
        lost: the same where it lost; squares are positive.
        drawn_first: the same for a draw of player 0.
        drawn_second: the same for a draw of player 1.
        ahead: which position s' is: turn, the one in which the player moves next; board, the one right after its move, where it
            has actions, and values of them, only if it moves twice in a row.
        four_bonus: in Quixo, with `rows`: what a move is rewarded with, whatever the game comes to, after which more lines
            lack one cube of the player's only (lines of four on 5×5) than before.
        break_bonus: the same for a move after which fewer lines lack one cube of the opponent's only. A move that ends the game has
            neither.
    """

    spaced: bool = False
    won: Ends = (0.1, 1.0)
    lost: Ends = (-0.01, -0.1)
    drawn_first: Ends = (0.01, 0.1)
    drawn_second: Ends = (0.01, 0.2275)
    ahead: Annotated[str, OneOf(TURN, BOARD)] = TURN
    four_bonus: Value = 0.0
    break_bonus: Value = 0.0


SPACED = ("won", "lost", "drawn_first", "drawn_second")
"""The settings that say what spaced rewards are the squares of, in the order in which kernels take them from OWN on."""
SQUARES = ORIGINAL | {"rate": 0.5, "rate_decay": 0.0, "spaced": True, "ahead": BOARD}
"""What the two players had in common that this one grew from. In a drawn game of tic-tac-toe player 1 has four moves; it got the
first four of the squares of five numbers, from 0.01 to 0.3, of which the fourth is 0.2275."""
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
        "original": SQUARES | {"games": 100_000, "opponent": "random"},
        "two_learners": SQUARES
        | {"games": 300_000, "tables": 2, "lost": (0.1, 0.1), "drawn_first": (-0.1, -0.5), "drawn_second": (-0.01, -3.0)},
        "quixo_original": QUIXO,
    }

    @property
    def bonuses(self) -> tuple[float, float]:
        return self.settings.four_bonus, self.settings.break_bonus

    @property
    def rule(self) -> Function:
        return learn_q if self.settings.ahead == TURN else learn_q_by_board

    @property
    def mode(self) -> int:
        return int(self.settings.spaced)

    def numbers(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        whole, numbers = super().numbers()
        return whole, np.concatenate([numbers, *(getattr(self.settings, name) for name in SPACED)])

    def learn_plainly(self, part: Part, tally: NDArray[np.float64]) -> None:
        if self.settings.ahead == BOARD:
            self._learn_by_board(part, tally)
            return
        moves, ahead = part.moves, 0.0
        count = len(moves)
        if part.reward is None and moves:  # the game was left: what came of the last move, one does not know
            ahead = self.settings.discount * float(part.values[moves[-1].position].max())
            moves = moves[:-1]
        for number in range(len(moves), 0, -1):
            move = moves[number - 1]
            self.move_towards(self._reward(part, number, count) + ahead, part, move.entry, tally)
            ahead = self.settings.discount * float(part.values[move.position].max())

    def _learn_by_board(self, part: Part, tally: NDArray[np.float64]) -> None:
        count = len(part.moves)
        for number, (move, after) in enumerate(zip_longest(part.moves, part.moves[1:]), 1):
            ahead = self.settings.discount * float(part.values[after.position].max()) if after and move.again else 0.0
            if after or part.reward is not None:
                self.move_towards(self._reward(part, number, count) + ahead, part, move.entry, tally)

    def _reward(self, part: Part, number: int, count: int) -> float:
        if part.reward is None:
            return 0.0
        return reward_at(number, count, part.player, part.reward, part.result or 0, self.mode, self.numbers()[1])


def learn_q(learner: int, reward: float, played: Played, table: Values, whole: Numbers, numbers: Rewards, tally: Rewards) -> None:
    """Moves the values of a learner's actions towards what came next, the last one first."""
    count = number = moves_of(learner, played)
    known = reward == reward  # else the game was left, and what came of the last move, one does not know
    ahead = 0.0
    for ply in range(played.plies - 1, -1, -1):
        if played.trail.movers[ply] == learner:
            if known:
                got = rewarded(number, count, learner, reward, ply, played, whole, numbers)
                move_towards(got + ahead, played.trail.taken[ply], table, numbers, tally)
            ahead, known = numbers[DISCOUNT] * best_of(played.trail.places[ply], table), True
            number -= 1


def learn_q_by_board(
    learner: int, reward: float, played: Played, table: Values, whole: Numbers, numbers: Rewards, tally: Rewards
) -> None:
    """Moves the values of a learner's actions towards the board right after each, the first one first."""
    count, number = moves_of(learner, played), 0
    for ply in range(played.plies):
        if played.trail.movers[ply] == learner:
            number += 1
            got = rewarded(number, count, learner, reward, ply, played, whole, numbers)
            if number < count and played.trail.movers[ply + 1] == learner:
                got += numbers[DISCOUNT] * best_of(played.trail.places[ply + 1], table)
            if number < count or reward == reward:  # else the game was left, and what came of the last move, one does not know
                move_towards(got, played.trail.taken[ply], table, numbers, tally)


def rewarded(
    number: int, count: int, learner: int, reward: float, ply: int, played: Played, whole: Numbers, numbers: Rewards
) -> float:
    """What a learner's move brings, of so many: its share of the reward, unless the game was left, and what it gains by itself."""
    result = played.result * (1 - 2 * learner)
    got = 0.0 if reward != reward else reward_at(number, count, learner, reward, result, whole[MODE], numbers)
    return got + played.trail.gains[ply]


def reward_at(number: int, count: int, learner: int, reward: float, result: int, spaced: int, numbers: Rewards) -> float:
    """What a move brings, number 1 to count: the last one all of the reward; or, if spaced, each a square by its number."""
    if spaced == 0:
        return reward if number == count else 0.0
    case = 2 + learner if result == 0 else (1 - result) // 2  # as in SPACED
    begin, end = numbers[OWN + 2 * case], numbers[OWN + 2 * case + 1]
    share = float(number - 1) / float(count - 1) if count > 1 else 0.0
    return (begin + (end - begin) * share) ** 2
