"""Runs the compiled search: keeps its workspaces, and links it for either variant."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from ...games.game import StateArray
from ...games.linking import LinkedKernel
from ...games.quarto.rules import Quarto
from ...search.transposition import TranspositionTable
from ...search.watch import Stopped
from . import lines, search
from .symmetry import movements_of


def search_of(game: Quarto) -> LinkedKernel:
    """The kernel that searches a variant."""
    return LinkedKernel(search.action_for, {lines.line_words: lines.line_words_with_squares} if game.squares else None)


class QuartoSearcher:
    """Searches positions with a piece in hand; several threads can use it at the same time.

    Args:
        game: the variant.
        table_bits: each thread's table has 2^table_bits entries of 16 bytes.
    """

    def __init__(self, game: Quarto, table_bits: int) -> None:
        self._action_for = game.kernel(*search_of(game))
        self._movements = movements_of(game)
        self._table_bits = table_bits
        self._spare: list[search.QuartoWorkspace] = []

    def action(self, state: StateArray, wanted: int, watch: NDArray[np.int64]) -> int | None:
        """A cell with which the player to move gets at least 0 or 1; None if there is no such cell.

        Args:
            state: an unfinished position with a piece in hand (2,).
            wanted: 0 or 1.
            watch: the words of a watch.

        Raises:
            Stopped: the watch stopped the search.
            MemoryError: there is no room for the table.
        """
        with self._workspace() as workspace:
            action = self._action_for(np.array(state), wanted, workspace._replace(watch=watch))
        if action == search.STOPPED:
            raise Stopped
        return None if action == search.NONE else action

    def value(self, state: StateArray, watch: NDArray[np.int64]) -> int:
        """The value of a position for the player to move: 1, 0 or -1.

        Args:
            state: an unfinished position with a piece in hand (2,).
            watch: the words of a watch.

        Raises:
            Stopped: the watch stopped the search.
            MemoryError: there is no room for the table.
        """
        if self.action(state, 0, watch) is None:
            return -1
        return 0 if self.action(state, 1, watch) is None else 1

    @contextmanager
    def _workspace(self) -> Generator[search.QuartoWorkspace]:
        """A workspace that no other thread uses; it is kept, with its table, for later searches."""
        try:
            workspace = self._spare.pop()
        except IndexError:
            boards, choices = np.zeros((search.BOARDS, lines.COLUMNS), np.uint64), np.zeros((17, search.CHOICES), np.uint64)
            table = TranspositionTable(self._table_bits).entries
            workspace = search.QuartoWorkspace(
                boards=boards, choices=choices, table=table, movements=self._movements, watch=np.zeros(4, np.int64)
            )
        try:
            yield workspace
        finally:
            self._spare.append(workspace)
