"""Sweeps over a graph that find the best response to a policy. Each visits every position once, in parts on all threads, and is
repeated until nothing changes.

Values start below the solution and rise to it, so that endless play is a draw: a win counts only once it is traced to an end.
"""

from __future__ import annotations

from ...games.kernels.arrays import Flags, Numbers, Rewards
from ...native import in_ranges
from .chain import GraphMoves

LEAST = 1e-13
"""A value must rise by more than this to count; smaller rises are rounding errors of the means."""


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
