"""`StateIndex`: numbers for many states, by a hash table with open addressing.

States are numbered from 0 in their order. A state's hash gives the slot where the search for it begins; a slot holds a state's
number, or EMPTY, and at least half of all slots are empty.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.native import in_ranges
from ...core.native.threads import pool
from ...games.game import Game, StateArray
from ...games.kernels.arrays import Numbers, States
from ...games.kernels.bits import number, u64
from ...games.kernels.rules import State, load
from ...search.transposition import hash_of

Slots: TypeAlias = Annotated[NDArray[np.int32], 1]
"""Numbers of states, or EMPTY; a power of two."""
EMPTY = -1


class StateIndex:
    """Numbers for different states (N, W): the number of a state is its row."""

    def __init__(self, game: Game, states: StateArray) -> None:
        self._game, self.states = game, game.batch(states)
        self._slots = slots_for(len(states))
        game.kernel(fill)(self.states, 0, len(states), self._slots)

    def find(self, states: StateArray) -> NDArray[np.int64]:
        """The number of each state (B,), int64; -1 of a state that is not in the index."""
        numbers = np.empty(len(states), np.int64)
        wanted = self._game.batch(states)
        self._game.kernel(find_all)(pool(len(wanted)), 0, len(wanted), wanted, self.states, self._slots, numbers)
        return numbers


def slots_for(count: int) -> NDArray[np.int32]:
    """Empty slots, enough for this many states."""
    return np.full(1 << max(4, (2 * count - 1).bit_length()), EMPTY, np.int32)


def fill(states: States, start: int, stop: int, slots: Slots) -> None:
    """Enters the states numbered from start to stop; one that is there already keeps its lower number."""
    for i in range(start, stop):
        slot = slot_of(load(states[i]), states, slots)
        if slots[slot] == EMPTY:
            slots[slot] = i


@in_ranges
def find_all(lo: int, hi: int, wanted: States, states: States, slots: Slots, numbers: Numbers) -> None:
    """The number of each wanted state, or -1."""
    for i in range(lo, hi):
        numbers[i] = slots[slot_of(load(wanted[i]), states, slots)]


def slot_of(state: State, states: States, slots: Slots) -> int:
    """The slot of a state's number, or the empty one for it."""
    slot = number(hash_of(state) & u64(slots.shape[0] - 1))
    # linear probing; it ends, as at least half of the slots are empty
    while slots[slot] != EMPTY and load(states[slots[slot]]) != state:
        slot = (slot + 1) & (slots.shape[0] - 1)
    return slot


INDEX_KERNELS = fill, find_all
"""The kernels that an index needs."""
