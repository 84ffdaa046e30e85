"""How a policy plays one seat: `SeatGrade`, and `SeatAnalysis`, which computes it over every position that can come up there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.native import in_ranges
from ...core.native.threads import pool
from ...core.numbers import several
from ...games.game import Game, StateArray
from ...games.kernels.arrays import Flags, Numbers, Rewards
from ...games.kernels.rules import ONGOING
from ...oracles import OUT_OF_REACH
from ...oracles.statespace.chain import OWN, SETTLED, GraphMoves, chain_of, leave_traps, respond
from ...oracles.statespace.graph import Graph
from ..quantities import Quantity, count, in_order, mean, numbers_of, share
from .calibration import Valuations
from .decisions import losses_of_actions, mean_by_position

Valued: TypeAlias = Callable[[StateArray], NDArray[np.int8]]
"""From positions (B, W) to their values for the player to move (B,): 1, 0 or -1."""
KEPT = 1e-9
"""How far rounding may put a result below the start's value."""


class Expected(NamedTuple):
    """The expected outcome of a game for a policy against some opponent; endless play counts as drawn.

    Args:
        win_rate, draw_rate, loss_rate: the probability of each.
        moves: the policy's moves in a game, except in positions from which no end can be reached.
        optimal_moves: how many of them keep the position's value; None if values are not known.
        total_value_lost: the value that they lose in all (a position's value is 1, 0 or -1); None if values are not known.
        unfinished: the share of games that were not followed to their ends; none of the three probabilities is wrong by more.
    """

    win_rate: float
    draw_rate: float
    loss_rate: float
    moves: float
    optimal_moves: float | None
    total_value_lost: float | None
    unfinished: float = 0.0

    @property
    def result(self) -> float:
        """The expected result, from 1 to -1."""
        return self.win_rate - self.loss_rate + 0.0  # not -0.0

    @property
    def optimal_rate(self) -> float | None:
        """The share of the moves that keep the value; None if values are not known, or without moves."""
        return per_move(self.optimal_moves, self.moves)

    @property
    def value_lost(self) -> float | None:
        """Value lost per move (0 to 2); None if values are not known, or without moves."""
        return per_move(self.total_value_lost, self.moves)


class SomeMoves(NamedTuple):
    """Some of the policy's moves in a game, which have a number in common.

    Args:
        number: their ply, or the number of actions that keep the value in their positions.
        moves: how many there are in a game, on average.
        optimal_moves: how many of them keep the value; None if values are not known.
        total_value_lost: the value that they lose in all; None if values are not known.
    """

    number: int
    moves: float
    optimal_moves: float | None
    total_value_lost: float | None

    @property
    def optimal_rate(self) -> float | None:
        """The share of them that keep the value; None if values are not known."""
        return per_move(self.optimal_moves, self.moves)

    @property
    def value_lost(self) -> float | None:
        """Value lost per move (0 to 2); None if values are not known."""
        return per_move(self.total_value_lost, self.moves)

    def document(self, numbered: str) -> dict[str, Any]:
        """The moves for JSON, the number under this name."""
        return {numbered: self.number, **numbers_of(self, in_order("moves optimal_rate value_lost"))}


def per_move(total: float | None, moves: float) -> float | None:
    """A total by the number of moves; None if it is not known, or without moves."""
    return None if total is None or not moves else total / moves


RESULTS = {1: "won", 0: "drawn", -1: "lost"}
OPPONENTS = ("vs_random", "vs_perfect", "vs_best_response")
GAME_NUMBERS = ("win_rate", "draw_rate", "loss_rate", "moves", "optimal_rate", "value_lost", "unfinished")
QUANTITIES = (
    *(Quantity(f"{name}_{opponent}", path=f"{opponent}.{name}") for opponent in OPPONENTS for name in GAME_NUMBERS),
    *in_order("start_value value_lost_per_game exploitability keeps_start lost_at positions optimal_positions"),
    *in_order("random_optimal_rate random_value_lost unfinished"),
)
"""The numbers of a seat in its document; `win_rate_vs_random` is the `win_rate` of `vs_random`, and so on."""
ROWS = (
    Quantity("beaten", "can be beaten"),
    Quantity("start_value", "the start is", RESULTS.__getitem__),
    Quantity("vs_random.win_rate", "against random: won %", share),
    Quantity("vs_random.draw_rate", "    drawn %", share),
    Quantity("vs_random.loss_rate", "    lost %", share),
    Quantity("vs_random.optimal_rate", "    moves that keep the value %", share),
    Quantity("vs_random.value_lost", "    value lost per move", mean),
    Quantity("random_optimal_rate", "    random moves in its positions: keep the value %", share),
    Quantity("random_value_lost", "        value lost per move", mean),
    Quantity("value_lost_per_game", "against perfect play: value lost per game", mean),
    Quantity("vs_best_response.result", "against its best response: result", "{:+.4f}".format),
    Quantity("keeping", "    keeps the start's value"),
    Quantity("positions", "positions in which it may have to move", count),
    Quantity("optimal_position_rate", "    of them played without error %", share),
)
"""The rows of the table of both seats."""


