"""One position to be solved: its moves, their bounds, the thresholds to search, and the runs of the compiled search.

It runs on one thread or several, within the limits of a watch.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...games.game import StateArray
from ...games.othello.rules import Othello
from ...search.patterns.evaluation import shipped_patterns
from ...search.transposition import TranspositionTable
from ...search.watch import LIMIT, NODES, UNLIMITED, Stopped, Watch
from ..statespace.canonical import canonical
from .endgame import BUSY_BITS, outlook, prove, rank_moves
from .evaluation import UNITS
from .last import ABOVE, BELOW
from .layout import NO_PATTERNS, PAUSE, Arrays, cell_of, new_workspace, positions_on_8x8
from .ordering import BY_PATTERNS_FROM

Position = NDArray[np.uint64]
"""Own discs, the opponent's and the empty cells (3,), as bits of 8×8."""
CAUTION, CAUTION_BY_PATTERNS = 5, 3
"""How far below the guess the first threshold lies: to prove that a score is above a threshold takes less time than to prove
that it is below. Odd, since guesses are even and thresholds odd."""
LOOKS_LIKE_ALL = 0.5
"""A guess of this share of the cells or more makes a wipe-out worth a try."""
FIRST_TRY, LAST_TRY, TRIES = 2**8, 6, 8
"""A try at a wipe-out searches this many nodes after each move, then four times as many, up to 2^(empty cells - LAST_TRY); for all
moves that lead to one, there are this many tries."""
LOOKED_AHEAD, LOOKED_AHEAD_BY_PATTERNS = 4, 8
"""Plies that a first guess at a score looks ahead."""
PATTERNS_FROM = BY_PATTERNS_FROM + 2
"""With fewer empty cells on 8×8, moves are ordered without patterns: a move and a ply later, all guesses would be without them."""
THREADS_FROM = 17
"""Fewer empty cells are not worth a second thread."""
SMALLEST_TABLE, SPARE_BITS = 12, 7
"""The table of a problem has 2^(empty cells - SPARE_BITS) entries, and at least 2^SMALLEST_TABLE: a small one stays in the
processor's cache, which is worth more than the few nodes that a larger one saves."""
MOST_TRIED = 2**28
"""The most nodes of a try, about a minute."""


def table_bits_for(left: int) -> int:
    """The table of a problem with this many empty cells has 2 to this power entries."""
    return max(SMALLEST_TABLE, left - SPARE_BITS)


@dataclass(eq=False)
class Move:
    """A move, together with those that lead to a symmetric position.

    Args:
        actions: the actions, in rising order.
        position: the position after it, the opponent to move.
        low: a lower bound of the score, for the player who makes the move.
        high: an upper bound of the score.
    """

    actions: list[int]
    position: Position
    low: int
    high: int


