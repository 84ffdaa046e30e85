"""Othello exactly: endgames on 8×8, more than half of the game on 6×6, all of it on 4×4."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...core.bounds import Count
from ...core.numbers import Range
from ...games.game import Game, StateArray
from ...games.kernels.rules import ONGOING
from ...games.linking import LinkedKernel, linked
from ...games.othello.rules import Othello
from ...search.patterns.evaluation import shipped_patterns
from ...search.transposition import TranspositionTable
from ...search.watch import Stopped, Watch
from ..oracle import UNKNOWN, ForPage, Oracle, Solution, by_name
from ..statespace.canonical import write_canonical
from .endgame import BUSY_BITS, guess_or_prove, outlook, prove, rank_moves, score_and_move, score_now
from .evaluation import UNITS
from .last import ABOVE
from .layout import MARGINS, NO_PATTERNS, WORKSPACE, Arrays, action_at, new_workspace, positions_on_8x8, write_positions
from .problem import CAUTION, LOOKED_AHEAD, SMALLEST_TABLE, SPARE_BITS, Problem, table_bits_for
from .proofs import WORDS

WITHIN_A_SECOND = {4: 12, 6: 23, 8: 20}
"""Empty cells of positions that are solved, all best actions included, within a second or so of one core, by size."""
WITHIN_HALF_A_MINUTE = {4: 12, 6: 32, 8: 22}
SCORED_AT_ONCE = 12
"""Up to this many empty cells one call of a kernel finds the score in less time than a `Problem`, which prepares more."""
VALUED_AT_ONCE = 9
"""Up to this many it takes less time, too, than a `Problem` takes for the value, for which it need not know the score."""
NOT_SHARED = np.zeros(1, np.uint64)
"""Where a search on one thread would mark what it searches."""
LARGEST_TABLE = 36
T = TypeVar("T")


@dataclass(frozen=True)
class OthelloOracle(Oracle):
    """Othello on all its boards. A score counts discs, own less the opponent's, empty cells to the winner.

    With a watch, positions beyond `empties` are searched too. The start of 6×6 takes half a minute; that of 8×8 is out of reach of
    any such search.

    Args:
        game: Othello.
        empties: positions with at most this many empty cells are searched without a watch; None for as many as take a second or
            so: 20 on 8×8, 23 on 6×6, all on 4×4.
        threads: how many threads search one position; the answers are the same.
        table_bits: the search remembers up to 2^table_bits positions, 32 bytes each; 12 to 36. Small problems have smaller tables.

    Raises:
        ValueError: another game, or no such setting.
    """

    game: Othello  # pyright: ignore[reportIncompatibleVariableOverride]
    empties: Annotated[int, Range(0, 60)] | None = None
    threads: Count = 1
    table_bits: Annotated[int, Range(SMALLEST_TABLE, LARGEST_TABLE)] = 22

    title: ClassVar[str] = "the oracle of Othello"
    games: ClassVar[type[Game]] = Othello
    reach: ClassVar[str] = "positions with up to 20 empty cells on 8×8 and 23 on 6×6, and all of 4×4"
    has_score: ClassVar[bool] = True
    beyond: ClassVar[Mapping[str, Any]] = {"mobility": 3.0}

    @cached_property
    def _tables(self) -> dict[int, TranspositionTable]:
        """The tables so far, by the bits of their size."""
        return {}

    def _table(self, state: StateArray) -> TranspositionTable:
        """The table of problems with as many empty cells as a position has."""
        bits = min(self.table_bits, table_bits_for(self._empty_cells(state)))
        if bits not in self._tables:
            self._tables[bits] = TranspositionTable(bits, WORDS)
        return self._tables[bits]

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return super().kernels + linked(write_canonical, write_positions, prove, score_and_move, outlook, rank_moves)

    def prepare(self) -> None:
        super().prepare()
        if self.game.size == 8:
            _ = shipped_patterns().numbers  # far from the end they order moves; to unpack them takes a fifth of a second

    def for_page(self) -> ForPage:
        most = WITHIN_A_SECOND[self.game.size]
        numbers = {
            "most_empty": most,
            "margin": MARGINS[self.game.size],
            "above": ABOVE,
            "units": UNITS,
            "caution": CAUTION,
            "looked_ahead": LOOKED_AHEAD,
            "spare_bits": SPARE_BITS,
            "least_bits": SMALLEST_TABLE,
            "table_bits": table_bits_for(most),
            "busy": 1 << BUSY_BITS,
            "workspace": WORKSPACE,
        }
        return ForPage("Othello", by_name(write_positions, guess_or_prove, score_now), numbers)

    def patient(self) -> OthelloOracle:
        return replace(self, empties=WITHIN_HALF_A_MINUTE[self.game.size])

    def reaches(self, state: StateArray) -> bool:
        """Whether few enough cells are empty, or the game is over."""
        return bool(self.reached(self.game.single(state)[None])[0])

    def reached(self, states: StateArray) -> NDArray[np.bool_]:
        over = self.game.outcomes(states) != ONGOING
        most = WITHIN_A_SECOND[self.game.size] if self.empties is None else self.empties
        left = self.game.size**2 - np.bitwise_count(states[:, 0] | states[:, 1]).astype(np.int64)
        return (left <= most) | over

    def _solve(self, state: StateArray, watch: Watch | None = None) -> Solution:
        """The value, the score, and the actions that keep the score, each of them proven; all of them, if no limit comes first.
        With a watch any position (3,) is tried."""

        def work(problem: Problem) -> Solution:
            score = problem.score()
            best, all_best = problem.best(score)
            return Solution(int(np.sign(score)), tuple(best), score=score, all_best=all_best)

        if self.game.outcome(state) is not None:
            score = self._final_score(state)
            return Solution(int(np.sign(score)), score=score)
        return self._search(state, watch, work) or UNKNOWN

    def score(self, state: StateArray, watch: Watch | None = None) -> tuple[int, int] | None:
        """The score of an unfinished position and one action that keeps it; None out of reach. It takes less time than `solve`."""

        def work(problem: Problem) -> tuple[int, int]:
            score = problem.score()
            return score, problem.best_action(score)

        if self.game.outcome(state) is not None:
            raise ValueError(f"the game is over ({self.game.status(state)}); no action keeps a score; use `solve`")
        if self._empty_cells(state) <= SCORED_AT_ONCE:
            return self._score_at_once(state, watch)
        return self._search(state, watch, work)

    def _empty_cells(self, state: StateArray) -> int:
        """How many cells are empty."""
        return self.game.size**2 - int(state[0] | state[1]).bit_count()

    def _score_at_once(self, state: StateArray, watch: Watch | None) -> tuple[int, int] | None:
        """As `score`, in one call of a kernel."""

        def work(watch: Watch) -> tuple[int, int]:
            position, answer = positions_on_8x8(self.game, state[None])[0], np.empty(2, np.int64)
            left = int(position[2]).bit_count()
            table = self._table(state)
            workspace = new_workspace(self.game.size, left, SMALLEST_TABLE, table.next_generation(), False)
            arrays = Arrays(table.entries, NOT_SHARED, workspace, watch.words, NO_PATTERNS)
            self.game.kernel(score_and_move)(position, answer, arrays)
            if watch.stopped:
                raise Stopped
            return int(answer[0]), action_at(self.game, int(answer[1]))

        return self._within(state, watch, work, short=True)

    def value(self, state: StateArray, watch: Watch | None = None) -> int | None:
        """1, 0 or -1 for the player to move; None out of reach. It takes as much time as `score`, or less."""
        if self.game.outcome(state) is not None:
            return int(np.sign(self._final_score(state)))
        if self._empty_cells(state) <= VALUED_AT_ONCE:
            answer = self._score_at_once(state, watch)
            return None if answer is None else int(np.sign(answer[0]))
        return self._search(state, watch, Problem.value)

    def _score(self, state: StateArray) -> int | None:
        if self.game.outcome(state) is not None:
            return self._final_score(state)
        answer = self.score(state)
        return None if answer is None else answer[0]

    def _search(self, state: StateArray, watch: Watch | None, work: Callable[[Problem], T]) -> T | None:
        """The result of some work on an unfinished position; None out of reach, or where a limit came first."""
        table = self._table(state)
        return self._within(state, watch, lambda watch: work(Problem(self.game, state, table, watch.words, self.threads)))

    def _final_score(self, state: StateArray) -> int:
        """The score of a finished game, for the player who would be next."""
        black, white = (int(word).bit_count() for word in state[:2])
        score = black - white + (self.game.size**2 - black - white) * int(np.sign(black - white))
        return score if self.game.player(state) == 0 else -score
