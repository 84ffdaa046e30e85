"""Exact targets, which the oracle knows; and `KnownPositions`, an exam that measures a network without search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ....games.game import Game, StateArray
from ....games.kernels.rules import ONGOING
from ....oracles import OUT_OF_REACH, Oracle, make_oracle
from ....oracles.values import quick_oracle, reach_of, values_around
from ....search.mcts.guided import Evaluate
from .samples import Samples

LEAST = 1e-3
"""Added to search's policy for each action that keeps the value, so that none of them has 0."""
POSITIONS = 200
"""The test positions of a game, at most."""
GAMES = 1000
"""The random games that they come from, at most one position of each."""


@cache
def oracle_of(game: Game) -> Oracle:
    """The oracle that targets come from; its reach is such that a position with all its actions takes a few milliseconds."""
    reach = reach_of(game)
    return make_oracle(game, **(reach.grades if reach.training is None else reach.training))


def exact_targets(game: Game, states: StateArray, oracle: Oracle) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """The values of unfinished positions (N, W) with perfect play, for the player to move (N,), and the actions that keep them (N,
    A); OUT_OF_REACH and no actions where they are not known."""
    rows, actions = np.nonzero(game.masks(states))
    before, after = values_around(game, states[rows], actions, oracle)
    keeps = (after == before) & (before != OUT_OF_REACH)
    values = np.full(len(states), OUT_OF_REACH, np.int8)
    keeping = np.zeros((len(states), game.num_actions), np.bool_)
    values[rows[keeps]], keeping[rows[keeps], actions[keeps]] = before[keeps], True
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
    weights = (samples.policies[known].astype(np.float64) + LEAST) * keeping[known]
    policies[known], targets[known] = weights / weights.sum(axis=1, keepdims=True), values[known]
    return replace(samples, policies=policies, values=targets)


def lessons(game: Game, states: StateArray) -> Samples:
    """Samples of the positions (N, W) that the oracle knows: all actions that are known to keep the value are equally likely."""
    if not len(states):
        return Samples.none(game)
    values, keeping = exact_targets(game, states, oracle_of(game))
    known = values != OUT_OF_REACH
    policies = keeping[known] / keeping[known].sum(axis=1, keepdims=True)
    return Samples(states[known], policies.astype(np.float16), values[known].astype(np.float32), states[known])


@dataclass(frozen=True)
class KnownPositions:
    """Positions of random games that the oracle knows.

    Args:
        states: the positions (N, W), uint64.
        values: the value of each for the player to move (N,), int8.
        keeping: the actions that keep the value (N, A).
    """

    states: StateArray
    values: NDArray[np.int8]
    keeping: NDArray[np.bool_]

    def measure(self, evaluate: Evaluate) -> dict[str, float]:
        """The share of positions whose likeliest action keeps the value, and the mean error of values; empty without positions."""
        if not len(self.states):
            return {}
        priors, values = map(np.asarray, evaluate(self.states))
        optimal = self.keeping[np.arange(len(priors)), priors.argmax(axis=1)]
        return {"optimal": float(optimal.mean()), "value error": float(np.abs(values - self.values).mean())}


@cache
def known_positions(game: Game) -> KnownPositions:
    """The test positions of a game: always the same; none where no value is known."""
    draws, oracle = np.random.default_rng(0), quick_oracle(game)
    states = np.unique(np.array([_position(game, draws) for _ in range(GAMES)]), axis=0)
    states = states[draws.permutation(len(states))]
    reached = np.array([oracle.reaches(state) for state in states])
    if reached.any():  # else only a search knows values
        states = states[reached]
    states = states[:POSITIONS]
    values, keeping = exact_targets(game, states, oracle)
    known = values != OUT_OF_REACH
    return KnownPositions(states[known], values[known], keeping[known])


def _position(game: Game, draws: np.random.Generator) -> StateArray:
    """A position of a random game, at a uniformly random ply."""
    played, state = [game.start], game.start
    while game.outcomes(state[None])[0] == ONGOING and len(played) <= (game.max_plies or len(played)):
        state = game.plays(state[None], draws.choice(game.legal_actions(state), 1))[0]
        played.append(state)
    return played[draws.integers(len(played) - 1)]
