"""The search as Python calls it: what it works in, and how it is linked for either variant."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....envs.games.game import StateArray
from ....envs.games.linking import Linked
from ....envs.games.quarto import Quarto
from ...search.transposition import TranspositionTable
from ...search.watch import Stopped
from . import lines, search
from .symmetry import movements_of


class Space(NamedTuple):
    """What one search at a time works in: boards and choices on the way down, and its table."""

    boards: NDArray[np.uint64]
    choices: NDArray[np.uint64]
    table: NDArray[np.uint64]


def search_of(game: Quarto) -> Linked:
    """The kernel that searches a variant."""
    return Linked(search.action_for, {lines.line_words: lines.line_words_with_squares} if game.squares else None)


class Searcher:
    """Searches positions with a piece in hand; threads may ask it at the same time.

    Args:
        game: the variant.
        table_bits: each thread's table has 2^table_bits entries of 16 bytes.
    """

    def __init__(self, game: Quarto, table_bits: int) -> None:
        self._action_for = game.kernel(*search_of(game))
        self._movements = movements_of(game)
        self._table_bits = table_bits
        self._spare: list[Space] = []

    def action(self, state: StateArray, wanted: int, watch: NDArray[np.int64]) -> int | None:
        """A cell with which the player to move gets at least 0 or 1; None where there is none.

        Args:
            state: an unfinished position with a piece in hand (2,).
            wanted: 0 or 1.
            watch: the words of a watch.

        Raises:
            Stopped: the watch stopped the search.
            MemoryError: there is no room for the table.
        """
        with self._space() as space:
            action = self._action_for(np.array(state), wanted, *space, self._movements, watch)
        if action == search.STOPPED:
            raise Stopped
        return None if action == search.NONE else action

    def value(self, state: StateArray, watch: NDArray[np.int64]) -> int:
        """1, 0 or -1 for the player to move; arguments and errors as for `action`."""
        if self.action(state, 0, watch) is None:
            return -1
        return 0 if self.action(state, 1, watch) is None else 1

    @contextmanager
    def _space(self) -> Generator[Space]:
        """A space that no other thread works in; it is kept for later searches, with what its table knows."""
        try:
            space = self._spare.pop()
        except IndexError:
            space = self._new_space()
        try:
            yield space
        finally:
            self._spare.append(space)

    def _new_space(self) -> Space:
        boards = np.zeros((search.BOARDS, lines.COLUMNS), np.uint64)
        choices = np.zeros((17, search.CHOICES), np.uint64)
        return Space(boards, choices, TranspositionTable(self._table_bits).entries)
