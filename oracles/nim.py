"""The oracle of Nim: Grundy values, for every position of every variant.

A heap of n objects with limit k is worth n mod (k + 1), its Grundy value (n without a limit). In normal play the player to move
wins if and only if the XOR of the heaps' values, the nim-sum, is not 0. In misère play the same holds as long as some value is
above 1; when all are 0 or 1, it is the other way round. Values, not raw heaps, decide which case it is.

Source: C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3 (1901); for
the limit and misère play, Berlekamp, Conway, Guy, Winning Ways, volume 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game, StateArray
from ..games.kernels.arrays import Flags, States
from ..games.kernels.bits import ONE, bit, lowest, number, u64
from ..games.kernels.rules import ONGOING, State, legal, load, outcome, play
from ..games.linking import LinkedKernel, linked
from ..games.nim.rules import HEAPS, MISERE, Nim, size_of
from ..search.watch import Watch
from .oracle import ForPage, Oracle, PositionValues, Solution, by_name


@dataclass(frozen=True)
class NimOracle(Oracle):
    """Knows every position; there is nothing to search."""

    reach: ClassVar[str] = "every position of every variant, by Grundy values"

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return super().kernels + linked(nim_values, nim_choices)

    def for_page(self) -> ForPage:
        return ForPage("Nim", by_name(nim_values), {"period": period_of(self.game)})

    def reaches(self, state: StateArray) -> bool:
        return True

    def _solve(self, state: StateArray, watch: Watch | None = None) -> Solution:
        value = int(self.values(state[None])[0])
        bits = good_actions(self.game, state[None])[0]
        return Solution(value, tuple(np.flatnonzero(bits).tolist()))

    def position_values(self, states: StateArray, *, scores: bool = False) -> PositionValues:
        states = self.game.batch(states)
        values = np.empty(len(states), np.int8)
        self.game.kernel(nim_values)(states, period_of(self.game), values)
        return PositionValues(values, np.full(len(states), -1), None)

    @property
    def table_size(self) -> int:
        """All heaps that are at most as large as at the start, with either player to move."""
        return 2 * prod(size + 1 for size in heaps_of(self.game))

    def _table_states(self, start: int, stop: int) -> StateArray:
        rest = np.arange(start, stop, dtype=np.uint64)
        states = np.repeat(self.game.start[None], len(rest), axis=0)
        states[:, 0], states[:, 1] = 0, states[:, 1] | (rest & np.uint64(1))
        rest >>= np.uint64(1)
        for heap, size in enumerate(heaps_of(self.game)):
            rest, objects = np.divmod(rest, np.uint64(size + 1))
            states[:, 0] |= objects << np.uint64(8 * heap)
        return states


def heaps_of(game: Game) -> tuple[int, ...]:
    """The heaps at the start."""
    assert isinstance(game, Nim)
    return game.heaps


def period_of(game: Game) -> int:
    """The period of the heaps' Grundy values: the limit plus one; 0 without a limit."""
    assert isinstance(game, Nim)
    return 0 if game.limit is None else game.limit + 1


def good_actions(game: Game, states: StateArray) -> NDArray[np.uint8]:
    """The actions that keep each position's value, as zeros and ones (B, A); none where the game is over."""
    good = np.empty((len(states), game.action_words), np.uint64)
    game.kernel(nim_choices)(game.batch(states), period_of(game), good)
    return np.unpackbits(good.view(np.uint8), axis=1, bitorder="little", count=game.num_actions)


def nim_values(states: States, period: int, values: Flags) -> None:
    """The value of each position for its player to move: 1 or -1."""
    for i in range(states.shape[0]):
        values[i] = 1 if mover_wins(load(states[i]), period) else -1


def nim_choices(states: States, period: int, good: States) -> None:
    """The actions that leave the opponent in a lost position, as bits (N, K); all legal ones if none does."""
    for i in range(states.shape[0]):
        state = load(states[i])
        over = outcome(state) != ONGOING
        has_win = False
        for word in range(good.shape[1]):
            bits = u64(0) if over else legal(state, word)
            winning = u64(0)
            while bits != u64(0):
                action = lowest(bits)
                bits &= bits - ONE
                if not mover_wins(play(state, 64 * word + action), period):
                    winning |= bit(action)
            good[i, word] = winning
            has_win |= winning != u64(0)
        if not has_win and not over:
            for word in range(good.shape[1]):
                good[i, word] = legal(state, word)


def mover_wins(state: State, period: int) -> bool:
    """Whether the player to move wins with perfect play."""
    return nim_sum(state, period) != 0


def nim_sum(state: State, period: int) -> int:
    """The nim-sum, where 0 is lost for the player to move; in misère play it is flipped once all heaps' values are 0 or 1."""
    total = 0
    largest = 0
    for heap in range(number((state[1] >> HEAPS) & u64(0xFF))):
        value = size_of(state, heap)
        if period != 0:
            value %= period
        total ^= value
        largest = max(largest, value)
    misere = (state[1] >> MISERE) & ONE != u64(0)
    if misere and largest <= 1:
        total ^= 1  # only heaps worth 1 count: whoever faces an odd number of them takes the last object, and loses
    return total
