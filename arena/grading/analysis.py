"""`SeatAnalysis`: what a grade says of one seat, computed over every position that can come up against a policy there."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...agents.statespace.chain import OWN, chain_of
from ...agents.statespace.graph import Graph
from ...agents.statespace.sweeps import leave_traps, respond
from ...envs.kernels.rules import ONGOING
from ...envs.native.threads import pool
from .losses import best_only, losses, moves_of, only
from .seat import Expected, SeatGrade

MOST_SWEEPS = 100_000


class Course(NamedTuple):
    """How a policy's games against some opponent go on average.

    Args:
        expected: their outcome.
        by_ply: of the policy's moves at each ply, how many there are in a game, how many keep the value, and how much they lose
            (P, 3); the last two are 0 if values are not known.
        visits: how often each position of the graph comes up in a game in which the policy is to move (N,).
    """

    expected: Expected
    by_ply: NDArray[np.float64]
    visits: NDArray[np.float64]


class SeatAnalysis:
    """The positions that can come up against a policy in one seat, and what is computed from them.

    Args:
        graph: all of them; the policy's moves are those that it may take, with their probabilities, the opponent's are all.
        seat: the policy's.
        values: player 0's value of each position with perfect play (N,), int8; None if they are not known.
    """

    def __init__(self, graph: Graph, seat: int, values: NDArray[np.int8] | None) -> None:
        self.graph, self.seat = graph, seat
        self._sign = 1 - 2 * seat
        self._ongoing = graph.outcomes == ONGOING
        self._own = self._ongoing & (graph.movers == seat)
        self._values = values

    @cached_property
    def losses(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """How likely the policy's move keeps the value in each of its positions, and how much of it is lost there (N,); None if
        values are not known."""
        return None if self._values is None else losses(self.graph, self.seat, self._values)

    @cached_property
    def opposing(self) -> NDArray[np.int64]:
        """The positions in which the opponent is to move, in rising order."""
        return np.flatnonzero(self._ongoing & ~self._own)

    @cached_property
    def answer(self) -> NDArray[np.int64]:
        """The opponent's best moves, one in each of his positions, and -1 in others (N,)."""
        return self.best_answer()

    def grade(self) -> SeatGrade:
        """The grade of this seat."""
        answered = self.course(self.answered(self.answer))
        return SeatGrade(
            int(self.graph.sizes[self._own].sum()),
            self._optimal_positions(),
            None if self._values is None else int(self._sign * self._values[0]),
            self._line(),
            self.course().expected,
            None if self._values is None else self.course(best_only(self.graph, 1 - self.seat, self._values)).expected,
            -answered.expected.result + 0.0,
            next(iter(np.flatnonzero(answered.by_ply[:, 2]).tolist()), None),
        )

    def course(self, made: NDArray[np.int8] | None = None) -> Course:
        """How games go in which the opponent makes some moves, each equally likely.

        Args:
            made: 1 for each move of the graph that is made, else 0 (E,); None if all are.
        """
        chain = chain_of(self.graph, self.seat, made)
        own = chain.part(OWN, OWN)
        there, counted = chain.positions[own], chain.passed[own] > 0
        weights = [counted] if self.losses is None else [counted, *(numbers[there] * counted for numbers in self.losses)]
        weights = [np.ascontiguousarray(weight, np.float64) for weight in weights]
        visits, by_ply, left = np.zeros(len(chain.positions)), list[list[float]](), 0.0
        for coming, here, left in chain.plies():  # noqa: B007  the last share is needed
            visits[here] += coming[here]
            moves = coming[own] if here.start == own.start else np.zeros(0)
            by_ply.append([float(np.einsum("i,i", moves, weight[: len(moves)])) for weight in weights])
        results = chain.results(visits)
        totals = np.zeros((len(by_ply), 3))
        totals[:, : len(weights)] = by_ply
        win, draw, loss = (result / sum(results) for result in results)
        moves, *sums = totals.sum(axis=0).tolist()
        optimal, lost = (None, None) if self.losses is None else sums
        return Course(Expected(win, draw, loss, moves, optimal, lost, left), totals, visits)

    def answered(self, picks: NDArray[np.int64]) -> NDArray[np.int8]:
        """1 for each move that is made if the opponent makes these moves, one in each of his positions (N,); else 0 (E,)."""
        return only(self.graph, 1 - self.seat, picks)

    def best_answer(self, worth: tuple[float, float, float] = (1, 0, -1)) -> NDArray[np.int64]:
        """The opponent's best moves, one in each of his positions, and -1 in others (N,).

        Args:
            worth: the value for him of a game that he wins, draws and loses, from 1 to -1.

        Raises:
            ValueError: the values still rise after very many sweeps.
        """
        graph, opponent = self.graph, 1 - self.seat
        rows = pool(len(graph)), 0, len(graph)
        moves, changed = moves_of(graph), np.ones(1, np.int8)
        endless = self._ongoing.astype(np.int8)
        while changed[0]:
            changed[0] = 0
            graph.game.kernel(leave_traps)(*rows, moves, graph.movers, opponent, endless, changed)
        win, draw, loss = map(float, worth)
        # A position counts as lost until it is shown to be better; but if he can play on for ever, it is a draw.
        values = np.where(self._ongoing, np.where(endless != 0, draw, loss), draw)
        values[graph.outcomes == -self._sign], values[graph.outcomes == self._sign] = win, loss
        picks = np.full(len(graph), -1)
        for _ in range(MOST_SWEEPS):
            changed[0] = 0
            for mover in (self.seat, opponent):
                risen = values if self._alternates else values.copy()
                whom = moves, graph.chances, graph.movers, mover, opponent
                graph.game.kernel(respond)(*rows, *whom, values, risen, picks, changed)
                values = risen
            if not changed[0]:
                return np.where(self._ongoing & ~self._own, picks, -1)
        raise ValueError(f"the best answer did not converge in {MOST_SWEEPS:,} sweeps: the policy leaves cycles too rarely")

    @cached_property
    def _alternates(self) -> bool:
        """Whether no player moves twice in a row."""
        graph = self.graph
        mover = np.repeat(graph.movers, np.diff(graph.starts))
        return not ((mover == graph.movers[graph.targets]) & self._ongoing[graph.targets]).any()

    def _optimal_positions(self) -> int | None:
        if self.losses is None:
            return None
        return int(self.graph.sizes[self._own & (self.losses[1] == 0)].sum())

    def _line(self) -> tuple[int, ...] | None:
        """The first position found that is lost ends a shortest way there."""
        lost = np.flatnonzero(self.graph.outcomes == -self._sign)
        return self.graph.line(int(lost[0])) if len(lost) else None
