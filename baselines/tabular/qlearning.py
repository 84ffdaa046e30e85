"""Q-learning: a table of the value of each action in each position, learnt from games.

The value Q(s, a) of an action is its reward, plus the discounted value of the best action in the position s' in which the same
player moves next; the answer of the opponent is part of the environment. After each game, for each move of a learner, the last one
first,

    Q(s, a)  +=  rate · (reward + discount · max Q(s', ·) - Q(s, a))

In self-play the opponent uses the same table, and sometimes explores. So actions that are equal under perfect play get different
values: higher ones where errors of the opponent are likelier.

The original players, the presets `original` and `two_learners`, rewarded every move by a square, later moves more, and used for s'
the board right after the move, first move first. The opponent moves there, so max Q(s', ·) is over actions that the learner never
takes, whose value is 0: the value of an action is the moving average of its rewards.

Sources: Watkins: Learning from delayed rewards, PhD thesis, Cambridge 1989; Sutton, Barto: Reinforcement learning, 2nd edition,
6.5. For learning rates that fall with a power of the visits: Even-Dar, Mansour: Learning rates for Q-learning, JMLR 2003.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeAlias

from ...core.bounds import Length, OneOf
from ...games.kernels.arrays import Rewards
from .tabular import ORIGINAL, Rule, Tabular, TabularSettings, Value
from .walk import DISCOUNT, OWN, PlayedGame, Values, WalkSettings, best_of, move_towards, moves_of

TURN, BOARD = "turn", "board"
Ends: TypeAlias = Annotated[tuple[Value, ...], Length(2, 2)]


@dataclass(frozen=True)
class QLearningSettings(TabularSettings):
    """Settings of Q-learning.

    Args:
        spaced: whether every move is rewarded, not only the last one with the result: n moves with the squares of n evenly spaced
            numbers, from the first to the last number of won, lost, drawn_first or drawn_second.
        won: the first and the last number where the player won.
        lost: the first and the last number where it lost; squares are positive.
        drawn_first: the first and the last number of a draw of player 0.
        drawn_second: the first and the last number of a draw of player 1.
        ahead: which position s' is: turn, the one in which the player moves next; board, the one right after its move, where it
            has actions with values only if it moves twice in a row.
        four_bonus: in Quixo, with `rows`: the reward of a move after which the player lacks only one cube in more lines than before
            (lines of four on 5×5), whatever the result of the game.
        break_bonus: in Quixo, with `rows`: the reward of a move after which the opponent lacks only one cube in fewer lines. A move
            that ends the game has neither reward.
    """

    spaced: bool = False
    won: Ends = (0.1, 1.0)
    lost: Ends = (-0.01, -0.1)
    drawn_first: Ends = (0.01, 0.1)
    drawn_second: Ends = (0.01, 0.2275)
    ahead: Annotated[str, OneOf(TURN, BOARD)] = TURN
    four_bonus: Value = 0.0
    break_bonus: Value = 0.0


SQUARES = ORIGINAL | {"rate": 0.5, "rate_decay": 0.0, "spaced": True, "ahead": BOARD}
"""What the two original players shared. In a drawn game of tic-tac-toe player 1 has four moves; it got the first four of the
squares of five numbers, from 0.01 to 0.3, of which the fourth is 0.2275."""


class QLearning(Tabular[QLearningSettings]):
    """Learns a value for each action in each position, from the best value of the next position."""

    name: ClassVar[str] = "qlearning"
    settings_class = QLearningSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "original": SQUARES | {"games": 100_000, "opponent": "random"},
        "two_learners": SQUARES
        | {"games": 300_000, "tables": 2, "lost": (0.1, 0.1), "drawn_first": (-0.1, -0.5), "drawn_second": (-0.01, -3.0)},
    }

    @property
    def rule(self) -> Rule:
        s, kernel = self.settings, learn_q if self.settings.ahead == TURN else learn_q_by_board
        ends = *s.won, *s.lost, *s.drawn_first, *s.drawn_second  # in the order in which `reward_of_move` reads them
        return Rule(kernel, int(s.spaced), ends, (s.four_bonus, s.break_bonus))


def learn_q(learner: int, reward: float, played: PlayedGame, table: Values, rules: WalkSettings, tally: Rewards) -> None:
    """Moves the values of the actions of a learner towards their targets, the last one first."""
    count = number = moves_of(learner, played)
    known = reward == reward  # false for nan: the game was stopped early, and the result of the last move is not known
    ahead = 0.0
    for ply in range(played.plies - 1, -1, -1):
        if played.trail.movers[ply] == learner:
            if known:
                gain = reward_of_move(number, count, learner, reward, ply, played, rules)
                move_towards(gain + ahead, played.trail.edges[ply], table, rules.numbers, tally)
            ahead, known = rules.numbers[DISCOUNT] * best_of(played.trail.positions[ply], table), True
            number -= 1


def learn_q_by_board(learner: int, reward: float, played: PlayedGame, table: Values, rules: WalkSettings, tally: Rewards) -> None:
    """Moves the values of the actions of a learner towards the board right after each, the first one first."""
    count, number = moves_of(learner, played), 0
    for ply in range(played.plies):
        if played.trail.movers[ply] == learner:
            number += 1
            gain = reward_of_move(number, count, learner, reward, ply, played, rules)
            if number < count and played.trail.movers[ply + 1] == learner:
                gain += rules.numbers[DISCOUNT] * best_of(played.trail.positions[ply + 1], table)
            if number < count or reward == reward:  # else the game was stopped early, and the result of the last move is not known
                move_towards(gain, played.trail.edges[ply], table, rules.numbers, tally)


def reward_of_move(
    number: int, count: int, learner: int, reward: float, ply: int, played: PlayedGame, rules: WalkSettings
) -> float:
    """The reward of a move, number 1 to `count`: its own, and its share of the result, unless the game was stopped early.

    The last move gets all of the result; or, if rewards are spaced, each move a square.
    """
    gain = played.trail.gains[ply]
    if reward != reward:
        return gain
    if rules.mode == 0:
        return gain + (reward if number == count else 0.0)
    result = played.result * (1 - 2 * learner)
    case = 2 + learner if result == 0 else (1 - result) // 2  # won, lost, drawn_first, drawn_second
    begin, end = rules.numbers[OWN + 2 * case], rules.numbers[OWN + 2 * case + 1]
    share = float(number - 1) / float(count - 1) if count > 1 else 0.0
    return gain + (begin + (end - begin) * share) ** 2
