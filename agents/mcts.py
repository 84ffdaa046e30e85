"""Monte-Carlo tree search with random playouts, many positions at a time, each with a tree of its own (search/mcts/tree.py)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Annotated, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.native.threads import share
from ..core.numbers import Range
from ..games.game import StateArray
from ..games.linking import LinkedKernel, linked
from ..search.mcts.forest import FOREST_KERNELS, MAX_BYTES, Forest, SearchResults
from ..search.mcts.tree import ROOT, UNKNOWN, Counter, Node, PlayoutSettings, simulate
from ..search.watch import UNLIMITED, Seconds
from .answers import LONGEST_LINE, Analysis
from .policy import Playing, Policy

SLICE = 1024
"""Playouts between two checks of the clock and of Ctrl-C."""
Rollouts: TypeAlias = Annotated[int, Range(1, 10**6)]


@dataclass(frozen=True)
class Mcts(Policy):
    """Plays the most visited action: a proven win first, a proven loss last.

    Args:
        simulations: how many for each move.
        exploration: the c of UCT, mean + c · √(ln N / n), for values from -1 to 1. Kocsis and Szepesvári's √2 is for values
            from 0 to 1 and would be 2.8 here; 1.4 plays better with few simulations, 5 and more proves draws sooner.
        rollouts: random games from each leaf, whose average is backed up (the usual form: 1).
        rollout_plies: after how many plies a random game that has not ended counts as drawn.
        solver: whether proven wins, draws and losses are backed up and end a search (MCTS-Solver), or only averaged.
        reuse: whether the part of the tree below the new position is kept for the next move. The caller must say which game a
            position belongs to: see `begin`. Otherwise each move is searched from scratch.
        seconds: time for each move instead of `simulations`, one at least; None for no clock. Moves then depend on the machine.

    Raises:
        ValueError: a setting outside of its range.
    """

    name: ClassVar[str] = "mcts"

    simulations: Annotated[int, Range(1, 10**9)] = 400
    exploration: Annotated[float, Range(0)] = 1.4
    rollouts: Rollouts = 1
    rollout_plies: Rollouts = 200
    solver: bool = True
    reuse: bool = False
    seconds: Seconds | None = None

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return linked(simulate, *FOREST_KERNELS)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.search(states, keys).actions

    def analyse(self, states: StateArray, keys: NDArray[np.uint64]) -> Analysis:
        return analysis_of(self.search(states, keys, plies=LONGEST_LINE))

    def search(
        self, states: StateArray, keys: NDArray[np.uint64], trees: Sequence[Forest] | None = None, plies: int = 0
    ) -> SearchResults:
        """Searches positions on all threads, and returns visits, values and proofs of all actions.

        Args:
            states: unfinished positions (B, W), uint64.
            keys: all the randomness (B,), uint64. The same position and key give the same result, whatever else is searched.
            trees: a tree for each position, from `new_forest`, which keeps its part below the position if it was visited; None
                for new trees.
            plies: the length of the principal variations.
        """
        states, keys = self.batch(states, keys)
        results = SearchResults.empty(len(states), self.game.num_actions, plies)

        def work(rows: Iterator[int]) -> None:
            mine = self.new_forest()
            for row in rows:
                tree = mine if trees is None else trees[row]
                tree.begin(states[row : row + 1], reuse=trees is not None)
                self._grow(tree, int(keys[row]))
                tree.read(results, slice(row, row + 1))
                tree.read_lines(results, slice(row, row + 1))

        share(len(states), work)
        return results

    def new_forest(self) -> Forest:
        """Room for one tree."""
        usual = self.simulations if self.seconds is None else SLICE
        return Forest.for_simulations(self.game, 1, min(usual, SLICE), self.game.num_actions + 1)

    def _grow(self, tree: Forest, key: int) -> None:
        """Runs simulations in a tree until there are enough, or its root is proven."""
        kernel = self.game.kernel(simulate)
        limit, end = (self.simulations, inf) if self.seconds is None else (UNLIMITED, time.perf_counter() + self.seconds)
        slice_ = max(1, SLICE // self.rollouts)
        while (done := int(tree.counters[0, Counter.DONE])) < limit and tree.nodes[0, ROOT, Node.PROOF] == UNKNOWN:
            in_time = time.perf_counter() < end
            if done and not in_time:
                break
            spare = 0 if tree.full_size else self.game.num_actions
            target = min(limit, done + slice_) if in_time else 1  # without a simulation it knows no action
            if kernel(target, spare, key, self._settings_of_playouts, tree.trees):
                tree.double()

    @cached_property
    def _settings_of_playouts(self) -> PlayoutSettings:
        return PlayoutSettings(
            exploration=np.array([self.exploration], np.float64),
            rollouts=self.rollouts,
            plies=self.rollout_plies,
            solver=int(self.solver),
            action_words=self.game.action_words,
        )

    def begin(self, games: int) -> Playing:
        """Starts playing this many new games, and keeps their trees if `reuse` is set."""
        return GamesWithTrees(self, games) if self.reuse else Playing(self)


class GamesWithTrees(Playing):
    """Games that one policy plays, numbered from 0, with a tree for each.

    Args:
        policy: whose games they are.
        games: how many.
    """

    def __init__(self, policy: Mcts, games: int) -> None:
        super().__init__(policy)
        self._search, self._new_tree = policy.search, policy.new_forest
        self._trees = [self._new_tree() for _ in range(games)]

    def begin_again(self, games: NDArray[np.int64]) -> None:
        for game in games.tolist():
            self._trees[game] = self._new_tree()

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> NDArray[np.int64]:
        """One action for each state, searched in the tree of its game.

        A tree keeps its part below a state that it has visited, and starts again otherwise.

        Raises:
            MemoryError: no room for the trees.
        """
        if (taken := sum(tree.bytes for tree in self._trees)) > MAX_BYTES:
            raise MemoryError(
                f"the trees that mcts keeps of {len(self._trees)} games take {taken >> 20} MiB, more than {MAX_BYTES >> 20}; "
                "play fewer games together, do fewer simulations, or leave out reuse=true"
            )
        return self._search(states, keys, [self._trees[game] for game in games]).actions


def analysis_of(results: SearchResults) -> Analysis:
    """The results of a tree search as an analysis."""
    known = (results.visits > 0) | (results.action_proofs != UNKNOWN)
    return Analysis(
        results.actions,
        results.policy,
        values=results.values,
        action_values=np.where(known, results.action_values, np.nan),
        visits=results.visits,
        proofs=results.action_proofs,
        lines=results.lines,
    )
