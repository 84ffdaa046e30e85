"""`Snapshots`: networks as they were at some time, each a player that draws its actions by their probabilities.

They are asked together: what is seen and what is legal is worked out once, and each network is given its own rows of it, without
the distributions and checks that Stable-Baselines3 puts around it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ...agents.wrapped import drawn, softmax
from ...envs.game import Game, StateArray
from ..trainer import Arrays
from .nets import load_weights

Scores = Callable[[Any, Tensor], Tensor]
"""From a network and planes (B, C, H, W) to a score of every action (B, A)."""


class Snapshots:
    """Networks that play, numbered from 0.

    Args:
        game: what they play.
        make: makes a network, with whatever weights.
        scores: asks one.
        draws: whether scores are logits, to draw by; else the highest is taken.
    """

    def __init__(self, game: Game, make: Callable[[], nn.Module], scores: Scores, draws: bool) -> None:
        self._game, self._make, self._scores, self._draws = game, make, scores, draws
        self.weights: list[Arrays] = []
        self._networks: list[nn.Module] = []

    def __len__(self) -> int:
        return len(self.weights)

    def put(self, place: int, weights: Arrays) -> None:
        """Puts a network with these weights at a place, or behind all others.

        Raises:
            ValueError: they are not those of such a network.
        """
        if place == len(self):
            self._networks.append(self._make())
            self.weights.append(weights)
        load_weights(self._networks[place], weights)
        self.weights[place] = weights

    def act(self, places: NDArray[np.int64], states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """What the network at places[i] plays in state i, by its key (B,)."""
        planes = torch.from_numpy(self._game.observations(states, self._game.players(states))).float()
        scores = np.empty((len(states), self._game.actions))
        with torch.no_grad():
            for place in np.unique(places).tolist():
                rows = np.flatnonzero(places == place)
                scores[rows] = self._scores(self._networks[place], planes[torch.from_numpy(rows)]).numpy()
        scores[self._game.masks(states) == 0] = -np.inf
        return drawn(softmax(scores), keys) if self._draws else scores.argmax(axis=1)
