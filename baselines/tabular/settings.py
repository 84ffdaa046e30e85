"""The settings that all learning by table shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from ...core.bounds import Count, OneOf, Share
from ...core.numbers import Range
from ..runs.trainer import Settings
from .positions import MERGES

SELF, RANDOM = "self", "random"
LARGEST_ROWS = 1 << 24
Value: TypeAlias = Annotated[float, Range(-1_000_000, 1_000_000)]


@dataclass(frozen=True)
class TabularSettings(Settings):
    """Settings of learning by table.

    Args:
        games: the number of games.
        opponent: whom the learner plays against: self, where both players learn; or the spec of a policy, whose seat is drawn at
            random for each game.
        tables: 1, or in self-play 2: two learners with a table each. Which of them moves first is drawn for each game, and the run
            keeps the table of the first.
        merge: which positions share their values: nothing; symmetry, positions that a symmetry of the game maps onto each other;
            mover, these and positions that look the same to the player to move.
        rows: the number of positions that the table has room for, for games with too many to number them all (bounded.py); 0 for
            a row for each position of the game. With rows, the opponent is self or random.
        exploration: the probability that a learner moves at random, in the first game.
        exploration_end: the probability that a learner moves at random in the last game; in between it changes linearly.
        exploring_starts: the share of games that start in a random position instead of the start of the game.
        discount: the factor of a reward for each move of the learner before it.
        initial: the initial value of every action; more than 1 is optimistic, and makes the learner try everything.
        rate: the learning rate of the first update of a value.
        rate_decay: the power of the number of updates by which the learning rate falls: 0 keeps it constant; 1, with rate 1, gives
            the mean.
        rate_least: the lowest learning rate.
        draw_first: the reward of a draw for player 0; a win is 1, a loss -1.
        draw_second: the reward of a draw for player 1.
    """

    games: Count = 4_000_000
    opponent: str = SELF
    tables: Annotated[int, Range(1, 2)] = 1
    merge: Annotated[str, OneOf(*MERGES)] = "symmetry"
    rows: Annotated[int, Range(0, LARGEST_ROWS)] = 0
    exploration: Share = 0.2
    exploration_end: Share = 0.2
    exploring_starts: Share = 0.5
    discount: Share = 0.9
    initial: Value = 0.0
    rate: Share = 1.0
    rate_decay: Share = 0.8
    rate_least: Share = 0.0
    draw_first: Value = 0.0
    draw_second: Value = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tables == 2 and (self.opponent != SELF or self.rows):
            raise ValueError(f"tables is 2, one for each of two learners; this needs opponent={SELF} and rows=0")
        if self.rows and self.opponent not in (SELF, RANDOM):
            raise ValueError(f"with rows, the opponent must be {SELF} or {RANDOM}, not {self.opponent}")
        if self.rows and self.exploring_starts:
            raise ValueError("with rows, games begin at the start: set exploring_starts=0")
        if self.merge == "mover" and self.draw_first != self.draw_second:
            raise ValueError("merge is mover, where both players share values; then draw_first and draw_second must be equal")


ORIGINAL: dict[str, Any] = {
    "merge": "nothing",
    "exploration": 0.1,
    "exploration_end": 0.1,
    "exploring_starts": 0.0,
    "discount": 0.7,
}
"""The settings that the original tic-tac-toe players shared."""
