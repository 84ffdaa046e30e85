"""The easy Quarto player, which sees one placement ahead and no further.

With a piece in hand it wins if it can, on any of the winning cells; else it places at random. It gives a piece with which the
opponent cannot win at once if there is one, at random among those; else any piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.native import in_ranges
from ...core.native.threads import pool
from ...games.game import StateArray
from ...games.kernels.arrays import Keys, Numbers, States
from ...games.kernels.bits import has, u64
from ...games.kernels.queries import choose
from ...games.kernels.rules import legal, load
from ...games.linking import LinkedKernel, linked
from ...games.quarto.rules import GIVEN
from ..policy import Policy
from .lines import in_hand, safe_pieces, winning_cells


@dataclass(frozen=True)
class Easy(Policy):
    """Wins if it can, else places at random; gives a safe piece if there is one. Each of its choices is equally likely."""

    name: ClassVar[str] = "easy"
    games: ClassVar[tuple[str, ...] | None] = ("quarto",)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return linked(easy_actions, easy_choices)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        states, keys = self.batch(states, keys)
        good, actions = np.empty((len(states), 1), np.uint64), np.empty(len(states), np.int64)
        self.game.kernel(easy_actions)(pool(len(states)), 0, len(states), states, good, keys, actions)
        return actions

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        good = np.empty((len(states), 1), np.uint64)
        self.game.kernel(easy_choices)(pool(len(states)), 0, len(states), self.game.batch(states), good)
        bits = np.unpackbits(good.view(np.uint8), axis=1, bitorder="little", count=self.game.num_actions).astype(np.float64)
        return bits / bits.sum(axis=1, keepdims=True)


@in_ranges
def easy_actions(lo: np.uint64, hi: np.uint64, states: States, good: States, keys: Keys, actions: Numbers) -> None:
    """Draws one good action for each state by its key, each equally likely."""
    easy_choices(lo, hi, states, good)
    for i in range(lo, hi):
        actions[i] = choose(good[i], keys[i])


@in_ranges
def easy_choices(lo: np.uint64, hi: np.uint64, states: States, good: States) -> None:
    """The actions among which the player draws, as bits (N, 1)."""
    for i in range(lo, hi):
        state = load(states[i])
        # the placements that win at once, or the pieces that are safe to give
        best = winning_cells(state, in_hand(state)) if has(state[1], 36) else safe_pieces(state) << GIVEN
        good[i, 0] = best if best != u64(0) else legal(state, 0)
