"""`Oriented`: a policy that plays alike in symmetric positions, because it looks at one of all that are symmetric."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ludus.agents.policy import Policy, draw_actions
from ludus.arena.grading.answers import keys_for
from ludus.games.game import StateArray
from ludus.games.kernels import queries
from ludus.oracles.statespace.canonical import canonical, start_symmetries


@dataclass(frozen=True)
class Oriented(Policy):
    """Another policy, asked about the canonical form of each position, always with the same key there.

    Where that form is symmetric in itself, the images of the other policy's action are equally likely.

    Args:
        inner: the other policy.
        seed: the keys depend on it.
    """

    name: ClassVar[str] = "oriented"
    symmetric: ClassVar[bool] = True
    inner: Policy = field(kw_only=True)
    seed: int = field(kw_only=True)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return draw_actions(self.probabilities(states), keys)

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        game, turns = self.game, start_symmetries(self.game)
        images, which = canonical(game, states, turns)
        actions = self.inner.act(images, keys_for(game, images, self.seed))
        chances = np.zeros((len(states), game.num_actions))
        for turn, targets in enumerate(turns.actions):
            turned = np.empty_like(images)
            game.kernel(queries.permuted_states)(images, game.start, np.full(len(images), turn), *turns, turned)
            same = np.flatnonzero((turned == images).all(axis=1))
            chances[same, targets[actions[same]]] += 1
        chances /= chances.sum(axis=1, keepdims=True)
        return np.take_along_axis(chances, turns.actions[which].astype(np.int64), axis=1)

    @property
    def spec(self) -> str:
        return self.inner.spec
