"""The oracle of Quixo: all boards of 3×3 and 4×4 from tables, endings of 5×5 by search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import Range
from ...games.game import Game, StateArray
from ...games.linking import LinkedKernel, linked
from ...games.quixo.rules import Quixo
from ...search.watch import Watch
from ..oracle import OUT_OF_REACH, UNKNOWN, ForPage, Oracle, PositionValues, Solution, by_name
from . import endings
from .boards import PART, fill_parts, numbers, numbers_of, states_of, tables_of
from .retrograde import DRAWN, SOLVING, file_of

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
    reach: ClassVar[str] = "every board of 3×3 and 4×4; on 5×5 wins and losses within a few moves"

    @property
    def has_table(self) -> bool:
        """Whether the size is solved as a whole."""
        return self.game.size <= LARGEST_TABLE

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return super().kernels + linked(*([numbers, *SOLVING] if self.has_table else [endings.winning_actions, endings.is_lost]))

    def for_page(self) -> ForPage:
        if not self.has_table:
            kernels = by_name(endings.winning_actions, endings.is_lost)
            return ForPage("QuixoEndings", kernels, {"depth": self.depth, "answers": ANSWERS})
        tables = tables_of(self.game.size)
        about = {
            "size": self.game.size,
            "part": PART,
            "drawn": DRAWN,
            "cells": self.game.symmetries.cells.tolist(),
            "starts": tables.starts.tolist(),
            "replies": tables.replies.tolist(),
        }
        return ForPage("QuixoTable", by_name(numbers, fill_parts, *SOLVING), about)

    def reaches(self, state: StateArray) -> bool:
        """Whether the position is known for certain: on 5×5 one that is over; of others only a search can tell."""
        return self.has_table or self.game.outcome(state) is not None

    def _solve(self, state: StateArray, watch: Watch | None = None) -> Solution:
        """The solution; on 5×5 a watch makes the search deepen until a limit ends it."""
        if not self.has_table:
            return self._search(state, watch)
        if file_of(self.game.size).table(watch) is None:
            return UNKNOWN
        (entry,) = self._entries(state[None])
        actions = np.array(self.game.legal_actions(state), np.int64)
        replies = self._entries(self.game.plays(np.repeat(state[None], len(actions), axis=0), actions))
        best = actions[VALUES[replies] == -VALUES[entry]]
        return Solution(int(VALUES[entry]), tuple(best.tolist()), None if entry == DRAWN else int(DISTANCES[entry]))

    @property
    def has_distances(self) -> bool:
        return self.has_table

    def position_values(self, states: StateArray, *, scores: bool = False) -> PositionValues:
        if not self.has_table:
            return super().position_values(states)
        entries = self._entries(states)
        return PositionValues(VALUES[entries], DISTANCES[entries], None)

    def _value_and_distance(self, state: StateArray) -> tuple[int, int]:
        solution = self._solve(state)
        return OUT_OF_REACH if solution.value is None else solution.value, -1 if solution.distance is None else solution.distance

    def counts(self, watch: Watch | None = None) -> tuple[int, int, int] | None:
        """How many of all boards are won, lost and drawn for the player to move; None where a limit of the watch came first.

        Raises:
            ValueError: the size is not solved as a whole.
        """
        if not self.has_table:
            raise ValueError(f"Quixo is solved as a whole on 3×3 and 4×4 here, not {self.game.size}×{self.game.size}")
        table = file_of(self.game.size).table(watch)
        if table is None:
            return None
        won, lost = int(np.count_nonzero(table < DRAWN)), int(np.count_nonzero(table > DRAWN))
        return won, lost, len(table) - won - lost

    @property
    def table_size(self) -> int:
        return 3**self.game.num_cells if self.has_table else 0

    def _table_states(self, start: int, stop: int) -> StateArray:
        return states_of(self.game, np.arange(start, stop))

    def _entries(self, states: StateArray) -> NDArray[np.uint8]:
        table = file_of(self.game.size).table()
        assert table is not None  # there was no limit
        return table[numbers_of(self.game, states)]

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
                best = tuple(action for action in range(64) if winning >> action & 1)
                return Solution(1, best, plies, all_best=not watch.stopped)
            if is_lost(state, plies, answers, watch.words):
                return Solution(-1, tuple(self.game.legal_actions(state)), plies)
            if watch.stopped:
                break
        return UNKNOWN
