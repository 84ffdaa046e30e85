"""Exact regret of answers as a verifiable reward: how much value and how many plies a move loses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias, get_args, overload

import numpy as np

from ..arena.grading.decisions import losses_of_actions, mean_by_position, values_after
from ..core.numbers import short_repr
from ..games.game import Game, StateArray
from ..games.registry import make_game
from ..oracles import Oracle, make_oracle
from ..oracles.oracle import OUT_OF_REACH
from .disguises import undisguise
from .reading import Fault, read_moves

RewardName: TypeAlias = Literal["regret", "over_floor", "by_distance"]
REWARDS: tuple[RewardName, ...] = get_args(RewardName)
"""The names of the rewards of an answer (`AnswerScore.reward_by`)."""
LARGEST_DELAY = 0.25
"""What a delay costs at most: less than a point of value, so that a slow win is worth more than a draw."""


class AnswerScore(NamedTuple):
    """The score of an answer by perfect play, for the player to move.

    Args:
        legal: whether the answer names a move that is legal in the position.
        action: the move's action; None without a legal move.
        value: the result of the move with perfect play afterwards, 1 won, 0 drawn, -1 lost; None without a legal move, or if the
            oracle does not know it.
        value_lost: the value of the position minus that of the move: 0, 1 or 2; None if `value` is None.
        distance_lost: the number of plies by which the move delays a win or hastens a loss; None if it does not keep the value, in
            draws, and in games whose oracle knows no distances.
        optimal: whether the move loses neither value nor distance, so that a win is as quick as possible; None if the oracle does
            not know. The `optimal_rate` of a grade requires only that the value is kept, like `keeps_value`.
        fault: why there is no legal move (`Reading.fault`); None if there is one.
        reason: the fault in a sentence.
        random_loses: the value that a random legal move loses in this position, on average; None if it was not asked for
            (`score(floor=True)`), without a legal move, or if the oracle does not know.
    """

    legal: bool
    action: int | None = None
    value: int | None = None
    value_lost: int | None = None
    distance_lost: int | None = None
    optimal: bool | None = None
    fault: Fault | None = None
    reason: str = ""
    random_loses: float | None = None

    @property
    def keeps_value(self) -> bool | None:
        """Whether the move keeps the value of the position, even if a win takes longer; None if the oracle does not know."""
        return None if self.value_lost is None else self.value_lost == 0

    @property
    def reward(self) -> float | None:
        """1 for a move that keeps the value, minus a half for each point of value lost; 0 for an answer without a legal move; None
        if the oracle does not know."""
        if not self.legal:
            return 0.0
        return None if self.value_lost is None else 1 - self.value_lost / 2

    @property
    def reward_over_floor(self) -> float | None:
        """1 for a move that keeps the value, and on average 0 for random legal moves; -1 for a move that loses at least twice what
        they lose, and for an answer without a legal move; None if `random_loses` is not known."""
        if not self.legal:
            return -1.0
        if self.value_lost is None or self.random_loses is None:
            return None
        return max(-1.0, 1 - self.value_lost / self.random_loses) if self.random_loses else 1.0

    @property
    def reward_by_distance(self) -> float | None:
        """`reward`, less up to a quarter for a move that keeps the value but delays a win or hastens a loss: an eighth for one ply,
        a sixth for two; None if the oracle does not know."""
        if self.reward is None or not self.distance_lost:
            return self.reward
        return self.reward - LARGEST_DELAY * self.distance_lost / (self.distance_lost + 1)

    def reward_by(self, name: RewardName) -> float | None:
        """The reward of a name in REWARDS: `reward` for "regret", `reward_over_floor`, or `reward_by_distance`."""
        return self.reward if name == "regret" else self.reward_over_floor if name == "over_floor" else self.reward_by_distance


@overload
def score(game: str | Game, position: str, reply: Any, *, floor: bool = False) -> AnswerScore: ...  # pyright: ignore[reportOverlappingOverload]  a str is not a list
@overload
def score(
    game: str | Game, position: Sequence[str] | StateArray, reply: Sequence[Any], *, floor: bool = False
) -> list[AnswerScore]: ...
def score(game: str | Game, position: Any, reply: Any, *, floor: bool = False) -> AnswerScore | list[AnswerScore]:
    """Scores an answer by perfect play, or many at once, which is faster.

    Args:
        game: the game or its spec.
        position: the position as text; or many, as texts or states (B, W).
        reply: the answer in any form that `ludus.text.read_move` reads, as a text, a list of messages or a client's response; or a
            list with one for each position.
        floor: whether to find what random legal moves lose there (`random_loses`), for which the oracle values all of them.

    Raises:
        ValueError: there is no such game, a text is not a position of it or one of a finished game, the numbers of
            positions and answers differ, or something is no answer.
    """
    game = make_game(game)
    if isinstance(position, str):
        return _scores(game, _states(game, [position]), [reply], floor)[0]
    if isinstance(reply, (str, Mapping)) or not hasattr(reply, "__len__"):
        raise ValueError(
            f"there are {len(position)} positions, and the answers are {short_repr(reply)}; give a list of one for each"
        )
    if len(position) != len(reply):
        raise ValueError(f"there are {len(position)} positions and {len(reply)} answers; give one answer for each position")
    return _scores(game, _states(game, position), reply, floor) if len(reply) else []


def _states(game: Game, positions: Sequence[str] | StateArray) -> StateArray:
    """The states of positions, none of them finished."""
    states = positions if isinstance(positions, np.ndarray) else np.array([game.position(text) for text in positions])
    over = ~game.masks(states).any(axis=1)
    if over.any():
        raise ValueError(f"the game is over in {game.text(states[int(over.argmax())])!r}; no move can be scored there")
    return states


def _scores(game: Game, states: StateArray, replies: Sequence[Any], floor: bool) -> list[AnswerScore]:
    """The score of each answer."""
    readings = read_moves(game, states, replies)
    rows = [row for row, reading in enumerate(readings) if reading.action is not None]
    scores = [AnswerScore(False, fault=reading.fault, reason=reading.reason) for reading in readings]
    if rows:
        actions = [action for reading in readings if (action := reading.action) is not None]
        oracle = _oracle(undisguise(game))
        floors = _random_losses(oracle, states[rows]) if floor else [None] * len(rows)
        for row, action_score, loses in zip(rows, _score_actions(oracle, states[rows], actions), floors, strict=True):
            scores[row] = action_score._replace(random_loses=loses)
    return scores


def _random_losses(oracle: Oracle, states: StateArray) -> list[float | None]:
    """The value that a random legal move loses in each state, on average; None where the oracle does not know all of them."""
    distinct, rows_of = np.unique(states, axis=0, return_inverse=True)
    rows, _, lost = losses_of_actions(oracle.game, distinct, values_after(oracle))
    means = mean_by_position(rows, lost, len(distinct))[rows_of.ravel()]
    return [None if np.isnan(mean) else float(mean) for mean in means]


def _score_actions(oracle: Oracle, states: StateArray, actions: Sequence[int]) -> list[AnswerScore]:
    """The score of a legal action in each state."""
    before, plies = oracle.values(states), oracle.distances(states)
    after = oracle.action_values(states, actions)
    unknown = (before == OUT_OF_REACH) | (after.values == OUT_OF_REACH)
    lost = before - after.values
    delays = np.where(before > 0, after.distances - plies, plies - after.distances)  # the winner hurries, the loser delays
    has_delay = (lost == 0) & (before != 0) & (plies >= 0) & (after.distances >= 0)
    columns = (actions, unknown.tolist(), after.values.tolist(), lost.tolist(), delays.tolist(), has_delay.tolist())
    return [
        AnswerScore(legal=True, action=action)
        if is_unknown
        else AnswerScore(
            legal=True,
            action=action,
            value=value,
            value_lost=value_lost,
            distance_lost=delay if is_delayed else None,
            optimal=value_lost == 0 and not (is_delayed and delay),
        )
        for action, is_unknown, value, value_lost, delay, is_delayed in zip(*columns, strict=True)
    ]


@lru_cache(maxsize=16)
def _oracle(game: Game) -> Oracle:
    return make_oracle(game)
