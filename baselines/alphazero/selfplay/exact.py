"""Exact targets: what the oracle knows of positions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ....agents.oracles import OUT_OF_REACH, Oracle, make_oracle
from ....arena.grading.values import quick_oracle, values_of
from ....envs.games.game import Game, StateArray
from .samples import Samples

REACH: dict[str, dict[str, int]] = {"quarto": {"placed": 6}}
"""Where the oracle of a game reads less far than in tests, so that a position and all its actions take few milliseconds."""
LEAST = 1e-3
"""What an action that keeps the value has in the policy target before division, even where search thought nothing of it."""


@cache
def oracle_of(game: Game) -> Oracle:
    """The oracle that targets come from."""
    return make_oracle(game, **REACH[game.name]) if game.name in REACH else quick_oracle(game)


def exact_targets(game: Game, states: StateArray, oracle: Oracle) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """What perfect play makes of unfinished positions.

    Args:
        game: the game and variant.
        states: the positions (N, W).
        oracle: what knows them.

    Returns:
        The value of each for the player to move (N,), OUT_OF_REACH where it is not known; and the actions that are known to keep
        it (N, A), none where it is not known.
    """
    rows, actions = np.nonzero(game.masks(states))
    after = game.plays(states[rows], actions)
    values, after_values = values_of(game, states, oracle), values_of(game, after, oracle)
    turned = np.where(game.players(after) == game.players(states[rows]), after_values, -after_values)
    keeping = np.zeros((len(states), game.num_actions), np.bool_)
    keeping[rows, actions] = (turned == values[rows]) & (after_values != OUT_OF_REACH)
    keeping[values == OUT_OF_REACH] = False
    return np.where(keeping.any(axis=1), values, np.int8(OUT_OF_REACH)), keeping


def with_exact_targets(game: Game, samples: Samples) -> Samples:
    """Samples whose targets are exact where the oracle knows the position.

    The policy target of such a position is that of search, among the actions that keep the value.
    """
    values, keeping = exact_targets(game, samples.states, oracle_of(game))
    known = values != OUT_OF_REACH
    kept = (samples.policies.astype(np.float64) + LEAST) * keeping
    policies = kept / np.maximum(kept.sum(axis=1, keepdims=True), LEAST)
    return replace(
        samples,
        policies=np.where(known[:, None], policies, samples.policies).astype(np.float16),
        values=np.where(known, values, samples.values).astype(np.float32),
    )


def lessons(game: Game, states: StateArray) -> Samples:
    """Samples of the positions (N, W) that the oracle knows: the actions that keep the value are all as good."""
    samples = Samples(states, np.zeros((len(states), game.num_actions), np.float16), np.zeros(len(states), np.float32))
    found = with_exact_targets(game, samples)
    return found[found.policies.any(axis=1)]
