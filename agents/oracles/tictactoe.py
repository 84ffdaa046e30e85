"""The oracle of tic-tac-toe: the whole game, searched once and kept in a table of a byte a state.

    bit   0-1             2-5
          value + 2       plies to the end (of a draw too, where it is the empty cells)

A state that cannot come up in play holds 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...envs.games.game import Game, StateArray
from ...envs.games.linking import Linked, linked
from ...envs.kernels.arrays import Flags, Words
from ...envs.kernels.bits import ONE, lowest, number, u64
from ...envs.kernels.rules import ONGOING, State, legal, load, outcome, play, player
from ..search.watch import Watch
from .oracle import OUT_OF_REACH, UNKNOWN, Oracle, Solution

STATES = 1 << 19


@dataclass(frozen=True)
class TicTacToeOracle(Oracle):
    """Knows every position, with its distance."""

    reach: ClassVar[str] = "every position, from a table of the whole game"

    @property
    def kernels(self) -> tuple[Linked, ...]:
        return super().kernels + linked(tabulate)

    def reaches(self, state: StateArray) -> bool:
        return bool(table_of(self.game)[int(state[0])])

    def _solve(self, state: StateArray, watch: Watch | None = None) -> Solution:
        table = table_of(self.game)
        entry = int(table[int(state[0])])
        if entry == 0:
            return UNKNOWN
        value = value_of(entry)
        after = {action: int(table[int(self.game.play(state, action)[0])]) for action in self.game.legal_actions(state)}
        best = tuple(action for action, entry in after.items() if -value_of(entry) == value)
        return Solution(value, best, distance_of(entry) if value else None)

    def values(self, states: StateArray) -> NDArray[np.int8]:
        entries = table_of(self.game)[states[:, 0].astype(np.int64)]
        return np.where(entries == 0, np.int8(OUT_OF_REACH), (entries & 3) - 2).astype(np.int8)


@cache
def table_of(game: Game) -> NDArray[np.int8]:
    """The table of the whole game (2^19,)."""
    table = np.zeros(STATES, np.int8)
    game.kernel(tabulate)(game.start.copy(), table)
    return table


def value_of(entry: int) -> int:
    """The value for the player to move."""
    return (entry & 3) - 2


def distance_of(entry: int) -> int:
    """Plies to the end."""
    return entry >> 2


def tabulate(words: Words, table: Flags) -> None:
    """Fills the table with every state that can come up from one on."""
    settle(load(words), table)


def settle(state: State, table: Flags) -> int:
    """A state's entry, made with those of all states after it where it is not there yet."""
    place = number(state[0])
    if table[place] != 0:
        return number(u64(table[place]))
    result = outcome(state)
    value = (1 - 2 * player(state)) * result
    distance = 0
    if result == ONGOING:
        value, distance = -1, -1
        bits = legal(state, 0)
        while bits != u64(0):
            entry = settle(play(state, lowest(bits)), table)
            bits &= bits - ONE
            reply, plies = -value_of(entry), distance_of(entry) + 1
            hurry = 1 if reply > 0 else -1
            if reply > value or distance < 0 or (reply == value and hurry * plies < hurry * distance):
                value, distance = reply, plies
    table[place] = value + 2 | distance << 2
    return value + 2 | distance << 2
