"""`KnownPositions`: test positions whose values are known exactly, to measure a network without search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ....games.game import Game, StateArray
from ....games.kernels.rules import ONGOING
from ....oracles import OUT_OF_REACH
from ....oracles.values import quick_oracle
from ....search.mcts.guided import Evaluate
from .exact import exact_targets

POSITIONS = 200
GAMES = 1000
"""The random games that they come from, at most one position of each."""


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
        """How often the likeliest action keeps the value, and the mean error of values; empty without positions."""
        if not len(self.states):
            return {}
        priors, values = map(np.asarray, evaluate(self.states))
        optimal = self.keeping[np.arange(len(priors)), priors.argmax(axis=1)]
        return {"optimal": float(optimal.mean()), "value error": float(np.abs(values - self.values).mean())}


@cache
def known_positions(game: Game) -> KnownPositions:
    """The test positions of a game: always the same; none where no value is known."""
    draws, oracle = np.random.default_rng(0), quick_oracle(game)
    found = [_position(game, draws) for _ in range(GAMES)]
    states = np.unique(np.array(found), axis=0)
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
