"""`SeatGrade`: how a policy plays one seat, computed over every position that can come up against it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...agents.statespace.graph import Graph
from ...agents.statespace.sweeps import find_ends, leave_traps, push, respond
from ...envs.games.game import Game
from ...envs.kernels.rules import ONGOING

UNSETTLED = 1e-14
"""A share of games so small that they need not be followed to their ends."""
MOST_SWEEPS = 100_000


class Expected(NamedTuple):
    """The expected outcome of a game for a policy against some opponent; endless play counts as drawn.

    Args:
        win, draw, loss: how likely each is.
        moves: the policy's moves in a game, except in positions from which no end can be reached.
        optimal: how many of them keep the position's value; None if values are not known.
        lost: how much value they lose in all, the value being 1, 0 or -1; None if values are not known.
    """

    win: float
    draw: float
    loss: float
    moves: float
    optimal: float | None
    lost: float | None

    @property
    def result(self) -> float:
        """The expected result, from 1 to -1."""
        return self.win - self.loss


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
        response: the expected result of the opponent's best response to the policy, for the opponent.
    """

    positions: int
    optimal_positions: int | None
    value: int | None
    line: tuple[int, ...] | None
    random: Expected
    perfect: Expected | None
    response: float

    @property
    def beatable(self) -> bool:
        """Whether it can lose."""
        return self.line is not None

    @property
    def thrown(self) -> float | None:
        """How much of the start's value it loses against perfect play."""
        return None if self.value is None or self.perfect is None else self.value - self.perfect.result

    def document(self, game: Game) -> dict[str, Any]:
        """The numbers by name, for JSON."""
        against = {"random": self.random, "perfect": self.perfect}
        return {
            "beatable": self.beatable,
            "line": None if self.line is None else " ".join(game.move_name(action) for action in self.line),
            "start_value": self.value,
            **{f"{name}_vs_{whom}": getattr(one, name, None) for whom, one in against.items() for name in Expected._fields},
            "value_thrown": self.thrown,
            "best_response": self.response,
            "positions": self.positions,
            "optimal_positions": self.optimal_positions,
        }


class SeatAnalysis:
    """The positions that can come up against a policy in one seat, and what is computed from them.

    Args:
        graph: all of them; the policy's moves are those that it may take, with their probabilities, the opponent's are all.
        seat: the policy's.
        values: player 0's value of each position with perfect play (N,); None if they are not known.
    """

    def __init__(self, graph: Graph, seat: int, values: NDArray[np.int8] | None) -> None:
        self.graph, self.seat = graph, seat
        self._sign = 1 - 2 * seat
        self._ongoing = graph.outcomes == ONGOING
        self._own = self._ongoing & (graph.movers == seat)
        self._values = values
        self._drops = None
        if values is not None:
            self._drops = (values[graph.owners] - values[graph.targets]) * (1 - 2 * graph.movers[graph.owners])

    @cached_property
    def opposing(self) -> NDArray[np.int64]:
        """The positions in which the opponent is to move, in rising order."""
        return np.flatnonzero(self._ongoing & ~self._own)

    @cached_property
    def answer(self) -> NDArray[np.int64]:
        """The opponent's best moves, one for each of `opposing`."""
        return self.best_answer()

    def grade(self) -> SeatGrade:
        """The grade of this seat."""
        response = self.expected(self.answered(self.answer)).result
        return SeatGrade(
            int(np.count_nonzero(self._own)),
            self._optimal_positions(),
            None if self._values is None else int(self._sign * self._values[0]),
            self._line(),
            self.expected(self.graph.chances),
            None if self._drops is None else self.expected(self._perfect(self._drops == 0)),
            -response + 0.0,
        )

    def expected(self, chances: NDArray[np.float64]) -> Expected:
        """The expected outcome of a game in which each move has these probabilities (E,)."""
        graph, ending = self.graph, (~self._ongoing).astype(np.int8)
        moves = graph.starts, graph.targets, chances
        while graph.game.kernel(find_ends)(*moves, ending):
            pass
        coming, visits = np.zeros(len(graph)), np.zeros(len(graph))
        coming[0] = 1
        for _ in sweeps():
            graph.game.kernel(push)(*moves, ending, coming, visits)
            if coming.sum() <= UNSETTLED:
                break
        endless = ending == 0
        ends = (graph.outcomes == self._sign, (graph.outcomes == 0) | endless, graph.outcomes == -self._sign)
        results = np.array([visits[end].sum() for end in ends])
        often = np.where(self._own & ~endless, visits, 0)
        weights = chances * often[graph.owners]
        moves_made = float(weights.sum())
        optimal = lost = None
        if self._drops is not None:
            optimal, lost = moves_made - float(weights[self._drops > 0].sum()), float((weights * self._drops).sum())
        win, draw, loss = (results / results.sum()).tolist()
        return Expected(win, draw, loss, moves_made, optimal, lost)

    def answered(self, moves: NDArray[np.int64]) -> NDArray[np.float64]:
        """The probability of each move (E,) if the opponent makes these moves, one in each of his positions."""
        chances = self.graph.chances.copy()
        chances[(~self._own)[self.graph.owners]] = 0
        chances[moves] = 1
        return chances

    def best_answer(self, worth: tuple[float, float, float] = (1, 0, -1)) -> NDArray[np.int64]:
        """The opponent's best moves, one for each of his positions in rising order.

        Args:
            worth: the value for him of a game that he wins, draws and loses, from 1 to -1.
        """
        graph, opponent = self.graph, 1 - self.seat
        moves = graph.starts, graph.targets
        endless = self._ongoing.astype(np.int8)
        while graph.game.kernel(leave_traps)(*moves, graph.movers, opponent, endless):
            pass
        win, draw, loss = map(float, worth)
        # A position counts as lost until it is shown to be better; but if he can play on for ever, it is a draw.
        values = np.where(self._ongoing, np.where(endless != 0, draw, loss), draw)
        values[graph.outcomes == -self._sign], values[graph.outcomes == self._sign] = win, loss
        picks = np.full(len(graph), -1)
        for _ in sweeps():
            if not graph.game.kernel(respond)(*moves, graph.chances, graph.movers, opponent, values, picks):
                break
        return picks[self.opposing]

    def _perfect(self, keeping: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The probability of each move (E,) if the opponent's are those that keep the value, with equal probability."""
        graph, his = self.graph, (self._ongoing & ~self._own)[self.graph.owners]
        among = graph.totals(keeping.astype(np.float64))[graph.owners]
        return np.where(his, keeping / np.maximum(among, 1), graph.chances)

    def _optimal_positions(self) -> int | None:
        if self._drops is None:
            return None
        return int(np.count_nonzero(self._own & (self.graph.totals((self._drops > 0).astype(np.float64)) == 0)))

    def _line(self) -> tuple[int, ...] | None:
        lost = np.flatnonzero(self.graph.outcomes == -self._sign)
        return self.graph.line(int(lost[self.graph.ranks[lost].argmin()])) if len(lost) else None


def sweeps() -> Iterator[int]:
    """The numbers of sweeps, up to a limit.

    Raises:
        ValueError: the limit is reached.
    """
    yield from range(MOST_SWEEPS)
    raise ValueError(
        f"the expected results did not converge in {MOST_SWEEPS:,} sweeps: the policy can repeat positions and leaves cycles too "
        "rarely; set its smallest probabilities to 0"
    )
