"""Runs the compiled search: on one thread or several, within the limits of a watch, with pauses to save what is proven."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from ...games.othello.rules import Othello
from ...search.transposition import TranspositionTable
from ...search.watch import LIMIT, NODES, UNLIMITED, Stopped, Watch
from .book import OthelloBook
from .endgame import BUSY_BITS, Arrays, outlook, prove, rank_moves
from .evaluation import UNITS
from .workspace import PAUSE, new_workspace

Position = NDArray[np.uint64]
"""Own discs, the opponent's and the empty cells (3,), as bits of 8×8."""
THREADS_FROM = 17
"""Fewer empty cells are not worth a second thread."""
SMALLEST_TABLE, SPARE_BITS = 12, 4
"""A problem uses only 2^(empty cells - SPARE_BITS) entries of a larger table: a small part of it stays in the processor's cache."""
LOOKED_AHEAD = 4
"""Plies that a first guess at a score looks ahead."""
BETWEEN_PAUSES = 2**28
"""Nodes from one pause to the next, about a minute."""


class Search:
    """Answers questions about the positions of one problem.

    Args:
        game: the size of the board.
        table: the transposition table.
        left: the number of empty cells of the problem.
        words: the words of a watch, shared with the kernel.
        threads: how many threads search.
        book: saves the proofs to a file; None to save nothing.
    """

    def __init__(
        self, game: Othello, table: TranspositionTable, left: int, words: NDArray[np.int64], threads: int, book: OthelloBook | None
    ) -> None:
        bits = min(len(table.entries).bit_length() - 1, max(SMALLEST_TABLE, left - SPARE_BITS))
        generation = table.next_generation()
        self._game, self._words, self._book = game, words, book
        self._table = table.entries[: 1 << bits]
        self._workspace = new_workspace(game.size, bits, generation, threads > 1)
        self._others = [new_workspace(game.size, bits, generation, True) for _ in range(1, threads)]
        self._busy = np.zeros(1 << BUSY_BITS, np.uint64)
        self._prove = game.kernel(prove)
        if book is not None:
            book.open(self._table, self._workspace)

    def above(self, position: Position, threshold: int) -> int:
        """A bound of the score that tells whether it is above a threshold, an odd number.

        Raises:
            Stopped: a limit came first.
        """
        words, workspace = self._words, self._workspace
        while True:
            if self._book is not None:
                workspace[PAUSE] = words[NODES] + BETWEEN_PAUSES
            bound = self._ask(position, threshold)
            if words[NODES] > words[LIMIT]:
                raise Stopped
            if words[NODES] <= workspace[PAUSE]:
                return bound
            self.keep()  # only a pause: the next search takes from the table what this one proved

    def guess(self, position: Position) -> int:
        """A guess at the score, in discs, even."""
        units = self._game.kernel(outlook)(position, LOOKED_AHEAD, self._workspace)
        return 2 * round(units / (2 * UNITS))

    def rank_moves(self, position: Position) -> list[int]:
        """The cells where a disc can be placed, the one that looks best first."""
        cells = np.empty(64, np.int64)
        return cells[: self._game.kernel(rank_moves)(position, cells, self._workspace)].tolist()

    def keep(self) -> None:
        """Saves what is proven to the book's file, if there is a book."""
        if self._book is not None:
            self._book.save(self._table, self._workspace)

    def _ask(self, position: Position, threshold: int) -> int:
        """A bound as from `above`, which means nothing if the search was stopped. Meanwhile helper threads search the same position
        and fill the shared table."""

        def prove(workspace: NDArray[np.int64], words: NDArray[np.int64]) -> int:
            return self._prove(position, threshold, Arrays(self._table, self._busy, workspace, words))

        helpers: list[threading.Thread] = []
        for workspace in self._others if int(position[2]).bit_count() >= THREADS_FROM else ():
            workspace[PAUSE] = UNLIMITED
            helpers.append(threading.Thread(target=prove, args=(workspace, Watch().words), name="ludus-helper", daemon=True))
            helpers[-1].start()
        try:
            return prove(self._workspace, self._words)
        finally:
            for workspace in self._others:
                workspace[PAUSE] = -1  # every helper has visited more nodes than -1, and so stops
            for helper in helpers:
                helper.join()
