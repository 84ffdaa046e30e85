"""`SeatGrade`: how a policy plays one seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ...games.game import Game

KEPT = 1e-9
"""By how much a result may be less than the start's value by rounding."""


class Expected(NamedTuple):
    """The expected outcome of a game for a policy against some opponent; endless play counts as drawn.

    Args:
        win, draw, loss: how likely each is.
        moves: the policy's moves in a game, except in positions from which no end can be reached.
        optimal: how many of them keep the position's value; None if values are not known.
        lost: how much value they lose in all, the value being 1, 0 or -1; None if values are not known.
        unfinished: the share of games that were not followed to their ends; none of win, draw and loss is wrong by more.
    """

    win: float
    draw: float
    loss: float
    moves: float
    optimal: float | None
    lost: float | None
    unfinished: float = 0.0

    @property
    def result(self) -> float:
        """The expected result, from 1 to -1."""
        return self.win - self.loss


class SomeMoves(NamedTuple):
    """Some of the policy's moves in a game.

    Args:
        number: what they have in common: their ply, or the number of actions that keep the value.
        moves: how many of them there are in a game.
        optimal: how many of them keep the value; None if values are not known.
        lost: how much value they lose in all; None if values are not known.
    """

    number: int
    moves: float
    optimal: float | None
    lost: float | None


@dataclass(frozen=True)
class SeatGrade:
    """How a policy plays one seat.

    Args:
        positions: how many positions in which it is to move can come up, whatever the opponent does.
        optimal_positions: in how many of them every action that it may take keeps the value; None if values are not known.
        value: what the start is worth to this seat with perfect play: 1, 0 or -1; None if values are not known.
        line: the actions of a shortest game that it loses, each of its own being one that it may take; None if it never loses.
        random: against an opponent who takes every legal action with equal probability.
        perfect: against one who takes every action that keeps the value with equal probability; None if values are not known.
        best: against the opponent's best response to the policy.
        lost_at: how many actions a game against the best response has had when the policy's move first may lose value; None if none
            does, or values are not known.
        by_ply: its moves against random play by ply.
        by_choice: its moves against random play where not every action keeps the value, by how many do; None if values are not
            known.
    """

    positions: int
    optimal_positions: int | None
    value: int | None
    line: tuple[int, ...] | None
    random: Expected
    perfect: Expected | None
    best: Expected
    lost_at: int | None
    by_ply: tuple[SomeMoves, ...]
    by_choice: tuple[SomeMoves, ...] | None

    @property
    def beatable(self) -> bool:
        """Whether it can lose."""
        return self.line is not None

    @property
    def response(self) -> float:
        """The expected result of the opponent's best response to the policy, for the opponent."""
        return -self.best.result + 0.0

    @property
    def thrown(self) -> float | None:
        """How much of the start's value it loses against perfect play."""
        return None if self.value is None or self.perfect is None else self.value - self.perfect.result

    @property
    def keeps_start(self) -> bool | None:
        """Whether it keeps what the start is worth against the best response; None if values are not known."""
        return None if self.value is None else self.best.result >= self.value - KEPT

    @property
    def unfinished(self) -> float:
        """The largest share of games that were not followed to their ends; no probability is wrong by more."""
        return max(one.unfinished for one in (self.random, self.perfect, self.best) if one is not None)

    def document(self, game: Game) -> dict[str, Any]:
        """The numbers by name, for JSON."""
        against = {"random": self.random, "perfect": self.perfect, "best_response": self.best}
        return {
            "beatable": self.beatable,
            "line": None if self.line is None else " ".join(game.move_name(action) for action in self.line),
            "start_value": self.value,
            **{f"{name}_vs_{whom}": getattr(one, name, None) for whom, one in against.items() for name in Expected._fields},
            "value_thrown": self.thrown,
            "best_response": self.response,
            "keeps_start": self.keeps_start,
            "lost_at": self.lost_at,
            "positions": self.positions,
            "optimal_positions": self.optimal_positions,
        }
