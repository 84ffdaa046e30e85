"""The oracle of Quixo: all boards of 3×3 and 4×4 from tables, endings of 5×5 by search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import Range
from ...games.game import Game, StateArray
from ...games.linking import LinkedKernel, linked
from ...games.quixo.rules import Quixo
from ...search.watch import Watch
from ..oracle import UNKNOWN, Oracle, Solution, solution_for_mover
from . import endings
from .boards import numbers, numbers_of
from .retrograde import DRAWN, SOLVING
from .table import Table, table_of

# The meaning of each table entry (retrograde.py): the value for the player to move, and plies to the end, or -1.
VALUES = np.sign(DRAWN - np.arange(256)).astype(np.int8)
DISTANCES = np.array([entry - 1 if entry < DRAWN else 255 - entry if entry > DRAWN else -1 for entry in range(256)])
LARGEST_TABLE = 4
ANSWERS = 2**18
"""Answers that the search keeps, in words of 8 bytes."""


@dataclass(frozen=True)
class QuixoOracle(Oracle):
    """Quixo on 3×3 and 4×4, every board whatever its numbers of marks; on 5×5 wins and losses within a few plies.

    The tables are made at first use (4×4: two seconds of one core) and kept in the cache. A board that holds a line of the player
    to move is won, else one with a line of the opponent's is lost, both at distance 0; play that never ends is a draw.

    On 5×5 the best actions of a won position are those proven to win within `depth` plies, or within its distance
    where that is more: whether another action wins later is not known.

    Args:
        game: Quixo of any size.
        depth: plies that are searched on 5×5 without a watch, 1 to 127; 7 takes some milliseconds a position.

    Raises:
        ValueError: another game, or no such depth.
    """

    game: Quixo  # pyright: ignore[reportIncompatibleVariableOverride]
    depth: Annotated[int, Range(1, endings.LONGEST)] = 7

    title: ClassVar[str] = "the oracle of Quixo"
    games: ClassVar[type[Game]] = Quixo
    reach: ClassVar[str] = "every board of 3×3 and 4×4; on 5×5 wins and losses within a few plies"

    @property
    def has_table(self) -> bool:
        """Whether the size is solved as a whole."""
        return self.game.size <= LARGEST_TABLE

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return super().kernels + linked(*([numbers, *SOLVING] if self.has_table else [endings.winning_actions, endings.is_lost]))

    def reaches(self, state: StateArray) -> bool:
        """Whether the position is known for certain: on 5×5 one that is over; of others only a search can tell."""
        return self.has_table or self.game.outcome(state) is not None

    def _solve(self, state: StateArray, watch: Watch | None = None) -> Solution:
        """The solution; on 5×5 a watch makes the search deepen until a limit ends it."""
        if not self.has_table:
            return self._search(state, watch)
        table = table_of(self.game.size, watch)
        return UNKNOWN if table is None else self._read_solutions(table, state[None])[0]

    def after(self, state: StateArray, actions: Sequence[int] | None = None) -> dict[int, Solution]:
        if not self.has_table:
            return super().after(state, actions)
        actions = self.game.legal_actions(state) if actions is None else actions
        solutions = self._read_solutions(self._table(), self.game.plays(np.repeat(state[None], len(actions), axis=0), actions))
        return {action: solution_for_mover(solution, False) for action, solution in zip(actions, solutions, strict=True)}

    def choices_of(self, states: StateArray) -> NDArray[np.int64]:
        if not self.has_table:
            return super().choices_of(states)
        rows, actions = np.nonzero(self.game.masks(states))
        replies = self._entries(self._table(), self.game.plays(states[rows], actions))
        best = np.zeros(len(states), replies.dtype)
        np.maximum.at(best, rows, replies)
        choices = np.zeros((len(states), self.game.num_actions), np.int64)
        choices[rows, actions] = replies == best[rows]
        return choices

    def values(self, states: StateArray) -> NDArray[np.int8]:
        """The value of each state (B,); OUT_OF_REACH where it is not known."""
        return VALUES[self._entries(self._table(), states)] if self.has_table else super().values(states)

    def distances(self, states: StateArray) -> NDArray[np.int64]:
        """Plies to the end of each state (B,); -1 for a draw, or where it is not known."""
        if self.has_table:
            return DISTANCES[self._entries(self._table(), states)]
        distances = (self.distance(state) for state in states)
        return np.array([-1 if distance is None else distance for distance in distances], np.int64)

    def counts(self, watch: Watch | None = None) -> tuple[int, int, int] | None:
        """How many of all boards are won, lost and drawn for the player to move; None where a limit of the watch came first.

        Raises:
            ValueError: the size is not solved as a whole.
        """
        if not self.has_table:
            raise ValueError(f"Quixo is solved as a whole on 3×3 and 4×4 here, not {self.game.size}×{self.game.size}")
        table = table_of(self.game.size, watch)
        if table is None:
            return None
        won, lost = int(np.count_nonzero(table < DRAWN)), int(np.count_nonzero(table > DRAWN))
        return won, lost, len(table) - won - lost

    def _table(self) -> Table:
        table = table_of(self.game.size)
        assert table is not None  # there was no limit
        return table

    def _entries(self, table: Table, states: StateArray) -> NDArray[np.uint8]:
        return table[numbers_of(self.game, states)]

    def _read_solutions(self, table: Table, states: StateArray) -> list[Solution]:
        """The solution of each state, read from the table."""
        entries = self._entries(table, states)
        rows, actions = np.nonzero(self.game.masks(states))
        replies = self._entries(table, self.game.plays(states[rows], actions))
        keeps = VALUES[replies] == -VALUES[entries[rows]]
        best, ends = actions[keeps].tolist(), np.searchsorted(rows[keeps], np.arange(len(states) + 1)).tolist()
        rows_read = zip(VALUES[entries].tolist(), DISTANCES[entries].tolist(), strict=True)
        return [
            Solution(value, tuple(best[ends[i] : ends[i + 1]]), None if distance < 0 else distance)
            for i, (value, distance) in enumerate(rows_read)
        ]

    def _search(self, state: StateArray, watch: Watch | None) -> Solution:
        """The solution of a position by search, one ply deeper each time."""
        if outcome := self.game.outcome(state):
            return Solution(outcome[self.game.player(state)], (), 0)
        followed = watch or Watch()
        deepest = endings.LONGEST if watch else self.depth
        return followed.run(lambda: self._deepen(np.array(state), deepest, followed))

    def _deepen(self, state: StateArray, deepest: int, watch: Watch) -> Solution:
        answers = np.zeros(ANSWERS, np.uint64)
        winning_actions, is_lost = self.game.kernel(endings.winning_actions), self.game.kernel(endings.is_lost)
        for plies in range(1, deepest + 1):
            if winning := winning_actions(state, plies, answers, watch.words):
                # the slower wins within the promised depth keep the value too
                winning |= winning_actions(state, max(plies, self.depth), answers, watch.words)
                return Solution(1, _actions(winning), plies)
            if is_lost(state, plies, answers, watch.words):
                return Solution(-1, tuple(self.game.legal_actions(state)), plies)
            if watch.stopped:
                break
        return UNKNOWN


def _actions(bits: int) -> tuple[int, ...]:
    """The numbers of the bits set."""
    return tuple(action for action in range(bits.bit_length()) if bits >> action & 1)
