"""How early an opponent can make a policy lose what the start is worth, and whether it can make it lose for certain."""

from __future__ import annotations

import numpy as np

from ludus.agents.policy import Policy
from ludus.games.kernels.rules import ONGOING
from ludus.oracles import make_oracle
from ludus.oracles.statespace.canonical import canonical
from ludus.oracles.values import values_of

MOST = 100_000
"""Positions in which a policy is asked at most, symmetric ones counted once."""
MOST_FORCED = 2_000
"""The same for a proof that a policy can be beaten, which searches are asked for, too."""


def first_error(policy: Policy) -> int | None:
    """How early the policy, as the first player, may lose what the start is worth: the least number of actions before its move.

    None if it never may, or not in very many positions.
    """
    game = policy.game
    (worth,) = values_of(game, game.start[None], make_oracle(game))
    return first_below(policy, int(worth), MOST)


def forced_loss(policy: Policy) -> int | None:
    """How early an opponent can force the policy, as the first player, to move into a lost position: the number of actions before.

    The opponent then wins for certain. None if that is not found in very many positions.
    """
    return first_below(policy, 0, MOST_FORCED, forced=True)


def first_below(policy: Policy, value: int, most: int, *, forced: bool = False) -> int | None:
    """The least number of actions before a move of the first player after which its position is worth less than a value.

    The opponent makes the moves that lead there soonest. Few positions can come up before, so that a policy of which no exact
    grade is possible can be asked in all of them. It must play alike in symmetric positions, and the players must take turns.

    Args:
        policy: the policy, as the first player.
        value: the value that it should keep.
        most: after how many positions to give up.
        forced: whether only positions count that come up for certain, because all that the policy may do before is symmetric.
    """
    game, oracle = policy.game, make_oracle(policy.game)
    states, known, asked, ply = game.start[None], set[bytes](), 0, 0
    while len(states) and asked <= most:
        own = bool(game.players(states[:1])[0] == 0)
        rows, actions = np.nonzero(policy.probabilities(states) if own else game.masks(states))
        after = canonical(game, game.plays(states[rows], actions))[0]
        if own and forced:
            differs = (after != after[np.searchsorted(rows, rows)]).any(axis=1)
            after = after[np.bincount(rows, differs)[rows] == 0]
        if own and (-values_of(game, after, oracle) < value).any():
            return ply
        asked += len(states) if own else 0
        after = np.unique(after[game.outcomes(after) == ONGOING], axis=0)
        states = after[[one.tobytes() not in known for one in after]]
        known.update(one.tobytes() for one in states)
        ply += 1
    return None