@dataclass(frozen=True)
class SeatGrade:
    """How a policy plays one seat.

    Args:
        positions: how many positions in which it is to move can come up, whatever the opponent does.
        optimal_positions: in how many of them every action that it may take keeps the value; None if values are not known.
        start_value: the start's value for this seat: 1, 0 or -1; None if values are not known.
        line: the actions of a shortest game that it loses, each of its own being one that it may take; None if it never loses.
        vs_random: against an opponent who takes every legal action with equal probability.
        vs_perfect: against one who takes every action that keeps the value with equal probability; None if values are not known.
        vs_best_response: against the opponent's best response to the policy.
        lost_at: in games against the best response, the ply of the policy's first move that may lose value; None if none does, or
            values are not known.
        by_ply: its moves against random play by ply.
        by_choice: its moves against random play where not every action keeps the value, by how many do; None if values are not
            known.
        random_optimal_rate: in the same positions as against random play, how often a random legal move keeps the value; None if
            values are not known, or without moves.
        random_value_lost: the value that such a move loses there, on average (0 to 2); None likewise.
    """

    positions: int
    optimal_positions: int | None
    start_value: int | None
    line: tuple[int, ...] | None
    vs_random: Expected
    vs_perfect: Expected | None
    vs_best_response: Expected
    lost_at: int | None
    by_ply: tuple[SomeMoves, ...]
    by_choice: tuple[SomeMoves, ...] | None
    random_optimal_rate: float | None = None
    random_value_lost: float | None = None

    @property
    def beatable(self) -> bool:
        """Whether it can lose."""
        return self.line is not None

    @property
    def exploitability(self) -> float:
        """The expected result of the opponent's best response to the policy, for the opponent."""
        return -self.vs_best_response.result + 0.0

    @property
    def value_lost_per_game(self) -> float | None:
        """How much of the start's value it loses against perfect play."""
        return None if self.start_value is None or self.vs_perfect is None else self.start_value - self.vs_perfect.result

    @property
    def keeps_start(self) -> bool | None:
        """Whether it keeps the start's value against the best response; None if values are not known."""
        return None if self.start_value is None else self.vs_best_response.result >= self.start_value - KEPT

    @property
    def beaten(self) -> str:
        """Whether it can lose, in words: after how many plies, or `no`."""
        return "no" if self.line is None else f"in {several(len(self.line), 'ply', 'plies')}"

    @property
    def keeping(self) -> str:
        """`keeps_start` in words, with where it first loses some of the value; empty if values are not known."""
        if self.keeps_start is None:
            return ""
        return (
            "yes" if self.keeps_start else "no, it goes in circles" if self.lost_at is None else f"no, lost at ply {self.lost_at}"
        )

    @property
    def optimal_position_rate(self) -> float | None:
        """The share of its positions in which every action that it may take keeps the value; None if values are not known."""
        return per_move(self.optimal_positions, self.positions)

    @property
    def unfinished(self) -> float:
        """The largest share of games that were not followed to their ends; no probability is wrong by more."""
        against = self.vs_random, self.vs_perfect, self.vs_best_response
        return max(games.unfinished for games in against if games is not None)

    def document(self, game: Game) -> dict[str, Any]:
        """The numbers by name, for JSON and for frames."""
        line = None if self.line is None else [*map(game.move_name, self.line)]
        return {"beatable": self.beatable, "line": line, **numbers_of(self, QUANTITIES)}


MOST_SWEEPS = 100_000
AT_ONCE = 1 << 14


class AverageGames(NamedTuple):
    """A policy's games against some opponent, on average.

    Args:
        expected: their outcome.
        by_ply: the number of the policy's moves in a game at each ply, how many of them keep the value, and the value that they
            lose (P, 3); the last two are 0 if values are not known.
        own: the positions of the graph in which the policy may be to move (n,).
        visits: how often each of them comes up in a game (n,); 0 where no end can be reached.
    """

    expected: Expected
    by_ply: NDArray[np.float64]
    own: NDArray[np.int64]
    visits: NDArray[np.float64]


