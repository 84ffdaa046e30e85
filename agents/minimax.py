"""The minimax player: alpha-beta with the game's evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.bounds import Count
from ..core.native.threads import share
from ..core.numbers import Range
from ..games.evaluation import Evaluation
from ..games.game import StateArray
from ..games.kernels.queries import observations
from ..games.kernels.rules import ONGOING
from ..games.linking import LinkedKernel, linked
from ..oracles.registry import make_oracle
from ..search.alphabeta.negamax import LARGEST_DEPTH, PROVEN, WIN, AlphaBeta, Depth, HalfWidth, TableBits
from ..search.evaluations import Mobility, evaluation_of
from ..search.patterns.book import shipped_book
from ..search.patterns.evaluation import EIGHT_BY_EIGHT, Patterns, shipped_patterns
from ..search.patterns.page import BOOK, PATTERNS, encode_book, encode_patterns, least_image, patterns_for_page, search_by_patterns
from ..search.watch import Seconds, Watch
from .answers import UNPROVEN, Analysis, Answer
from .policy import Policy

USUAL_DEPTH = 4
MOST_EMPTY = 24
"""The empty cells of the longest endings."""
OPENING_LESS = 2
"""An opening position is searched this many plies less deep."""


@dataclass(frozen=True)
class Minimax(Policy):
    """Plays the action that alpha-beta finds best; the key decides between equally good ones.

    The original players searched Othello to depth 1 to 7, and Quixo to depth 5 with `plain` values or with line counts.

    Args:
        depth: plies to search; None for 4, or for as deep as `nodes` or `seconds` allow.
        nodes: positions to visit for a move at most.
        seconds: time for a move.
        evaluation: `classic` (the game's own), `plain` (finished games only), `patterns` (learnt ones, in Othello on 8×8), or one
            from outside (search/evaluations.py).
        mobility: weight of mobility in an evaluation that has one; in Othello's, corners have 5 and discs 2.
        prune: whether to prune; false visits every position, for study. With table=false and a depth, both play the same moves.
        table: whether to use a transposition table.
        aspiration: half the width of the first window, in the evaluation's units; 0 for none.
        table_bits: the table has 2 to this power entries of 16 bytes, one table a thread.
        probcut: with `patterns`, a shallower search decides a position if its value lies outside of the window by at least this
            many times what such searches are off by, in 68 % of positions at most; 0 for never.
        opening: how many of its own first moves are an opening, 2 for the original player of Quixo: the first is given, here the
            first that is legal, and the others are searched two plies less deep. 0 for none. A position does not say how many
            moves were played, so its own cells are counted: at most one is added by each.
        endings: in Othello, positions with at most this many empty cells are solved for the best score, within half of `nodes` and
            `seconds`; those not solved by then are searched within the other half. 0 for none.
        book: in Othello on 8×8, whether the first plies are played from a book of positions searched in advance.

    Raises:
        ValueError: a setting outside of its range, or one that the game does not have.
    """

    name: ClassVar[str] = "minimax"

    depth: Depth | None = None
    nodes: Count | None = None
    seconds: Seconds | None = None
    evaluation: str = "classic"
    mobility: Mobility = 0.0
    prune: bool = True
    table: bool = True
    aspiration: HalfWidth = 0
    table_bits: TableBits = 20
    probcut: Annotated[float, Range(0, 10)] = 0.0
    opening: Annotated[int, Range(0)] = 0
    endings: Annotated[int, Range(0, MOST_EMPTY)] = 0
    book: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.searcher  # noqa: B018  raises at once, not in the first move, where there is no such evaluation
        if self.opening and not self.game.counts_moves:
            raise ValueError(f"opening counts moves by what lies on the board, which {self.game.spec} does not tell; leave it out")
        if self.opening and not OPENING_LESS < self.searcher.depth < LARGEST_DEPTH:
            raise ValueError(f"opening takes {OPENING_LESS} plies off the depth; give a depth of {OPENING_LESS + 1} or more")
        if self.book and self.game != EIGHT_BY_EIGHT:
            raise ValueError(f"there is a book of openings for othello with size 8, not for {self.game.spec}; leave it out")
        if self.endings:
            self._endings  # noqa: B018  raises at once where they are not solved in this game

    @cached_property
    def searcher(self) -> AlphaBeta:
        """The search with this policy's settings."""
        limited = self.nodes is not None or self.seconds is not None
        depth = self.depth if self.depth is not None else LARGEST_DEPTH if limited else USUAL_DEPTH
        same = ("nodes", "seconds", "prune", "table", "aspiration", "table_bits")
        settings = {name: getattr(self, name) for name in same}
        evaluation = evaluation_of(self.game, self.evaluation, self.mobility)
        return AlphaBeta(self.game, evaluation, depth, **settings, margins=self._margins(evaluation, depth))

    def _margins(self, evaluation: Evaluation, depth: int) -> tuple[tuple[int, ...], ...]:
        if not self.probcut:
            return ()
        if not isinstance(evaluation, Patterns):
            raise ValueError(f"probcut needs evaluation=patterns, whose errors are known, not {self.evaluation}; leave it out")
        if not self.prune or not self.table:
            raise ValueError("probcut has no effect without prune and table; leave it out, or leave these true")
        return evaluation.margins(self.probcut, depth)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        endings = self._endings.kernels if self.endings else ()
        return self.searcher.kernels + endings + (linked(observations) if self.opening else ())

    @property
    def page_kernels(self) -> tuple[LinkedKernel, ...]:
        if self.game != EIGHT_BY_EIGHT:
            return self.kernels
        return *self.kernels, LinkedKernel(search_by_patterns, patterns_for_page().plugs), *linked(least_image)

    @property
    def page_data(self) -> Mapping[str, Any]:
        mobility = {"mobility_unit": evaluation_of(self.game, "classic").mobility_unit}
        if self.game != EIGHT_BY_EIGHT:
            return mobility
        return mobility | {"patterns": PATTERNS, "deviations": shipped_patterns().deviations.tolist(), "book": BOOK}

    @property
    def page_files(self) -> Mapping[str, bytes]:
        return {PATTERNS: encode_patterns(), BOOK: encode_book()} if self.game == EIGHT_BY_EIGHT else {}

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.count(states, keys)[0]

    def answer(self, states: StateArray, keys: NDArray[np.uint64]) -> Answer:
        if type(self).act is not Minimax.act:  # a subclass may act in another way, whose nodes are not known
            return super().answer(states, keys)
        actions, nodes = self.count(states, keys)
        return Answer(actions, nodes=nodes)

    def count(self, states: StateArray, keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The actions of `act`, and how many nodes were visited for each (B,) (B,)."""
        if not (self.book or self.endings or self.opening):
            searched = self.searcher.search(states, keys)
            return searched.actions, searched.nodes
        states, keys = self.batch(states, keys)
        actions, nodes = np.empty(len(states), np.int64), np.zeros(len(states), np.int64)
        if self.book:
            actions = shipped_book().actions(states, keys)
            players = ((actions < 0, self._after_book),)
        elif self.endings:
            near = self._endings.reached(states)
            if near.any():
                actions, nodes = self._solve_endings(states, near)
            players = ((~near, self._before_endings), (near & (actions < 0), self._in_half))
        else:
            own = self.game.observations(states, self.game.players(states))[:, 0].sum(axis=(1, 2))
            actions[own == 0] = self.game.masks(states[own == 0]).argmax(axis=1)
            players = (((own > 0) & (own < self.opening), self._early), (own >= self.opening, self._late))
        for rows, player in players:
            if rows.any():
                actions[rows], more = player.count(states[rows], keys[rows])
                nodes[rows] += more
        return actions, nodes

    @cached_property
    def _after_book(self) -> Minimax:
        """This policy without the book."""
        return replace(self, book=False)

    @cached_property
    def _before_endings(self) -> Minimax:
        """This policy without solving endings."""
        return replace(self, endings=0)

    @cached_property
    def _late(self) -> Minimax:
        """This policy after the opening."""
        return replace(self, opening=0)

    @cached_property
    def _early(self) -> Minimax:
        """This policy in the opening."""
        return replace(self._late, depth=self.searcher.depth - OPENING_LESS)

    @cached_property
    def _in_half(self) -> Minimax:
        """This policy with half of the limits, without solving endings."""
        nodes = None if self.nodes is None else max(1, self.nodes // 2)
        return replace(self, endings=0, nodes=nodes, seconds=None if self.seconds is None else self.seconds / 2)

    @cached_property
    def _endings(self) -> Any:
        """The oracle that solves endings for the best score."""
        if not make_oracle(self.game).has_score:
            raise ValueError(f"endings are solved for the best score, and {self.game.spec} has no scores; leave it out")
        return make_oracle(self.game, empties=self.endings)

    def _solve_endings(self, states: StateArray, near: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """An action that keeps the score of each ending (B,), -1 of others and of those not solved within half of the limits; and
        how many nodes were visited for each (B,)."""
        actions, nodes = np.full(len(states), -1, np.int64), np.zeros(len(states), np.int64)
        endings, watches = np.flatnonzero(near), list[Watch]()

        def work(rows: Iterator[int]) -> None:
            for row in (endings[which] for which in rows):
                watches.append(watch := Watch(self._in_half.nodes, self._in_half.seconds))
                # each with a new table, which a copy makes: which of several best actions an oracle finds depends on what its
                # table holds
                solution = copy(self._endings).score(states[row], watch)
                actions[row] = -1 if solution is None else solution[1]
                nodes[row] = watch.nodes

        share(len(endings), work, lambda: [watch.stop() for watch in watches])
        return actions, nodes

    def analyse(self, states: StateArray, keys: NDArray[np.uint64]) -> Analysis:
        """The action for each position, with the evaluation or the proven value of every action.

        Each action is searched by itself, to one ply less, but to at least one.
        """
        states, keys = self.batch(states, keys)
        shape = len(states), self.game.num_actions
        evaluations, proofs = np.full(shape, np.nan), np.full(shape, UNPROVEN, np.int8)
        for row, state in enumerate(states):
            actions = self.game.legal_actions(state)
            values = self._after(state, actions, keys[row])
            evaluations[row, actions] = values
            proven = np.abs(values) > PROVEN
            proofs[row, actions] = np.where(proven, np.sign(values), UNPROVEN)
        return Analysis(self.act(states, keys), evaluations=np.where(proofs == UNPROVEN, evaluations, np.nan), proofs=proofs)

    def _after(self, state: StateArray, actions: list[int], key: np.uint64) -> NDArray[np.int64]:
        """The value after each action, for the player who takes it."""
        after = self.game.plays(np.repeat(state[None], len(actions), axis=0), actions)
        results, values = self.game.outcomes(after), np.zeros(len(actions), np.int64)
        running = results == ONGOING
        part = replace(
            self.searcher,
            depth=max(1, self.searcher.depth - 1),
            nodes=None if self.nodes is None else max(1, self.nodes // len(actions)),
            seconds=None if self.seconds is None else self.seconds / len(actions),
        )
        values[running] = part.search(after[running], np.repeat(key, running.sum())).values
        values[running] *= np.where(self.game.players(after[running]) == self.game.player(state), 1, -1)
        values[~running] = results[~running] * np.where(self.game.player(state) == 0, 1, -1) * WIN
        return values