class Problem:
    """An unfinished position to be solved. Its methods raise `Stopped` where a limit comes first.

    Args:
        game: the size of the board.
        state: the position (3,).
        table: the transposition table.
        words: the words of a watch, shared with the kernel.
        threads: how many threads search.
    """

    def __init__(self, game: Othello, state: StateArray, table: TranspositionTable, words: NDArray[np.int64], threads: int) -> None:
        self._game, self._words = game, words
        self._position: Position = positions_on_8x8(game, state[None])[0]
        left = int(self._position[2]).bit_count()
        bits = len(table.entries).bit_length() - 1
        generation = table.next_generation()
        self._table = table.entries
        self._workspace = new_workspace(game.size, left, bits, generation, threads > 1)
        self._others = [new_workspace(game.size, left, bits, generation, True) for _ in range(1, threads)]
        self._busy = np.zeros(1 << BUSY_BITS, np.uint64)
        self._by_patterns = game.size == 8 and left >= PATTERNS_FROM
        self._pattern_weights = shipped_patterns().numbers if self._by_patterns else NO_PATTERNS
        self._moves = moves_of(game, state)
        if len(self._moves) > 1:
            cells = np.empty(64, np.int64)
            count = game.kernel(rank_moves)(self._position, cells, self._arrays(self._workspace, words))
            ranks = {cell: rank for rank, cell in enumerate(cells[:count].tolist())}
            self._moves.sort(key=lambda move: min(ranks[cell_of(game, action)] for action in move.actions))

    def score(self) -> int:
        """The score for the player to move."""
        return self._narrow_score(ABOVE)

    def value(self) -> int:
        """1, 0 or -1 for the player to move."""
        return int(np.sign(self._narrow_score(2)))

    def best(self, score: int) -> tuple[list[int], bool]:
        """The actions that keep the score, which `score` found, in rising order, and True; or if a limit comes first, those that
        are known to keep it, and False."""
        # whether a move loses all discs may take very long: those that are proven in no time come first, as in `_loses_all`
        tries = range(TRIES if abs(score) == self._game.size**2 else 0)
        with suppress(Stopped):
            for nodes in (*(FIRST_TRY << 2 * k for k in tries), None):
                for move in self._moves:
                    if move.low < score <= move.high:  # the search for the score left open whether this move keeps it
                        self._ask(move, score - 1, nodes)
        keeping = sorted(action for move in self._moves if move.low >= score for action in move.actions)
        return keeping, not any(move.low < score <= move.high for move in self._moves)

    def best_action(self, score: int) -> int:
        """An action that keeps the score, which `score` found."""
        return next(move.actions[0] for move in self._moves if move.low >= score)

    def _narrow_score(self, enough: int) -> int:
        """The score, if it lies between -enough and enough; else a bound at or beyond the nearer of the two.

        Each answer is a bound, and the next threshold lies just beyond it (MTD(f)), until both bounds meet.
        """
        low, high = BELOW, ABOVE
        plies, caution = (LOOKED_AHEAD_BY_PATTERNS, CAUTION_BY_PATTERNS) if self._by_patterns else (LOOKED_AHEAD, CAUTION)
        units = self._game.kernel(outlook)(self._position, plies, self._arrays(self._workspace, self._words))
        guess = 2 * round(units / (2 * UNITS))  # in discs, even
        cells = self._game.size**2
        if enough > cells and abs(guess) >= LOOKS_LIKE_ALL * cells and self._loses_all(cells - 1 if guess > 0 else 1 - cells):
            return cells if guess > 0 else -cells
        threshold = max(1 - enough, min(enough - 1, guess - caution))
        while low < high and low < enough and high > -enough:
            bound = self._bound(threshold)
            if bound > threshold:
                low, threshold = bound, bound + 1
            else:
                high, threshold = bound, bound - 1
        return low if low >= enough else high

    def _loses_all(self, threshold: int) -> bool:
        """Whether a few nodes after each move prove that the score is the one beyond the highest threshold, or the lowest.

        Guesses say little where one player may lose all discs. Some moves are proven in no time then, others take very long,
        and only the nodes they take tell which: so each gets a few, then each four times as many.
        """
        nodes, most = FIRST_TRY, min(MOST_TRIED, 1 << max(0, int(self._position[2]).bit_count() - LAST_TRY))
        while nodes <= most:
            for move in self._moves:
                if move.low < threshold < move.high:
                    self._ask(move, threshold, nodes)
                if move.low > threshold:
                    return threshold > 0
            if all(move.high < threshold for move in self._moves):
                return threshold < 0
            nodes *= 4
        return False

    def _bound(self, threshold: int) -> int:
        """A bound of the score that tells whether it is above a threshold."""
        best = BELOW
        for move in self._moves:
            if move.low < threshold < move.high:
                self._ask(move, threshold)
            if move.low > threshold:
                self._moves.remove(move)  # the move that answered is tried first for the next threshold
                self._moves.insert(0, move)
                return move.low
            best = max(best, move.high)
        return best

    def _ask(self, move: Move, threshold: int, nodes: int | None = None) -> None:
        """Finds whether a move's score is above a threshold, an odd number, and narrows its bounds; if it takes no more than
        this many nodes, where their number is given."""
        bound = self._search(move.position, -threshold, nodes)
        if bound is None:
            return
        if -bound > threshold:
            move.low = -bound
        else:
            move.high = -bound

    def _search(self, position: Position, threshold: int, nodes: int | None) -> int | None:
        """A bound of the score of a position that tells whether it is above a threshold; None if it takes more nodes."""
        words, workspace = self._words, self._workspace
        workspace[PAUSE] = UNLIMITED if nodes is None else words[NODES] + nodes
        bound = self._run(position, threshold)
        if words[NODES] > words[LIMIT]:
            raise Stopped
        return bound if words[NODES] <= workspace[PAUSE] else None

    def _run(self, position: Position, threshold: int) -> int:
        """A bound as from `_search`, which means nothing if the search was stopped. Meanwhile helper threads search the same
        position and fill the shared table."""

        def run(workspace: NDArray[np.int64], words: NDArray[np.int64]) -> int:
            return self._game.kernel(prove)(position, threshold, self._arrays(workspace, words))

        helpers: list[threading.Thread] = []
        for workspace in self._others if int(position[2]).bit_count() >= THREADS_FROM else ():
            workspace[PAUSE] = UNLIMITED
            helpers.append(threading.Thread(target=run, args=(workspace, Watch().words), name="ludus-helper", daemon=True))
            helpers[-1].start()
        try:
            return run(self._workspace, self._words)
        finally:
            for workspace in self._others:
                workspace[PAUSE] = -1  # every helper has visited more nodes than -1, and so stops
            for helper in helpers:
                helper.join()

    def _arrays(self, workspace: NDArray[np.int64], words: NDArray[np.int64]) -> Arrays:
        """The arrays of a thread."""
        return Arrays(self._table, self._busy, workspace, words, self._pattern_weights)


def moves_of(game: Othello, state: StateArray) -> list[Move]:
    """The moves of an unfinished position, symmetric ones as one."""
    actions = game.legal_actions(state)
    after = game.plays(np.repeat(state[None], len(actions), axis=0), actions)
    positions = positions_on_8x8(game, after)
    moves, cells = dict[bytes, Move](), game.size**2
    for action, position, form in zip(actions, positions, canonical(game, after)[0], strict=True):
        move = moves.setdefault(form.tobytes(), Move([], position, -cells, cells))
        move.actions.append(action)
    return list(moves.values())