class SeatAnalysis:
    """Computes the grade of one seat from all positions that can come up against the policy there.

    Args:
        graph: these positions, with the moves that the policy may make, and their probabilities, and all moves of the opponent.
        seat: the policy's.
        valued: gives the values of positions for the player to move, (B, W) to (B,), int8; None if they are not known. Where it
            does not know one of the graph, OUT_OF_REACH, values are not known.
        progress: called from time to time with a line about the computation.
    """

    def __init__(self, graph: Graph, seat: int, valued: Valued | None, progress: Callable[[str], object] = lambda _: None) -> None:
        self.graph, self.seat = graph, seat
        self._sign = 1 - 2 * seat
        self._ongoing = graph.outcomes == ONGOING
        self._own = self._ongoing & (graph.movers == seat)
        self._value_function, self._progress = valued, progress
        values = np.full(1, OUT_OF_REACH) if valued is None else valued(graph.states)
        self._values = None if (values == OUT_OF_REACH).any() else values * (1 - 2 * graph.movers)

    @cached_property
    def losses(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """For each of the policy's positions, the probability that its move keeps the value, and the mean value lost (N,); None if
        values are not known."""
        return None if self._values is None else losses_of(self.graph, self.seat, self._values)

    @property
    def best_moves(self) -> tuple[StateArray, NDArray[np.int16]]:
        """The positions in which the opponent is to move, in rising order (N, W), and its best moves there (N,)."""
        positions = np.flatnonzero(self._ongoing & ~self._own)
        return self.graph.states[positions], self.graph.actions[self.response[positions]]

    @cached_property
    def response(self) -> NDArray[np.int64]:
        """The opponent's best moves, one in each position in which the opponent is to move, and -1 in others (N,)."""
        return self.best_response()

    def grade(self) -> SeatGrade:
        """The grade of this seat."""
        random, perfect = self.random, None
        by_choice, optimal_rate, value_lost = self._by_choice(random)
        if self._values is not None:
            perfect = self.games_against(keep_best(self.graph, 1 - self.seat, self._values), "perfect play").expected
        best = self.games_against(self.moves_with(self.response), "its best response")
        return SeatGrade(
            positions=int(self.graph.sizes[self._own].sum()),
            optimal_positions=None if self.losses is None else int(self.graph.sizes[self._own & (self.losses[1] == 0)].sum()),
            start_value=None if self._values is None else int(self._sign * self._values[0]),
            line=self._line(),
            vs_random=random.expected,
            vs_perfect=perfect,
            vs_best_response=best.expected,
            lost_at=next(iter(np.flatnonzero(best.by_ply[:, 2]).tolist()), None),
            by_ply=self._some(random.by_ply),
            by_choice=by_choice,
            random_optimal_rate=optimal_rate,
            random_value_lost=value_lost,
        )

    @cached_property
    def random(self) -> AverageGames:
        """The games against random play."""
        return self.games_against(against="random play")

    def valuations(self) -> Valuations | None:
        """The policy's positions that can come up against random play, weighted by how often they do in a game; None if values are
        not known."""
        if self._values is None:
            return None
        seen = self.random.visits > 0
        positions = self.random.own[seen]
        return Valuations(self.graph.states[positions], self._sign * self._values[positions], self.random.visits[seen])

    def games_against(self, made: NDArray[np.int8] | None = None, against: str = "") -> AverageGames:
        """The games against an opponent who makes some moves, each equally likely.

        Args:
            made: 1 for each move of the graph that is made, else 0 (E,); None if all are.
            against: the opponent's name in lines about the progress.
        """
        chain = chain_of(self.graph, self.seat, made)
        own = chain.part(OWN, OWN)
        there, counted = chain.positions[own], chain.passed[own] > 0
        weights = [counted] if self.losses is None else [counted, *(numbers[there] * counted for numbers in self.losses)]
        weights = [np.ascontiguousarray(weight, np.float64) for weight in weights]
        visits, by_ply, left = np.zeros(len(chain.positions)), list[list[float]](), 0.0
        for coming, here, left in chain.plies():
            self._progress(f"against {against}, ply {len(by_ply)}: {left:.1e} of the games under way, to be {SETTLED:.0e}")
            visits[here] += coming[here]
            moves = coming[own] if here.start == own.start else np.zeros(0)
            by_ply.append([float(np.einsum("i,i", moves, weight[: len(moves)])) for weight in weights])
        results = chain.results(visits)
        totals = np.zeros((len(by_ply), 3))
        totals[:, : len(weights)] = by_ply
        win, draw, loss = (result / sum(results) for result in results)
        moves, *sums = totals.sum(axis=0).tolist()
        optimal, lost = (None, None) if self.losses is None else sums
        expected = Expected(
            win_rate=win,
            draw_rate=draw,
            loss_rate=loss,
            moves=moves,
            optimal_moves=optimal,
            total_value_lost=lost,
            unfinished=left,
        )
        return AverageGames(expected, totals, there, visits[own] * counted)

    def moves_with(self, picks: NDArray[np.int64]) -> NDArray[np.int8]:
        """1 for each move that is made when the opponent makes the picked moves (N,), as from `best_response`; else 0 (E,)."""
        return keep_picked(self.graph, 1 - self.seat, picks)

    def best_response(self, worth: tuple[float, float, float] = (1, 0, -1)) -> NDArray[np.int64]:
        """The opponent's best moves, one in each position in which the opponent is to move, and -1 in others (N,), by what a game
        is worth that the opponent wins, draws and loses, from 1 to -1. ValueError where the values still rise after MOST_SWEEPS
        sweeps."""
        graph, opponent = self.graph, 1 - self.seat
        rows = pool(len(graph)), 0, len(graph)
        moves, changed = moves_of(graph), np.ones(1, np.int8)
        endless = self._ongoing.astype(np.int8)
        while changed[0]:
            changed[0] = 0
            graph.game.kernel(leave_traps)(*rows, moves, graph.movers, opponent, endless, changed)
        win, draw, loss = map(float, worth)
        # Values only rise: a position counts as lost until a sweep shows a better answer, except that where the opponent can play
        # on forever it is a draw from the start.
        values = np.where(self._ongoing, np.where(endless != 0, draw, loss), draw)
        values[graph.outcomes == -self._sign], values[graph.outcomes == self._sign] = win, loss
        picks = np.full(len(graph), -1)
        for sweep in range(MOST_SWEEPS):
            self._progress(f"its best response, sweep {sweep}")
            changed[0] = 0
            for mover in (self.seat, opponent):
                # Where players alternate, a sweep reads the other player's values alone and may write in place.
                risen = values if graph.alternates else values.copy()
                whom = moves, graph.chances, graph.movers, mover, opponent
                graph.game.kernel(respond)(*rows, *whom, values, risen, picks, changed)
                values = risen
            if not changed[0]:
                return np.where(self._ongoing & ~self._own, picks, -1)
        raise ValueError(f"the best response did not converge in {MOST_SWEEPS:,} sweeps: the policy leaves cycles too rarely")

    def _some(self, rows: NDArray[np.float64]) -> tuple[SomeMoves, ...]:
        """`SomeMoves` from rows of moves, optimal moves and value lost (R, 3), numbered by row; rows without moves are left out."""
        some = tuple(SomeMoves(number, *row) for number, row in enumerate(rows.tolist()) if row[0] > 0)
        unknown = self._values is None
        return tuple(moves._replace(optimal_moves=None, total_value_lost=None) for moves in some) if unknown else some

    def _by_choice(self, games: AverageGames) -> tuple[tuple[SomeMoves, ...] | None, float | None, float | None]:
        """The policy's moves where not every action keeps the value, by how many do; and in all its positions, how often a random
        legal move keeps the value, and what such moves lose on average. None if values are not known."""
        if self._values is None or self.losses is None or self._value_function is None:
            return None, None, None
        game, rows = self.graph.game, np.zeros((self.graph.game.num_actions + 1, 3))
        # In a lost position every action keeps the value.
        random_errors = random_lost = 0.0
        asked = np.flatnonzero((games.visits > 0) & (self._sign * self._values[games.own] > -1))
        for first in range(0, len(asked), AT_ONCE):
            batch = asked[first : first + AT_ONCE]
            positions = games.own[batch]
            actions_of, _, lost = losses_of_actions(game, self.graph.states[positions], self._values_after)
            keeps, loses = (mean_by_position(actions_of, part, len(batch)) for part in (lost == 0, lost))
            random_errors += float(games.visits[batch] @ (1 - keeps))
            random_lost += float(games.visits[batch] @ loses)
            keeping = np.bincount(actions_of[lost == 0], minlength=len(batch))
            often = np.where(keeps < 1, games.visits[batch], 0)
            for column, weight in enumerate((1, self.losses[0][positions], self.losses[1][positions])):
                rows[:, column] += np.bincount(keeping, often * weight, minlength=len(rows))
            self._progress(f"moves that keep the value: {first:,} of {several(len(asked), 'position')}")
        errors, value_lost = (per_move(total, games.expected.moves) for total in (random_errors, random_lost))
        return self._some(rows), None if errors is None else 1 - errors, value_lost

    def _values_after(self, states: StateArray, actions: NDArray[np.int64]) -> NDArray[np.int8]:
        """The values after actions, for the player who takes them."""
        assert self._value_function is not None
        after = self.graph.game.plays(states, actions)
        values = self._value_function(after)
        return np.where(self.graph.game.players(after) == self.seat, values, -values)

    def _line(self) -> tuple[int, ...] | None:
        """The actions of a shortest game that the policy loses; None if it never loses."""
        # Positions are numbered in the order of their distance from the start, so the first lost one ends a shortest game.
        lost = np.flatnonzero(self.graph.outcomes == -self._sign)
        return self.graph.line(int(lost[0])) if len(lost) else None


# ---- what moves lose, and graphs in which a player makes only some moves


def losses_of(graph: Graph, player: int, values: NDArray[np.int8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each position of a player, the probability that the move keeps the value, and the mean value lost (N,); 0 elsewhere."""
    kept, lost = np.zeros((2, len(graph)))
    rest = moves_of(graph), graph.chances, graph.movers, player, values, kept, lost
    graph.game.kernel(write_losses)(pool(len(graph)), 0, len(graph), *rest)
    return kept, lost


def keep_best(graph: Graph, player: int, values: NDArray[np.int8]) -> NDArray[np.int8]:
    """1 for each move, but 0 for those of a player that lose value (E,)."""
    made = np.ones(len(graph.targets), np.int8)
    graph.game.kernel(leave_losing)(pool(len(graph)), 0, len(graph), moves_of(graph), graph.movers, player, values, made)
    return made


def keep_picked(graph: Graph, player: int, picks: NDArray[np.int64]) -> NDArray[np.int8]:
    """1 for each move, but 0 for all moves of a player except `picks`: one in each of the player's positions, -1 in others (N,)."""
    made = np.ones(len(graph.targets), np.int8)
    graph.game.kernel(leave_others)(pool(len(graph)), 0, len(graph), graph.starts, graph.movers, player, picks, made)
    return made


def moves_of(graph: Graph) -> GraphMoves:
    """All moves of a graph."""
    return GraphMoves(graph.starts, graph.targets, np.zeros(0, np.int8))


@in_ranges
def write_losses(
    lo: int, hi: int, moves: GraphMoves, chances: Rewards, movers: Flags, player: int, values: Flags, kept: Rewards, lost: Rewards
) -> None:
    """Writes, for each position of a player, the probability that the move keeps the value, and the mean value lost."""
    sign = 1 - 2 * player
    for i in range(lo, hi):
        first, end = moves.starts[i], moves.starts[i + 1]
        if movers[i] == player and first < end:
            keeping = losing = 0.0
            for move in range(first, end):
                chance = chances[move] if chances.shape[0] > 0 else 1.0
                drop = sign * (values[i] - values[moves.targets[move]])
                keeping += chance if drop == 0 else 0.0
                losing += chance * drop
            total = 1.0 if chances.shape[0] > 0 else float(end - first)
            kept[i] = keeping / total
            lost[i] = losing / total


@in_ranges
def leave_losing(lo: int, hi: int, moves: GraphMoves, movers: Flags, player: int, values: Flags, made: Flags) -> None:
    """Unmarks the moves of a player that lose value."""
    for i in range(lo, hi):
        if movers[i] == player:
            for move in range(moves.starts[i], moves.starts[i + 1]):
                made[move] = values[moves.targets[move]] == values[i]


@in_ranges
def leave_others(lo: int, hi: int, starts: Numbers, movers: Flags, player: int, picks: Numbers, made: Flags) -> None:
    """Unmarks the moves of a player that are not picked."""
    for i in range(lo, hi):
        if movers[i] == player:
            for move in range(starts[i], starts[i + 1]):
                made[move] = move == picks[i]


LOSS_KERNELS = write_losses, leave_losing, leave_others
"""The kernels of this file."""
