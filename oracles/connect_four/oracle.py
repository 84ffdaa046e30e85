"""Connect Four exactly, by a search; small boards as a whole, and the first plies of the largest from a book."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import Range
from ...games.connect_four.rules import ConnectFour
from ...games.game import Game, StateArray
from ...games.kernels.rules import ONGOING
from ...games.linking import LinkedKernel, linked
from ...search.watch import DONE, TOTAL, Watch
from ..oracle import OUT_OF_REACH, UNKNOWN, ForPage, Oracle, PositionValues, Solution, by_name
from ..statespace.tablebase import MISSING, TABLEBASE_KERNELS, Tablebase, tablebase_file, values_and_distances
from .book import ConnectFourBook, book_score
from .search import ConnectFourSearcher, board_of, count_discs, plies_to_end, search_of

WITHIN_A_SECOND, WITHIN_HALF_A_MINUTE = 34, 37
"""Free cells of positions that are searched within a second or so of one core, and within half a minute, on the largest board; on
smaller ones all positions take a few seconds at most, if four in a line win."""
FIVE = 28
"""Free cells of positions that are searched within a second or so where five in a line win: on most boards, nobody does then."""
LARGEST_TABLE, PAGE_TABLE_BITS = 34, 20
WHOLE, AT_ONCE = 25, 16
"""Cells of the largest boards that have a tablebase, made in some minutes at most; and of those where it takes a moment."""
SOME, MANY = 1_000, 50_000
"""From how many positions on these are looked up: in a tablebase that is there, and in one that must be made first."""


@dataclass(frozen=True)
class ConnectFourOracle(Oracle):
    """Connect Four on all its boards: values and distances.

    With 8 discs on the board of 6 rows and 7 columns a value takes about a tenth of a second of one core, with 12 about a
    hundredth; those with at most 8 are in the book that comes with ludus, which benchmarks/making/books.py made.
    With a watch any position is searched.

    Of boards with at most 25 cells, all positions can be made into a tablebase, which is kept in the cache: 18 MB for 5 columns and
    4 rows, 314 MB for 5 and 5. Many positions at once are looked up there.

    Args:
        game: Connect Four.
        empties: positions with at most this many free cells are searched without a watch; None for as many as take a second or so:
            34 on 6 rows and 7 columns, all on smaller boards; 28 where five in a line win.
        table_bits: the search remembers 2^table_bits positions, 8 bytes each; 1 to 34.

    Raises:
        ValueError: another game, or no such setting.
    """

    game: ConnectFour  # pyright: ignore[reportIncompatibleVariableOverride]
    empties: Annotated[int, Range(0, 42)] | None = None
    table_bits: Annotated[int, Range(1, LARGEST_TABLE)] = 22

    title: ClassVar[str] = "the oracle of Connect Four"
    games: ClassVar[type[Game]] = ConnectFour
    reach: ClassVar[str] = "every position; where five in a line win, those with at most 28 free cells"

    @cached_property
    def book(self) -> ConnectFourBook:
        """The scores of positions with few discs."""
        return ConnectFourBook.of(self.game)

    @property
    def _most_empty(self) -> int:
        """How many cells may be free without a watch."""
        if self.empties is not None:
            return self.empties
        return FIVE if self.game.line == 5 else WITHIN_A_SECOND if self.game.num_cells == 42 else self.game.num_cells

    @cached_property
    def _searcher(self) -> ConnectFourSearcher:
        return ConnectFourSearcher(self.game, self.table_bits)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        whole = linked(*TABLEBASE_KERNELS) if self.game.num_cells <= WHOLE else ()
        book = linked(book_score) if self.book.placed >= 0 else ()
        return (*super().kernels, search_of(self.game), *whole, *book)

    def for_page(self) -> ForPage:
        score = f"score_of.{self.game.line}"
        numbers = {
            "kernel": score,
            "board": [hex(word) for word in board_of(self.game).tolist()],
            "cells": self.game.num_cells,
            "most_empty": self._most_empty,
            "table_bits": PAGE_TABLE_BITS,
            "discs": self.book.placed,
            "mirror": [table[1].tolist() for table in self.game.symmetries],
        }
        kernels = {score: search_of(self.game), **by_name(count_discs, plies_to_end, book_score)}
        files = {} if self.book.placed < 0 else {ConnectFourBook.path(self.game).name: self.book.for_page}
        return ForPage("ConnectFour", kernels, numbers, files)

    def patient(self) -> ConnectFourOracle:
        return replace(self, empties=max(self._most_empty, WITHIN_HALF_A_MINUTE if self.game.line < 5 else WITHIN_A_SECOND))

    def reaches(self, state: StateArray) -> bool:
        """Whether few enough cells are free, the position is in the book, or the game is over."""
        return bool(self.reached(self.game.single(state)[None])[0])

    def reached(self, states: StateArray) -> NDArray[np.bool_]:
        discs = self.game.count_discs(states)
        near = (discs >= self.game.num_cells - self._most_empty) | (discs <= self.book.placed)
        return near | (self.game.outcomes(states) != ONGOING)

    def _solve(self, state: StateArray, watch: Watch | None = None) -> Solution:
        """The value, the distance, and all actions that keep the value, each of them proven. With a watch any position (1,) is
        tried."""

        def work(watch: Watch) -> Solution:
            actions, words, best = self.game.legal_actions(state), watch.words, list[int]()
            words[TOTAL] = 1 + len(actions)
            score = self._score_of(state, words)
            words[DONE] += 1
            for action in actions:
                if -np.sign(self._score_of(self.game.play(state, action), words, sign=True)) == np.sign(score):
                    best.append(action)
                words[DONE] += 1
            distance = self._plies_to_end(score, state)
            return Solution(int(np.sign(score)), tuple(best), None if distance < 0 else distance)

        return self._within(state, watch, work) or UNKNOWN

    def value(self, state: StateArray, watch: Watch | None = None) -> int | None:
        """1, 0 or -1 for the player to move; None out of reach. It takes less time than a distance."""
        score = self._within(state, watch, lambda watch: self._score_of(state, watch.words, sign=True))
        return None if score is None else int(np.sign(score))

    def values(self, states: StateArray) -> NDArray[np.int8]:
        states = self.game.batch(states)
        if (base := self._tablebase(len(states))) is not None:
            return self._look_up(base, states).values
        values = self._answers(states, self.value)  # it takes less time than with distances
        return np.array([OUT_OF_REACH if value is None else value for value in values], np.int8)

    def position_values(self, states: StateArray, *, scores: bool = False) -> PositionValues:
        states = self.game.batch(states)
        if (base := self._tablebase(len(states))) is not None:
            return self._look_up(base, states)
        return super().position_values(states)

    @property
    def has_distances(self) -> bool:
        return True

    def counts(self, watch: Watch | None = None) -> tuple[int, int, int] | None:
        """As of every oracle, where the tablebase is there, or is made in a moment; `table` makes any."""
        if self.game.num_cells > WHOLE or not (self.game.num_cells <= AT_ONCE or tablebase_file(self.game).exists):
            return None
        base = tablebase_file(self.game).table(watch)
        return None if base is None else base.counts()

    @property
    def table_size(self) -> int:
        """As of every oracle; positions and their mirror images count once."""
        base = tablebase_file(self.game).table() if self.game.num_cells <= WHOLE else None
        return 0 if base is None else len(base)

    def _table_states(self, start: int, stop: int) -> StateArray:
        base = tablebase_file(self.game).table()
        assert base is not None  # there was no limit
        return base.states[start:stop].copy()

    def _tablebase(self, count: int) -> Tablebase | None:
        """The tablebase, if it is the quickest way to know this many positions."""
        if self.game.num_cells > WHOLE or count < SOME:
            return None
        file = tablebase_file(self.game)
        return file.table() if count >= MANY or file.exists else None

    def _look_up(self, base: Tablebase, states: StateArray) -> PositionValues:
        """The values of positions from the tablebase; those that cannot come up are searched."""
        entries = base.find(states)
        values, distances = values_and_distances(entries)
        if len(others := np.flatnonzero(entries == MISSING)):
            values[others], distances[others], _ = super().position_values(states[others])
        return PositionValues(values, distances, None)

    def _value_and_distance(self, state: StateArray) -> tuple[int, int]:
        score = self._within(state, None, lambda watch: self._score_of(state, watch.words))
        return (OUT_OF_REACH, -1) if score is None else (int(np.sign(score)), self._plies_to_end(score, state))

    def _score_of(self, state: StateArray, words: NDArray[np.int64], *, sign: bool = False) -> int:
        """The score of a position, or one of its sign, for the player to move; of a finished game, for who would be next."""
        discs = int(self.game.count_discs(state[None])[0])
        if outcome := self.game.outcome(state):
            return outcome[self.game.player(state)] * ((self.game.num_cells + 2 - discs) // 2)
        if discs <= self.book.placed:
            return self.book.score(state)
        return self._searcher.score(state, words, sign=sign)

    def _plies_to_end(self, score: int, state: StateArray) -> int:
        """As `plies_to_end`: -1 of a draw."""
        return plies_to_end(score, int(self.game.count_discs(state[None])[0]), self.game.num_cells)
