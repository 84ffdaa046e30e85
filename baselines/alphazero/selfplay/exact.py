"""Exact targets: what the oracle knows of positions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ....games.game import Game, StateArray
from ....oracles import OUT_OF_REACH, Oracle, make_oracle
from ....oracles.values import quick_oracle, values_around
from .samples import Samples

REACH: dict[str, dict[str, int]] = {"quarto": {"placed": 6}}
"""Games whose oracle reaches less far here than in the exam, so that a position with all its actions takes a few milliseconds."""
LEAST = 1e-3
"""Added to search's policy for each action that keeps the value, so that none of them has 0."""


@cache
def oracle_of(game: Game) -> Oracle:
    """The oracle that targets come from."""
    return make_oracle(game, **REACH[game.name]) if game.name in REACH else quick_oracle(game)


def exact_targets(game: Game, states: StateArray, oracle: Oracle) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """What perfect play makes of unfinished positions.

    Args:
        game: the game and variant.
        states: the positions (N, W).
        oracle: the oracle.

    Returns:
        The value of each for the player to move (N,), OUT_OF_REACH where it is not known; and the actions that are known to keep
        it (N, A), none where it is not known.
    """
    rows, actions = np.nonzero(game.masks(states))
    before, after = values_around(game, states[rows], actions, oracle)
    kept = (after == before) & (before != OUT_OF_REACH)
    values = np.full(len(states), OUT_OF_REACH, np.int8)
    keeping = np.zeros((len(states), game.num_actions), np.bool_)
    values[rows[kept]], keeping[rows[kept], actions[kept]] = before[kept], True
    return values, keeping


def with_exact_targets(game: Game, samples: Samples) -> Samples:
    """Samples with exact targets where the oracle knows the position.

    The policy there is that of search, among the actions that are known to keep the value.
    """
    if not len(samples):
        return samples
    values, keeping = exact_targets(game, samples.states, oracle_of(game))
    known = values != OUT_OF_REACH
    policies, targets = samples.policies.copy(), samples.values.copy()
    kept = (samples.policies[known].astype(np.float64) + LEAST) * keeping[known]
    policies[known], targets[known] = kept / kept.sum(axis=1, keepdims=True), values[known]
    return replace(samples, policies=policies, values=targets)


def lessons(game: Game, states: StateArray) -> Samples:
    """Samples of the positions (N, W) that the oracle knows: all actions that are known to keep the value are equally likely."""
    if not len(states):
        return Samples.none(game)
    values, keeping = exact_targets(game, states, oracle_of(game))
    known = values != OUT_OF_REACH
    policies = keeping[known] / keeping[known].sum(axis=1, keepdims=True)
    return Samples(states[known], policies.astype(np.float16), values[known].astype(np.float32), states[known])
