"""How early an opponent can make a policy lose what the start is worth."""

from __future__ import annotations

import numpy as np

from ludus.agents.oracles import make_oracle
from ludus.agents.policies.policy import Policy
from ludus.agents.statespace.canonical import canonical
from ludus.arena.grading.values import values_of
from ludus.envs.kernels.rules import ONGOING

MOST = 100_000
"""Positions in which a policy is asked at most, symmetric ones counted once."""


def first_error(policy: Policy) -> int | None:
    """How early the policy, as the first player, may lose what the start is worth: the least number of actions before its move.

    None if it never may, or not in very many positions. The opponent makes the moves that lead there soonest. Few positions can
    come up before, so that a policy of which no exact grade is possible can be asked in all of them. It must play alike in
    symmetric positions, and the players must take turns.
    """
    game, oracle = policy.game, make_oracle(policy.game)
    states, known, asked, ply = game.start[None], set[bytes](), 0, 0
    (worth,) = values_of(game, states, oracle)
    while len(states) and asked <= MOST:
        own = bool(game.players(states[:1])[0] == 0)
        rows, actions = np.nonzero(policy.probabilities(states) if own else game.masks(states))
        after = game.plays(states[rows], actions)
        if own and (-values_of(game, after, oracle) < worth).any():
            return ply
        asked += len(states) if own else 0
        after = np.unique(canonical(game, after[game.outcomes(after) == ONGOING])[0], axis=0)
        states = after[[one.tobytes() not in known for one in after]]
        known.update(one.tobytes() for one in states)
        ply += 1
    return None
