"""The best play against an opponent known to move at random: the expectimax player; the greedy one looks a single ply ahead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.native.threads import share
from ..games.evaluation import Evaluation
from ..games.game import StateArray
from ..games.linking import LinkedKernel
from ..search.alphabeta.expectimax import expect
from ..search.alphabeta.negamax import UNWATCHED_DEPTH, Depth
from ..search.evaluations import Mobility, evaluation_of
from ..search.watch import Watch
from .policy import Policy


@dataclass(frozen=True)
class Expectimax(Policy):
    """Plays the action with the highest expected result if the opponent moves at random; the key decides between equals.

    Nothing can be pruned, so depths beyond 4 or 5 take long where there are many actions.

    Args:
        depth: plies to search.
        evaluation: `classic` (the game's own) or `plain` (finished games only).
        mobility: weight of mobility in an evaluation that has one.
    """

    name: ClassVar[str] = "expectimax"

    depth: Depth = 3
    evaluation: str = "classic"
    mobility: Mobility = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._evaluation  # noqa: B018  raises at once, not in the first move, where there is no such evaluation

    @cached_property
    def _evaluation(self) -> Evaluation:
        return evaluation_of(self.game, self.evaluation, self.mobility)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return (LinkedKernel(expect, self._evaluation.plugs),)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.search(states, keys)[0]

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        _, values = self.search(states, np.zeros(len(states), np.uint64))
        best = (values == values.max(axis=1, keepdims=True)).astype(np.float64)
        return best / best.sum(axis=1, keepdims=True)

    def search(self, states: StateArray, keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The best actions (B,), and the expected result of each action (B, A), -2 where it is not legal."""
        kernel = self.game.kernel(expect, self._evaluation.plugs)
        states, keys = self.batch(states, keys)
        actions, values = np.empty(len(states), np.int64), np.empty((len(states), self.game.num_actions))
        weights = self._evaluation.numbers

        watch = Watch()

        def work(rows: Iterator[int]) -> None:
            for row in rows:
                key, words = int(keys[row]), self.game.action_words
                actions[row] = kernel(states[row], key, self.depth, words, weights, values[row], watch.words)

        everything = partial(share, len(states), work, watch.stop)
        watch.run(everything, short=self.depth <= UNWATCHED_DEPTH)
        return actions, values


@dataclass(frozen=True)
class Greedy(Policy):
    """Plays the action with the best classic evaluation after it, a win first; equally good actions are equally likely."""

    name: ClassVar[str] = "greedy"
    symmetric: ClassVar[bool] = True

    @cached_property
    def _look(self) -> Expectimax:
        return Expectimax(self.game, depth=1)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return self._look.kernels

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self._look.act(states, keys)

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        return self._look.probabilities(states)
