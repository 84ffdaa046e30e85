"""The nim-sum player: perfect Nim, normal and misère, with a limit or without.

A heap of n objects with limit k is worth n mod (k + 1), its Grundy value (n without a limit). In normal play the player to move
wins if and only if the XOR of the heaps' values, the nim-sum, is not 0. In misère play the same holds as long as some value is
above 1; when all are 0 or 1, it is the other way round. Values, not raw heaps, decide which case it is.

Source: C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3 (1901); for
the limit and misère play, Berlekamp, Conway, Guy, Winning Ways, volume 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..envs.game import StateArray
from ..envs.games.nim import HEAPS, MISERE, Nim, size_of
from ..envs.kernels.arrays import Keys, Numbers, States
from ..envs.kernels.bits import ONE, bit, has, number, u64
from ..envs.kernels.queries import choose
from ..envs.rules import State, legal, load, play
from .policy import Policy


@dataclass(frozen=True)
class NimSum(Policy):
    """Of the moves that leave the opponent a lost position, one at random; if there is none, any legal move."""

    name: ClassVar[str] = "nim_sum"
    games: ClassVar[tuple[str, ...] | None] = ("nim",)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        actions = np.empty(len(states), np.int64)
        good = np.empty((len(states), self.game.action_words), np.uint64)
        self.game.kernel(nim_sum_actions)(
            np.ascontiguousarray(states), self._period, good, np.ascontiguousarray(keys, np.uint64), actions
        )
        return actions

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        good = np.empty((len(states), self.game.action_words), np.uint64)
        self.game.kernel(nim_sum_choices)(np.ascontiguousarray(states), self._period, good)
        bits = np.unpackbits(good.view(np.uint8), axis=1, bitorder="little", count=self.game.actions).astype(np.float64)
        return bits / bits.sum(axis=1, keepdims=True)

    @property
    def _period(self) -> int:
        """Grundy values repeat after so many objects: the limit plus one; 0 where there is no limit."""
        assert isinstance(self.game, Nim)
        return 0 if self.game.limit is None else self.game.limit + 1


def nim_sum_actions(states: States, period: int, good: States, keys: Keys, actions: Numbers) -> None:
    """One good action a state, each equally likely, by the state's key."""
    nim_sum_choices(states, period, good)
    for i in range(states.shape[0]):
        actions[i] = choose(good[i], keys[i])


def nim_sum_choices(states: States, period: int, good: States) -> None:
    """The actions that leave the opponent a lost position, as bits (N, K); all legal ones where there is none."""
    for i in range(states.shape[0]):
        state = load(states[i])
        found = False
        for word in range(good.shape[1]):
            legal_bits = legal(state, word)
            winning = u64(0)
            for b in range(64):
                if has(legal_bits, b) and not mover_wins(play(state, 64 * word + b), period):
                    winning |= bit(b)
            good[i, word] = winning
            found |= winning != u64(0)
        if not found:
            for word in range(good.shape[1]):
                good[i, word] = legal(state, word)


def mover_wins(state: State, period: int) -> bool:
    """Whether the player to move wins with perfect play."""
    nim_sum = 0
    largest = 0
    for heap in range(number((state[1] >> HEAPS) & u64(0xFF))):
        value = size_of(state, heap)
        if period != 0:
            value %= period
        nim_sum ^= value
        largest = max(largest, value)
    misere = (state[1] >> MISERE) & ONE != u64(0)
    if misere and largest <= 1:
        return nim_sum == 0
    return nim_sum != 0
