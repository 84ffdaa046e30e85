"""Sweeps over a graph: each visits every position once, most of them from the highest number to the lowest, so that results
of later positions reach earlier ones. Without cycles one sweep is enough; else they are repeated until nothing changes.

All of them compute least fixed points from below, which makes endless play a draw: nothing is won or lost until some ending shows
that it is.
"""

from __future__ import annotations

from ...envs.kernels.arrays import Flags, Numbers
from .graph import Chances
from .index import Slots

LEAST = 1e-14
"""By how much a value must rise to count."""


def find_ends(starts: Numbers, targets: Slots, chances: Chances, ending: Flags) -> int:
    """Marks positions from which the game can come to an end.

    Args:
        starts, targets: the graph's.
        chances: the probability of each move (E,).
        ending: 1 where it can (N,); at first only finished games.

    Returns:
        How many positions were marked.
    """
    marked = 0
    for i in range(starts.shape[0] - 2, -1, -1):
        if ending[i] == 0:
            found = 0
            for move in range(starts[i], starts[i + 1]):
                if chances[move] > 0.0 and ending[targets[move]] != 0:
                    found = 1
            ending[i] = found
            marked += found
    return marked


def leave_traps(starts: Numbers, targets: Slots, movers: Flags, opponent: int, endless: Flags) -> int:
    """Unmarks positions in which an opponent of the policy cannot be sure to play for ever.

    Args:
        starts, targets, movers: the graph's, the policy's moves being those that it may make.
        opponent: which player that is.
        endless: 1 where it can (N,); at first all but finished games.

    Returns:
        How many positions were unmarked.
    """
    unmarked = 0
    for i in range(starts.shape[0] - 2, -1, -1):
        if endless[i] != 0:
            staying = 0
            for move in range(starts[i], starts[i + 1]):
                staying += endless[targets[move]]
            needed = 1 if movers[i] == opponent else starts[i + 1] - starts[i]
            if staying < needed:
                endless[i] = 0
                unmarked += 1
    return unmarked


def respond(
    starts: Numbers,
    targets: Slots,
    chances: Chances,
    movers: Flags,
    opponent: int,
    values: Chances,
    picks: Numbers,
) -> int:
    """Improves an opponent's best response to a policy.

    Args:
        starts, targets, chances, movers: the graph's, the policy's moves being those that it may make.
        opponent: the player who responds.
        values: the value of each position for the opponent (N,), from below.
        picks: the opponent's move in each of their positions (N,), or -1. A move changes only where that raises the value, so that
            no move leads round a cycle past a win.

    Returns:
        How many values rose.
    """
    risen = 0
    for i in range(starts.shape[0] - 2, -1, -1):
        if starts[i] == starts[i + 1] or values[i] >= 1.0:
            continue
        value = -1.0
        if movers[i] == opponent:
            best = starts[i]
            for move in range(starts[i], starts[i + 1]):
                if values[targets[move]] > value:
                    value = values[targets[move]]
                    best = move
            if picks[i] < 0 or value > values[i] + LEAST:
                picks[i] = best
        else:
            value = 0.0
            for move in range(starts[i], starts[i + 1]):
                value += chances[move] * values[targets[move]]
        if value > values[i] + LEAST:
            values[i] = value
            risen += 1
    return risen


def push(starts: Numbers, targets: Slots, chances: Chances, ending: Flags, coming: Chances, visits: Chances) -> None:
    """Pushes probabilities of games from where they are to the end.

    Args:
        starts, targets: the graph's.
        chances: the probability of each move (E,).
        ending: 1 where the game can come to an end (N,); elsewhere it is over too, as a draw.
        coming: games that have reached each position and wait there (N,).
        visits: games that have passed through each so far, or ended there (N,).
    """
    for i in range(coming.shape[0]):
        games = coming[i]
        if games > 0.0:
            coming[i] = 0.0
            visits[i] += games
            if ending[i] != 0:
                for move in range(starts[i], starts[i + 1]):
                    coming[targets[move]] += games * chances[move]
