"""`Snapshots`: networks as they were at some time, each a player among legal actions.

They are asked together: what is seen and what is legal is worked out once, and each network is given its own rows of it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import drawn
from ...agents.wrapped import softmax
from ...envs.game import Game, StateArray
from ..trainer import Arrays
from .nets import Scorer, load_weights


class Snapshots:
    """Networks that play, numbered from 0.

    Args:
        game: what they play.
        make: makes a network, with whatever weights.
        draws: whether scores are logits, to draw by; else the highest is taken.
    """

    def __init__(self, game: Game, make: Callable[[], Scorer], draws: bool) -> None:
        self._game, self._make, self._draws = game, make, draws
        self._scorers: list[Scorer] = []
        self.weights: list[Arrays] = []

    def __len__(self) -> int:
        return len(self.weights)

    def put(self, place: int, weights: Arrays) -> None:
        """Puts a network with these weights at a place, or behind all others.

        Raises:
            ValueError: they are not those of such a network.
        """
        if place == len(self):
            self._scorers.append(self._make())
            self.weights.append(weights)
        load_weights(self._scorers[place].network, weights)
        self.weights[place] = weights

    def act(self, places: NDArray[np.int64], states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """What the network at places[i] plays in state i, by its key (B,)."""
        seen = self._game.observations(states, self._game.players(states))
        scores = np.empty((len(states), self._game.actions))
        for place in np.unique(places).tolist():
            rows = np.flatnonzero(places == place)
            scores[rows] = self._scorers[place](seen[rows])
        scores[self._game.masks(states) == 0] = -np.inf
        return drawn(softmax(scores), keys) if self._draws else scores.argmax(axis=1)
