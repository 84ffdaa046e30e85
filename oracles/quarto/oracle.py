"""Quarto exactly: positions with a few pieces on the board by search, those with fewer from a book."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import Range
from ...games.game import Game, StateArray
from ...games.kernels.keys import below, derive_keys
from ...games.linking import LinkedKernel, linked
from ...games.quarto.rules import Quarto
from ...search.watch import DONE, TOTAL, Watch
from ..oracle import UNKNOWN, ForPage, Oracle, Solution, by_name
from .book import QuartoBook, number_each, stage, wins_at_once
from .lines import COLUMNS
from .search import BOARDS, CHOICES, QuartoSearcher, search_of
from .symmetry import canonicals, cell_movements, successors

LARGEST_TABLE = 40
T = TypeVar("T")
WatchWords = NDArray[np.int64]


@dataclass(frozen=True)
class QuartoOracle(Oracle):
    """Quarto, both variants; values without distances.

    With three pieces on the board a value takes half a second of one core, with four a twentieth, with five a two-hundredth; to
    find all actions that keep it takes two to three times as long. Positions with fewer pieces are in the book. With a watch
    any position is searched; the empty board takes less than a minute.

    Args:
        game: Quarto, with or without squares.
        placed: positions with at least this many pieces on the board are searched without a watch, 0 to 16.
        table_bits: the search remembers 2^table_bits positions, 16 bytes each, in every thread that searches; 1 to 40.

    Raises:
        ValueError: another game, or no such setting.
    """

    game: Quarto  # pyright: ignore[reportIncompatibleVariableOverride]
    placed: Annotated[int, Range(0, 16)] = 3
    table_bits: Annotated[int, Range(1, LARGEST_TABLE)] = 18

    title: ClassVar[str] = "the oracle of Quarto"
    games: ClassVar[type[Game]] = Quarto
    reach: ClassVar[str] = "every position with three pieces or more on the board by search, and those with fewer from its book"

    @cached_property
    def book(self) -> QuartoBook:
        """The values of positions with few pieces."""
        return QuartoBook.of(self.game)

    @cached_property
    def _searcher(self) -> QuartoSearcher:
        return QuartoSearcher(self.game, self.table_bits)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        book = linked(number_each, canonicals, successors, wins_at_once)
        return super().kernels + linked(derive_keys) + book + (search_of(self.game),)

    def for_page(self) -> ForPage:
        path = QuartoBook.path(self.game)
        search = f"action_for.{path.stem}"
        numbers = {
            "kernel": search,
            "placed": self.placed,
            "book_placed": self.book.placed,
            "won": len(self.book.won),
            "cells": cell_movements(self.game).tolist(),
            "boards": [BOARDS, COLUMNS],
            "choices_each": CHOICES,
            "table_bits": self.table_bits,
        }
        book = self.book.won.astype("<u4").tobytes() + self.book.lost.astype("<u4").tobytes()
        return ForPage("Quarto", {search: search_of(self.game), **by_name(number_each, stage)}, numbers, {path.name: book})

    def reaches(self, state: StateArray) -> bool:
        """Whether the position is over, in the book, or has enough pieces on the board to be searched quickly."""
        placed = count_placed(self.game.single(state))
        return placed >= self.placed or placed <= self.book.placed or self.game.outcome(state) is not None

    def _solve(self, state: StateArray, watch: Watch | None = None) -> Solution:
        """The value and all actions that keep it, each of them proven. With a watch any position (2,) is tried."""

        def work(watch: Watch) -> Solution:
            actions, words = self.game.legal_actions(state), watch.words
            words[TOTAL] = 1 + len(actions)
            value, best = self._value(state, words), list[int]()
            words[DONE] += 1
            for action in actions:
                if self._keeps(state, action, value, words):
                    best.append(action)
                words[DONE] += 1
            return Solution(value, tuple(best))

        return self._within(state, watch, work) or UNKNOWN

    def value(self, state: StateArray, watch: Watch | None = None) -> int | None:
        """1, 0 or -1 for the player to move; None out of reach. It takes less time than `solve`."""
        return self._within(state, watch, lambda watch: self._value(state, watch.words))

    def value_and_action(self, state: StateArray, watch: Watch | None = None) -> tuple[int, int] | None:
        """The value of an unfinished position and one action that keeps it; None out of reach. It takes less time than `solve`."""

        def work(watch: Watch) -> tuple[int, int]:
            value = self._value(state, watch.words)
            return value, self._action(state, value, watch.words)

        return self._within(state, watch, work)

    def choose(self, state: StateArray, key: int) -> int | None:
        """One of the best actions (those that win at once, if any do), each equally likely, by the key; None out of reach."""

        def work(watch: Watch) -> int:
            value = self._value(state, watch.words)
            left = [*self._soonest(state, self.game.legal_actions(state))]
            turn_keys = np.full(len(left), key, np.uint64)
            self.game.kernel(derive_keys)(turn_keys, np.arange(len(left)), turn_keys)
            for turn_key in turn_keys:
                action = left.pop(below(turn_key, len(left)))
                if not left or self._keeps(state, action, value, watch.words):
                    return action
            raise ValueError(
                f"no action keeps the value of {self.game.text(state)!r}: the game is over, or the state is impossible"
            )

        return self._within(state, None, work)

    def _value(self, state: StateArray, words: WatchWords) -> int:
        if not self._gets(state, 0, words):
            return -1
        return int(self._gets(state, 1, words))

    def _gets(self, state: StateArray, wanted: int, words: WatchWords) -> bool:
        """Whether the player to move gets at least a value (-1 to 2); in a finished game, whether the one who would be next did."""
        if wanted < 0 or wanted > 1:  # everybody gets at least a loss, nobody more than a win
            return wanted < 0
        if outcome := self.game.outcome(state):
            return outcome[self.game.player(state)] >= wanted
        if not holds_piece(state):
            return any(self._keeps(state, action, wanted, words) for action in self.game.legal_actions(state))
        if count_placed(state) <= self.book.placed:
            return self.book.value(state) >= wanted
        return self._searcher.action(state, wanted, words) is not None

    def _keeps(self, state: StateArray, action: int, wanted: int, words: WatchWords) -> bool:
        """Whether an action gets the player who takes it at least a value."""
        after = self.game.play(state, action)
        # after a placement the same player gives; after that the opponent moves, who must not get more than -wanted
        return self._gets(after, wanted, words) if holds_piece(state) else not self._gets(after, 1 - wanted, words)

    def _action(self, state: StateArray, wanted: int, words: WatchWords) -> int:
        """An action that gets at least a value, where there is one."""
        if holds_piece(state) and wanted >= 0 and count_placed(state) >= self.book.placed:
            action = self._searcher.action(state, wanted, words)
            assert action is not None
            return action
        return next(action for action in self.game.legal_actions(state) if self._keeps(state, action, wanted, words))


def count_placed(state: StateArray) -> int:
    """How many pieces are on the board."""
    return (int(state[1]) & 0xFFFF).bit_count()


def holds_piece(state: StateArray) -> bool:
    """Whether a piece is in hand."""
    return bool(int(state[1]) >> 36 & 1)
