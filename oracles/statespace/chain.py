"""`Chain`: all games at once between two players who choose their moves by fixed probabilities.

Each position passes its share of the games on to the next positions, ply by ply, until almost all games are over. No
probability is then wrong by more than the share of the unfinished games. Positions from which no end can be reached
count as ends, too. Each position collects its share from those before it, so that threads never write to the same place, and
the order of each sum is fixed.

Sweeps over a graph find the best response to a policy. Each visits every position once, in parts on all threads, and is repeated
until nothing changes. Values start below the solution and rise to it, so that endless play is a draw: a win counts only once it is
traced to an end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.native import in_ranges, releases_gil
from ...core.native.threads import pool
from ...games.kernels.arrays import Flags, Numbers, Rewards
from .graph import Graph
from .index import Slots

SETTLED = 1e-12
"""Games are followed until the share of unfinished ones is at most this."""
MOST_PLIES = 100_000
LEAST = 1e-13
"""In a sweep, a value must rise by more than this to count; smaller rises are rounding errors of the means."""
WON, DRAWN, LOST, OWN, OTHERS = range(5)
"""The kinds of positions, in the order in which a chain has them."""


class GraphMoves(NamedTuple):
    """The moves of a graph (graph.py), and which of them are made: 1 or 0 of each (E,), or empty if all are."""

    starts: Numbers
    targets: Slots
    made: Flags


class Arrivals(NamedTuple):
    """The moves of a chain by where they lead.

    Args:
        starts: those to position i are from starts[i] up to starts[i + 1] (n + 1,).
        sources: where each comes from (m,).
        chances: its probability (m,); or empty where all moves of each position are equally likely.
    """

    starts: Numbers
    sources: Slots
    chances: Rewards


@dataclass(frozen=True, eq=False)
class Chain:
    """The positions that can come up between a player and an opponent, and the moves that lead to each.

    Args:
        graph: the graph that it is a part of.
        positions: the number in the graph of each of its n positions, by kind: won, drawn and lost for the player, those in
            which the player is to move, those in which the opponent is to move.
        ends: where each kind ends (5,).
        arrivals: its moves.
        passed: the part of its share that a position passes on by each move (n,): the move's probability, or 1 if `arrivals` has
            the probabilities; 0 where the game is over, or can never end.
    """

    graph: Graph
    positions: NDArray[np.int64]
    ends: tuple[int, ...]
    arrivals: Arrivals
    passed: NDArray[np.float64]

    def part(self, first: int, last: int) -> slice:
        """The positions of the kinds from `first` to `last`."""
        return slice(self.ends[first - 1] if first else 0, self.ends[last])

    @cached_property
    def endless(self) -> NDArray[np.int64]:
        """The positions from which no end can be reached."""
        return self.ends[LOST] + np.flatnonzero(self.passed[self.part(OWN, OTHERS)] == 0)

    def plies(self, settled: float = SETTLED) -> Iterator[tuple[NDArray[np.float64], slice, float]]:
        """For each ply, the share of games that come to each position.

        Args:
            settled: games are followed until the share of unfinished ones is at most this.

        Yields:
            The shares (n,), without finished games, in an array that is used again for the next ply; the part of the positions
                that they lie in; and their sum, without positions from which no end can be reached.

        Raises:
            ValueError: more games than `settled` are unfinished after MOST_PLIES plies.
        """
        collecting, alternates = self.graph.game.kernel(collect), self.graph.alternates
        coming, leaving = np.zeros((2, len(self.positions)))
        coming[self.positions == 0] = 1  # all games are at the start, which is position 0 of the graph
        mover = OWN if coming[self.part(OWN, OWN)].any() else OTHERS
        for _ in range(MOST_PLIES):
            here = self.part(mover, mover) if alternates else self.part(OWN, OTHERS)
            under_way = float(coming[here].sum() - coming[self.endless].sum())
            yield coming, here, under_way
            if under_way <= settled:
                return
            np.multiply(coming[here], self.passed[here], out=leaving[here])
            coming[here] = 0
            mover = OWN + OTHERS - mover  # the other one of the two
            there = self.part(mover, mover) if alternates else here
            collecting(pool(there.stop - there.start), there.start, there.stop, self.arrivals, leaving, coming)
        raise ValueError(
            f"the expected results did not converge in {MOST_PLIES:,} plies: the policy can repeat positions and leaves cycles too "
            "rarely; set its smallest probabilities to 0"
        )

    def results(self, visits: NDArray[np.float64]) -> tuple[float, float, float]:
        """How many games are won, drawn and lost for the player, endless play being drawn, of those that have come to each position
        (n,); the numbers of finished games are written there."""
        over = self.part(WON, LOST)
        self.graph.game.kernel(collect)(pool(over.stop), 0, over.stop, self.arrivals, visits * self.passed, visits)
        won, drawn, lost = (float(visits[self.part(kind, kind)].sum()) for kind in (WON, DRAWN, LOST))
        return won, drawn + float(visits[self.endless].sum()), lost


def chain_of(graph: Graph, player: int, made: NDArray[np.int8] | None = None) -> Chain:
    """The chain of a graph's moves.

    Args:
        graph: its moves have their probabilities for the player; the opponent's are all equally likely.
        player: whose kinds the positions have.
        made: 1 for each move that is made, else 0 (E,); None if all are made. All moves of the player must be.
    """
    game, count = graph.game, len(graph)
    moves = GraphMoves(graph.starts, graph.targets, np.zeros(0, np.int8) if made is None else made)
    reached, stack = np.zeros(count, np.int8), np.empty(count, np.int32)
    game.kernel(mark_reached)(moves, reached, stack)
    kinds = np.where(graph.movers == player, np.int8(OWN), np.int8(OTHERS))
    for kind, result in ((WON, 1), (DRAWN, 0), (LOST, -1)):
        kinds[graph.outcomes == result * (1 - 2 * player)] = kind
    kinds[reached == 0] = -1
    parts = [np.flatnonzero(kinds == kind) for kind in range(5)]
    positions, ends = np.concatenate(parts), tuple(np.cumsum([len(part) for part in parts]).tolist())
    numbers = np.full(count, -1, np.int32)
    numbers[positions] = np.arange(len(positions), dtype=np.int32)

    starts, degrees = np.zeros(len(positions) + 1, np.int64), np.zeros(len(positions), np.int64)
    game.kernel(count_arrivals)(moves, positions, numbers, starts, degrees)
    np.cumsum(starts, out=starts)
    even = not len(graph.chances)
    arrivals = Arrivals(starts, np.empty(starts[-1], np.int32), np.empty(0 if even else starts[-1]))
    game.kernel(write_arrivals)(moves, positions, numbers, graph.chances, ends[OWN], degrees, starts[:-1].copy(), arrivals)
    ending = np.zeros(len(positions), np.int8)
    game.kernel(mark_ending)(arrivals, ends[LOST], ending, stack)
    ending[: ends[LOST]] = 0  # a finished game passes nothing on
    return Chain(
        graph=graph, positions=positions, ends=ends, arrivals=arrivals, passed=ending / (np.maximum(degrees, 1) if even else 1)
    )


def is_made(moves: GraphMoves, move: int) -> bool:
    """Whether a move is made."""
    return moves.made.shape[0] == 0 or moves.made[move] != 0


@releases_gil
def mark_reached(moves: GraphMoves, reached: Flags, stack: Slots) -> None:
    """Marks the positions that can be reached; the stack (N,) has room for all of them."""
    reached[0] = 1
    stack[0] = 0
    depth = 1
    while depth > 0:
        depth -= 1
        position = stack[depth]
        for move in range(moves.starts[position], moves.starts[position + 1]):
            target = moves.targets[move]
            if reached[target] == 0 and is_made(moves, move):
                reached[target] = 1
                stack[depth] = target
                depth += 1


@releases_gil
def count_arrivals(moves: GraphMoves, positions: Numbers, numbers: Slots, starts: Numbers, degrees: Numbers) -> None:
    """Counts the moves to each position, at the number after its own, and from each."""
    for i in range(positions.shape[0]):
        position = positions[i]
        for move in range(moves.starts[position], moves.starts[position + 1]):
            if is_made(moves, move):
                starts[numbers[moves.targets[move]] + 1] += 1
                degrees[i] += 1


@releases_gil
def write_arrivals(
    moves: GraphMoves,
    positions: Numbers,
    numbers: Slots,
    chances: Rewards,
    others: int,
    degrees: Numbers,
    slots: Numbers,
    arrivals: Arrivals,
) -> None:
    """Writes where the moves to each position come from, and their probabilities if the graph has some.

    Args:
        moves, chances: the graph's.
        positions: the chain's; those from `others` on are the opponent's.
        numbers: the chain's number of each of the graph's.
        degrees: how many moves each has.
        slots: where the next move to each position is written; changed.
        arrivals: takes the moves.
    """
    for i in range(positions.shape[0]):
        position = positions[i]
        for move in range(moves.starts[position], moves.starts[position + 1]):
            if is_made(moves, move):
                target = numbers[moves.targets[move]]
                arrivals.sources[slots[target]] = i
                if chances.shape[0] > 0:
                    arrivals.chances[slots[target]] = chances[move] if i < others else 1 / degrees[i]
                slots[target] += 1


@releases_gil
def mark_ending(arrivals: Arrivals, finished: int, ending: Flags, stack: Slots) -> None:
    """Marks the positions from which the game can end: the finished ones, and all that have a move to a marked one."""
    depth = 0
    for i in range(finished):
        ending[i] = 1
        stack[depth] = i
        depth += 1
    while depth > 0:
        depth -= 1
        position = stack[depth]
        for arrival in range(arrivals.starts[position], arrivals.starts[position + 1]):
            source = arrivals.sources[arrival]
            if ending[source] == 0:
                ending[source] = 1
                stack[depth] = source
                depth += 1


@in_ranges
def collect(lo: int, hi: int, arrivals: Arrivals, leaving: Rewards, coming: Rewards) -> None:
    """Adds up the shares that come to each position by all moves that lead there."""
    even = arrivals.chances.shape[0] == 0
    for i in range(lo, hi):
        total = 0.0
        for arrival in range(arrivals.starts[i], arrivals.starts[i + 1]):
            share = leaving[arrivals.sources[arrival]]
            total += share if even else share * arrivals.chances[arrival]
        coming[i] = total


# ---- the best response to a policy


@in_ranges
def leave_traps(lo: int, hi: int, moves: GraphMoves, movers: Flags, opponent: int, endless: Flags, changed: Flags) -> None:
    """Unmarks positions in which an opponent of the policy cannot be sure to play on forever.

    Args:
        moves, movers: the graph's, the policy's moves being those that it may make.
        opponent: which player that is.
        endless: 1 where the opponent can (N,); at first all but finished games. The final marks do not depend on the order.
        changed: set to 1 if a position was unmarked (1,).
    """
    for i in range(lo, hi):
        if endless[i] != 0:
            staying = 0
            for move in range(moves.starts[i], moves.starts[i + 1]):
                staying += endless[moves.targets[move]]
            # the opponent needs one move that stays among them; of the policy's moves, any that leaves may be the one it makes
            needed = 1 if movers[i] == opponent else moves.starts[i + 1] - moves.starts[i]
            if staying < needed:
                endless[i] = 0
                changed[0] = 1


@in_ranges
def respond(
    lo: int,
    hi: int,
    moves: GraphMoves,
    chances: Rewards,
    movers: Flags,
    mover: int,
    opponent: int,
    values: Rewards,
    risen: Rewards,
    picks: Numbers,
    changed: Flags,
) -> None:
    """Improves an opponent's best response to a policy.

    Args:
        moves, chances, movers: the graph's, the policy's moves being those that it may make.
        mover: the player in whose positions values are improved: the policy's player, or the opponent.
        opponent: the player who responds.
        values: the value of each position for the opponent (N,), from below.
        risen: the values after this sweep (N,); `values` itself if the players take turns, as no move then leads from a position
            that is improved to another one.
        picks: the opponent's move in each of their positions (N,), or -1. A move changes only where that raises the value, so that
            no move leads round a cycle past a win, and a forced win is the quickest one.
        changed: set to 1 if a value rose (1,).
    """
    for i in range(lo, hi):
        first, end = moves.starts[i], moves.starts[i + 1]
        if movers[i] == mover and first < end and values[i] < 1.0:
            best = best_move(moves, first, end, values) if mover == opponent else -1
            value = float(values[moves.targets[best]]) if best >= 0 else mean_of(moves, first, end, chances, values)
            rises = value > values[i] + LEAST
            if rises or picks[i] < 0:
                picks[i] = best
            if rises:
                risen[i] = value
                changed[0] = 1


def best_move(moves: GraphMoves, first: int, end: int, values: Rewards) -> int:
    """The first of the best of a position's moves."""
    best = first
    for move in range(first + 1, end):
        if values[moves.targets[move]] > values[moves.targets[best]]:
            best = move
    return best


def mean_of(moves: GraphMoves, first: int, end: int, chances: Rewards, values: Rewards) -> float:
    """The mean value of a position's moves."""
    even = chances.shape[0] == 0
    total = 0.0
    for move in range(first, end):
        total += float(values[moves.targets[move]]) * (1.0 if even else float(chances[move]))
    return total / (end - first) if even else total


CHAIN_KERNELS = mark_reached, count_arrivals, write_arrivals, mark_ending, collect, leave_traps, respond
"""The kernels that follow games, and those that find best responses."""
