"""Monte-Carlo tree search guided by priors and values, as in AlphaZero, step by step in many trees at once.

Each step, `select` finds the next leaves of every tree and returns their states in one batch; the caller evaluates them;
`back_up` expands the leaves with these priors and backs the values up (tree.py). Finished games and proven nodes need no
evaluation and are backed up at once.

    guided = GuidedSearch(game, simulations=800)
    search = guided.begin(states, noise)
    while len(leaves := search.select()):
        search.back_up(*net(leaves))
    found = search.found()

Sources: Silver et al.: A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play,
Science 2018; for virtual loss, Chaslot, Winands, van den Herik: Parallel Monte-Carlo tree search, CG 2008.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.bounds import Bounded, Count, OneOf, Share
from ...core.numbers import Range
from ...games.game import Game, StateArray
from ...games.linking import Linked, linked
from ...native import Function
from ...native.threads import pool
from .batch_step import BatchSettings, PendingLeaves, add_noise_to_roots, expand_leaves, read_gumbel_results, select_leaves
from .forest import FOREST_KERNELS, Forest, SearchResults
from .inline_evaluator import InlineEvaluator, predict, search_trees
from .proof_search import table_entries
from .tree import GUMBEL, PUCT, UCT, Counter

Evaluate = Callable[[StateArray], "tuple[ArrayLike, ArrayLike]"]
"""States (n, W) to priors (n, A) and values (n,)."""
SLICE = 1 << 16
"""Simulations with an inline evaluator, in all trees together, between two checks of Ctrl-C and of the room."""
FORMULAS = {"puct": PUCT, "uct": UCT, "gumbel": GUMBEL}
Formula: TypeAlias = Annotated[str, OneOf(*FORMULAS)]
Positions: TypeAlias = Annotated[int, Range(0)]
NotNegative: TypeAlias = Annotated[float, Range(0)]


@dataclass(frozen=True)
class GuidedSearch(Bounded):
    """Monte-Carlo tree search by priors and values from an evaluator, over any game.

    Args:
        game: the game and variant.
        simulations: how many for each position (AlphaZero: 800).
        exploration: the c of the formula, for values from -1 to 1. AlphaZero's grows slowly with the visits, from 1.25.
        formula: the exploration bonus: "puct" is AlphaZero's, c · P · √N / (1 + n); "uct" is c · P · √(ln N / n), with n at
            least 1. A child without visits has the mean 0. "gumbel" selects as Gumbel AlphaZero does, for few simulations
            (gumbel.py); it does not use `exploration`, and adds its noise in full.
        leaves: how many leaves of one tree may be pending together (1), each with a virtual loss.
        noise_share: the share of noise in the root's priors, where noise is given (AlphaZero: 0.25).
        solver: whether proven values are backed up and end a search (AlphaZero has none).
        ahead: positions of the proof search from each leaf, before the network evaluates it (proof_search.py); 0 for none. Without
            the solver there is no proof search.
        root_ahead: the same from each action at the root, where this is more: they are few, and one of them will be played.
        considered: by Gumbel, how many actions are considered at the root at most (Gumbel AlphaZero: 16).
        value_scale: by Gumbel, the weight of values against priors (mctx: 0.1).
        value_visits: by Gumbel, visits that are added to those of the most visited child (mctx: 50).

    Raises:
        ValueError: a setting outside of its range.
    """

    game: Game
    simulations: Count = 800
    exploration: NotNegative = 1.25
    formula: Formula = "puct"
    leaves: Count = 1
    noise_share: Share = 0.25
    solver: bool = True
    ahead: Positions = 0
    root_ahead: Positions = 0
    considered: Count = 16
    value_scale: NotNegative = 0.1
    value_visits: NotNegative = 50.0

    @property
    def kernels(self) -> tuple[Linked, ...]:
        """The kernels that a search needs."""
        return linked(add_noise_to_roots, select_leaves, expand_leaves, read_gumbel_results, *FOREST_KERNELS)

    def search(
        self, states: StateArray, evaluate: Evaluate | InlineEvaluator, noise: NDArray[Any] | None = None, plies: int = 0
    ) -> SearchResults:
        """Searches positions with all simulations.

        Args:
            states: the positions (T, W), uint64.
            evaluate: gives priors and values of the leaves of each step; an inline evaluator is called for one leaf at a time,
                whatever `leaves` is.
            noise: as for `begin`.
            plies: the length of the principal variations.
        """
        search = self.begin(states, noise)
        if isinstance(evaluate, InlineEvaluator):
            search.finish(evaluate)
        else:
            while len(leaves := search.select()):
                search.back_up(*evaluate(leaves))
        return search.found(plies)

    def begin(self, states: StateArray, noise: NDArray[Any] | None = None, kept: Searching | None = None) -> Searching:
        """Begins a search.

        Args:
            states: the positions (T, W), uint64.
            noise: a number of 0 or more for each action (T, A), such as Dirichlet noise; by Gumbel any number, drawn from the
                Gumbel distribution; None for no noise.
            kept: an earlier search of as many positions, whose trees are reused: each keeps its part below the position, if it
                was visited.

        Raises:
            ValueError: noise of another shape, noise below 0 or not finite, or an earlier search of another size or formula.
            RuntimeError: the earlier search has pending leaves.
        """
        if noise is not None and np.shape(noise) != (len(states), self.game.num_actions):
            raise ValueError(
                f"noise has shape {np.shape(noise)}; it must have shape {(len(states), self.game.num_actions)}, a number per action"
            )
        if noise is not None and not (np.isfinite(noise).all() and (self.formula == "gumbel" or np.min(noise, initial=0) >= 0)):
            raise ValueError("noise must be finite numbers, of 0 or more unless formula is gumbel")
        if kept is None:
            forest = Forest.sized(self.game, len(states), self.simulations, 1 + self.game.num_actions * (1 + self.leaves))
        elif len(kept.forest.roots) != len(states):
            raise ValueError(f"the earlier search had {len(kept.forest.roots)} positions, this one has {len(states)}")
        elif kept.settings.formula != self.formula:
            raise ValueError(f"the earlier search had formula={kept.settings.formula}, this one has formula={self.formula}")
        else:
            kept.check_none_pending()
            forest = kept.forest
        return Searching(self, forest, self.game.batch(states), noise, reuse=kept is not None)


class Searching:
    """A search that is not finished, from `GuidedSearch.begin`."""

    def __init__(self, settings: GuidedSearch, forest: Forest, states: StateArray, noise: NDArray[Any] | None, reuse: bool) -> None:
        trees, game = len(states), settings.game
        self.settings, self.forest = settings, forest
        formula = FORMULAS[settings.formula]
        numbers = "exploration", "noise_share", "value_scale", "value_visits", "considered", "ahead"
        root_ahead = max(settings.ahead, settings.root_ahead)
        numbers = np.array([*(getattr(settings, name) for name in numbers), root_ahead], np.float64)
        columns = game.num_actions if formula == GUMBEL else 0
        noise = np.zeros((trees, columns)) if noise is None else np.ascontiguousarray(noise, np.float64)
        none = np.zeros((trees, columns), np.int64)
        self._batch = BatchSettings(settings.simulations, numbers, formula, int(settings.solver), game.action_words, noise, none)
        self._pending = PendingLeaves(
            np.zeros((trees, settings.leaves), np.int64), np.zeros((trees, settings.leaves, game.num_words), np.uint64)
        )
        forest.give_tables(table_entries(root_ahead))
        kept = forest.begin(states, reuse=reuse)
        game.kernel(add_noise_to_roots)(kept, self._batch, forest.trees)
        if formula == GUMBEL and reuse:  # sequential halving counts the visits of this search alone
            self._batch = self._batch._replace(visits_before=self.found().visits)

    def select(self) -> StateArray:
        """Selects the next leaves, and returns their states (n, W); none once the search is over.

        Raises:
            RuntimeError: the leaves selected before are still pending.
            MemoryError: no room for the trees.
        """
        self.check_none_pending()
        settings, actions = self.settings, self.settings.game.num_actions
        self.forest.make_room(settings.leaves * actions)
        self._run(select_leaves, self._batch, self._pending, self.forest.trees)
        return self._pending.states[np.arange(settings.leaves) < self._num_pending[:, None]]

    def back_up(self, priors: ArrayLike, values: ArrayLike) -> None:
        """Expands the leaves that `select` returned, in their order, and backs their values up.

        Args:
            priors: the prior of each action (n, A), 0 or more; divided by their sum over the legal ones.
            values: the value of each position for the player to move there (n,), from -1 to 1.

        Raises:
            ValueError: another shape, or numbers that are not finite or priors below 0.
        """
        settings, pending = self.settings, int(self._num_pending.sum())
        priors, values = np.ascontiguousarray(priors, np.float64), np.ascontiguousarray(values, np.float64)
        if priors.shape != (pending, settings.game.num_actions) or values.shape != (pending,):
            raise ValueError(
                f"{pending} pending leaves take priors of shape {(pending, settings.game.num_actions)} and values of shape"
                f" {(pending,)}, not {priors.shape} and {values.shape}"
            )
        if not (np.isfinite(priors).all() and np.isfinite(values).all() and (priors >= 0).all()):
            raise ValueError("the evaluator must give finite priors of 0 or more and finite values")
        offsets = np.cumsum(self._num_pending) - self._num_pending
        self._run(expand_leaves, offsets, priors, values, self._batch, self._pending, self.forest.trees)

    def finish(self, evaluator: InlineEvaluator) -> None:
        """Does all remaining simulations with an inline evaluator.

        Raises:
            RuntimeError: leaves are still pending.
            MemoryError: no room for the trees.
        """
        self.check_none_pending()
        settings, game = self.settings, self.settings.game
        trees, counters = len(self._pending.nodes), self.forest.counters
        kernel = game.kernel(search_trees, {predict: evaluator.predict})
        each = max(1, SLICE // max(1, trees))
        weights, priors = np.ascontiguousarray(evaluator.weights, np.float64), np.ones((trees, game.num_actions))
        while (done := counters[self.forest.unproven, Counter.DONE].min(initial=settings.simulations)) < settings.simulations:
            self.forest.make_room(game.num_actions)
            target = min(settings.simulations, int(done) + each)
            rows = trees * each
            kernel(pool(rows), 0, rows, each, target, weights, priors, self._batch, self.forest.trees)

    def check_none_pending(self) -> None:
        """Checks that no leaf is pending.

        Raises:
            RuntimeError: some are.
        """
        if self._num_pending.any():
            raise RuntimeError("the leaves selected last are still pending; call back_up() with their priors and values first")

    def found(self, plies: int = 0) -> SearchResults:
        """The results so far, with principal variations of that length."""
        found = SearchResults.empty(len(self._pending.nodes), self.settings.game.num_actions, plies)
        self.forest.read(found, slice(None))
        if self._batch.formula == GUMBEL:
            self.settings.game.kernel(read_gumbel_results)(self._batch, self.forest.trees, found.actions, found.policy)
        self.forest.read_lines(found, slice(None))
        return found

    @property
    def _num_pending(self) -> NDArray[np.int64]:
        """How many leaves of each tree are pending (T,)."""
        return self.forest.counters[:, Counter.NUM_PENDING]

    def _run(self, kernel: Function, *arguments: object) -> None:
        """Runs a kernel over all trees, on as many threads as pay off."""
        trees = len(self._pending.nodes)
        self.settings.game.kernel(kernel)(pool(trees), 0, trees, *arguments)
