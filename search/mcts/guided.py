"""Monte-Carlo tree search guided by a network's priors and values, as in AlphaZero, step by step in many trees at once.

Each step, `select` finds the next leaves of every tree and returns their states in one batch; the caller evaluates them;
`back_up` expands the leaves with these priors and backs the values up (tree.py). Finished games and proven nodes need no
evaluation and are backed up at once.

    guided = GuidedSearch(game, simulations=800)
    search = guided.begin(states, noise)
    while len(leaves := search.select()):
        search.back_up(*net(leaves))
    results = search.results()

An `InlineEvaluator` is compiled into the search instead, so that no simulation crosses into Python:

    results = GuidedSearch(game, simulations=800).search(states, InlineEvaluator(uniform))

The formula "gumbel" selects in another way, for few simulations: gumbel.py.

Sources: Silver et al.: A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play,
Science 2018; for virtual loss, Chaslot, Winands, van den Herik: Parallel Monte-Carlo tree search, CG 2008.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, nan
from typing import Annotated, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.bounds import Bounded, Count, OneOf, Share
from ...core.native import Function, in_ranges
from ...core.native.threads import pool
from ...core.numbers import LARGEST_VALUE, Range
from ...games.game import Game, StateArray
from ...games.kernels.arrays import Counts, Numbers, Rewards, States
from ...games.kernels.rules import ONGOING, State, load, player, store
from ...games.linking import LinkedKernel, linked
from .forest import FOREST_KERNELS, ActionValues, BatchSettings, Forest, SearchResults
from .gumbel import read_gumbel_results, select_leaf_by_gumbel
from .tree import (
    GUMBEL,
    LEAF,
    PENDING,
    PUCT,
    ROOT,
    UCT,
    UNKNOWN,
    Counter,
    Node,
    Nodes,
    Setting,
    Trees,
    Value,
    add_noise,
    add_virtual_loss,
    back_up,
    expand,
    mark_terminal_children,
    relative,
    search_proof,
    select_leaf,
    set_priors,
    set_proof,
    table_entries,
    terminal_value,
)

Evaluate = Callable[[StateArray], "tuple[ArrayLike, ArrayLike]"]
"""States (n, W) to priors (n, A) and values (n,)."""
SLICE = 1 << 16
"""Simulations with an inline evaluator, in all trees together, between two checks of Ctrl-C and of the room."""
FORMULAS = {"puct": PUCT, "uct": UCT, "gumbel": GUMBEL}
Formula: TypeAlias = Annotated[str, OneOf(*FORMULAS)]
Positions: TypeAlias = Annotated[int, Range(0)]
NotNegative: TypeAlias = Annotated[float, Range(0)]
LeafStates: TypeAlias = Annotated[NDArray[np.uint64], 3]
"""The states of the pending leaves of each tree (T, L, W)."""
WANTED = "the evaluator must give finite priors of 0 or more and values from -1 to 1, for the player to move"


@dataclass(frozen=True)
class GuidedSearch(Bounded):
    """Monte-Carlo tree search by priors and values from an evaluator, over any game.

    Args:
        game: the game and variant.
        simulations: how many for each position (AlphaZero: 800).
        exploration: the c of the formula, for values from -1 to 1. AlphaZero's grows slowly with the visits, from 1.25.
        formula: the exploration bonus: "puct" is AlphaZero's, c · P · √N / (1 + n); "uct" is c · P · √(ln N / n), with n at
            least 1. A child without visits has the mean 0. "gumbel" selects as Gumbel AlphaZero does, for few simulations;
            it does not use `exploration`, and adds its noise in full.
        leaves: how many leaves of one tree may be pending together (1), each with a virtual loss.
        noise_share: the share of noise in the root's priors, where noise is given (AlphaZero: 0.25).
        solver: whether proven values are backed up and end a search (AlphaZero has none).
        ahead: positions that the proof search of a leaf may visit, before the network evaluates it (`search_proof` in tree.py);
            0 for no proof search. Without the solver there is none.
        root_ahead: positions that the proof search after each action of the root may visit, where this is more than `ahead`:
            these actions are few, and one of them will be played.
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
    def kernels(self) -> tuple[LinkedKernel, ...]:
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
        return search.results(plies)

    def begin(self, states: StateArray, noise: NDArray[Any] | None = None, earlier: Searching | None = None) -> Searching:
        """Begins a search.

        Args:
            states: the positions (T, W), uint64.
            noise: a number of 0 or more for each action (T, A), such as Dirichlet noise; by Gumbel any number, drawn from the
                Gumbel distribution; None for no noise.
            earlier: an earlier search of as many positions, whose trees are reused: each keeps its part below the position, if it
                was visited.

        Raises:
            ValueError: no states of this game, noise of another shape, below 0 or not finite, or an earlier search of another size
                or formula.
            RuntimeError: the earlier search has pending leaves.
        """
        states = self.game.batch(states)
        if noise is not None and np.shape(noise) != (len(states), self.game.num_actions):
            raise ValueError(
                f"noise has shape {np.shape(noise)}; it must have shape {(len(states), self.game.num_actions)}, a number per action"
            )
        if noise is not None and not (np.isfinite(noise).all() and (self.formula == "gumbel" or np.min(noise, initial=0) >= 0)):
            raise ValueError("noise must be finite numbers, of 0 or more unless formula is gumbel")
        if earlier is None:
            forest = Forest.for_simulations(self.game, len(states), self.simulations, 1 + self.game.num_actions * (1 + self.leaves))
        elif len(earlier.forest.roots) != len(states):
            raise ValueError(f"the earlier search had {len(earlier.forest.roots)} positions, this one has {len(states)}")
        elif earlier.settings.formula != self.formula:
            raise ValueError(f"the earlier search had formula={earlier.settings.formula}, this one has formula={self.formula}")
        else:
            earlier.check_none_pending()
            forest = earlier.forest
        return Searching(self, forest, states, noise, reuse=earlier is not None)


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
        self._batch = BatchSettings(
            simulations=settings.simulations,
            numbers=numbers,
            formula=formula,
            solver=int(settings.solver),
            action_words=game.action_words,
            noise=noise,
            visits_before=np.zeros((trees, columns), np.int64),
        )
        self._pending = PendingLeaves(
            np.zeros((trees, settings.leaves), np.int64), np.zeros((trees, settings.leaves, game.num_words), np.uint64)
        )
        forest.give_tables(table_entries(root_ahead))
        roots = forest.begin(states, reuse=reuse)
        game.kernel(add_noise_to_roots)(roots, self._batch, forest.trees)
        if formula == GUMBEL and reuse:  # sequential halving counts the visits of this search alone
            self._batch = self._batch._replace(visits_before=self.results().visits)

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
            ValueError: another shape, priors that are not finite or below 0, or values that are not from -1 to 1.
        """
        settings, pending = self.settings, int(self._num_pending.sum())
        priors, values = np.ascontiguousarray(priors, np.float64), np.ascontiguousarray(values, np.float64)
        if priors.shape != (pending, settings.game.num_actions) or values.shape != (pending,):
            raise ValueError(
                f"{pending} pending leaves take priors of shape {(pending, settings.game.num_actions)} and values of shape"
                f" {(pending,)}, not {priors.shape} and {values.shape}"
            )
        if wrong := [*priors[~((priors >= 0) & (priors < inf))], *values[~(abs(values) <= LARGEST_VALUE)]]:
            raise ValueError(f"{WANTED}; it gave {wrong[0]}")
        offsets = np.cumsum(self._num_pending) - self._num_pending
        self._run(expand_leaves, offsets, priors, values, self._batch, self._pending, self.forest.trees)

    def finish(self, evaluator: InlineEvaluator) -> None:
        """Does all remaining simulations with an inline evaluator.

        Raises:
            ValueError: it gave priors that are not finite or below 0, or values that are not from -1 to 1.
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
            if np.isnan(self.forest.values[:, ROOT, Value.TOTAL]).any():
                raise ValueError(f"{WANTED}; {evaluator.predict.__name__} gave others")

    def check_none_pending(self) -> None:
        """Checks that no leaf is pending.

        Raises:
            RuntimeError: some are.
        """
        if self._num_pending.any():
            raise RuntimeError("the leaves selected last are still pending; call back_up() with their priors and values first")

    def results(self, plies: int = 0) -> SearchResults:
        """The results so far, with principal variations of that length."""
        results = SearchResults.empty(len(self._pending.nodes), self.settings.game.num_actions, plies)
        self.forest.read(results, slice(None))
        if self._batch.formula == GUMBEL:
            self.settings.game.kernel(read_gumbel_results)(self._batch, self.forest.trees, results.actions, results.policy)
        self.forest.read_lines(results, slice(None))
        return results

    @property
    def _num_pending(self) -> NDArray[np.int64]:
        """How many leaves of each tree are pending (T,)."""
        return self.forest.counters[:, Counter.NUM_PENDING]

    def _run(self, kernel: Function, *arguments: object) -> None:
        """Runs a kernel over all trees, on as many threads as pay off."""
        trees = len(self._pending.nodes)
        self.settings.game.kernel(kernel)(pool(trees), 0, trees, *arguments)


# ---- an evaluator that is compiled into the search


def predict(state: State, weights: Rewards, priors: Rewards) -> float:
    """Writes the prior of each action (A,), 0 or more; returns the value of the state for the player to move.

    `priors` holds ones at the first call, and afterwards what the last call wrote. Illegal actions do not count.
    """
    raise NotImplementedError


def uniform(state: State, weights: Rewards, priors: Rewards) -> float:
    """The same prior for all actions, the value 0 for all positions."""
    return 0.0


@dataclass(frozen=True)
class InlineEvaluator:
    """An evaluation of leaves that is compiled into the search.

    Args:
        predict: a function as `predict` above.
        weights: numbers that every call gets, float64.
    """

    predict: Function = uniform
    weights: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))


# ---- one step: select the next leaves of all trees, then expand them and back their values up


class PendingLeaves(NamedTuple):
    """The leaves of each tree that wait for an evaluation: their nodes (T, L) and their states."""

    nodes: Counts
    states: LeafStates


def add_noise_to_roots(roots: Numbers, settings: BatchSettings, trees: Trees) -> None:
    """Mixes noise into the priors of roots that were roots, and were not roots before."""
    for row in range(roots.shape[0]):
        if roots[row] > ROOT:
            add_noise_to_root(row, settings, trees)


def add_noise_to_root(row: int, settings: BatchSettings, trees: Trees) -> None:
    """Mixes noise, where there is some, into the priors of a tree's root; by Gumbel it decides the choice there instead."""
    if settings.noise.shape[1] > 0 and settings.formula != GUMBEL:
        share = settings.numbers[Setting.NOISE_SHARE]
        add_noise(trees.nodes[row], trees.values[row], settings.noise[row], share, settings.formula)


@in_ranges
def select_leaves(lo: int, hi: int, settings: BatchSettings, pending: PendingLeaves, trees: Trees) -> None:
    """Selects the next leaves of the trees from lo to hi, as many as may be pending together, and writes their nodes and states."""
    room = pending.nodes.shape[1]
    for row in range(lo, hi):
        nodes, values, counters = trees.nodes[row], trees.values[row], trees.counters[row]
        while nodes[ROOT, Node.PROOF] == UNKNOWN and counters[Counter.NUM_PENDING] < room:
            if counters[Counter.DONE] + counters[Counter.NUM_PENDING] >= settings.simulations:
                break
            leaf, state = select_by_formula(row, settings, trees)
            if nodes[leaf, Node.FIRST] == PENDING:
                break
            result = leaf_result(nodes, counters, trees.tables[row], leaf, state, settings)
            if result != ONGOING:
                back_up(nodes, values, leaf, result, 0, settings.formula)
                counters[Counter.DONE] += 1
            else:
                pending.nodes[row, counters[Counter.NUM_PENDING]] = leaf
                store(pending.states[row, counters[Counter.NUM_PENDING]], state)
                add_virtual_loss(nodes, values, counters, leaf, settings.formula)


def select_by_formula(row: int, settings: BatchSettings, trees: Trees) -> tuple[int, State]:
    """Selects from the root of a tree down to a leaf or a proven node, as the formula says; returns that node and its state."""
    nodes, values, counters, root = trees.nodes[row], trees.values[row], trees.counters[row], load(trees.roots[row])
    if settings.formula == GUMBEL:
        return select_leaf_by_gumbel(row, root, settings, trees)
    exploration = settings.numbers[Setting.EXPLORATION]
    return select_leaf(nodes, values, counters, root, exploration, settings.formula, settings.action_words, False, np.uint64(0))


def leaf_result(nodes: Nodes, counters: Numbers, table: States, leaf: int, state: State, settings: BatchSettings) -> int:
    """Player 0's result at a selected node if it is proven, the game is over or a proof search settles it; else ONGOING.

    There is no proof search at the root: its children must show which action is best.
    """
    result = terminal_value(nodes, leaf, state, settings.solver)
    if result == ONGOING and settings.solver != 0 and leaf != ROOT:
        positions = int(settings.numbers[Setting.ROOT_AHEAD if nodes[leaf, Node.PARENT] == ROOT else Setting.AHEAD])
        if positions > 0:
            result = search_proof(state, positions, counters, table, settings.action_words)
            if result != ONGOING:
                set_proof(nodes, leaf, result)
    return result


@in_ranges
def expand_leaves(
    lo: int,
    hi: int,
    offsets: Numbers,
    priors: ActionValues,
    raw_values: Rewards,
    settings: BatchSettings,
    pending: PendingLeaves,
    trees: Trees,
) -> None:
    """Expands the pending leaves of the trees from lo to hi, and backs their values up."""
    for row in range(lo, hi):
        nodes, values, counters = trees.nodes[row], trees.values[row], trees.counters[row]
        for i in range(counters[Counter.NUM_PENDING]):
            leaf, state, k = pending.nodes[row, i], load(pending.states[row, i]), offsets[row] + i
            nodes[leaf, Node.FIRST] = LEAF
            result = expand_leaf(row, leaf, state, priors[k], float(raw_values[k]), settings, trees)
            back_up(nodes, values, leaf, result, 1, settings.formula)
        counters[Counter.NUM_PENDING] = 0


def expand_leaf(
    row: int, leaf: int, state: State, priors: Rewards, raw_value: float, settings: BatchSettings, trees: Trees
) -> float:
    """Expands a leaf of a tree, with priors for its children (A,) and its value for the player to move there.

    Returns:
        The value to back up, for player 0: the raw value, or what the new children prove; NaN, which no sum loses, where value or
        priors cannot be.
    """
    nodes, values, counters = trees.nodes[row], trees.values[row], trees.counters[row]
    values[leaf, Value.RAW_VALUE] = raw_value
    result = relative(raw_value, player(state)) if abs(raw_value) <= LARGEST_VALUE else nan
    if expand(nodes, values, counters, leaf, state, settings.action_words):
        if not set_priors(nodes, values, leaf, priors):
            result = nan
        if settings.solver != 0 and mark_terminal_children(nodes, values, leaf, state, settings.formula):
            result = float(relative(nodes[leaf, Node.PROOF], nodes[leaf, Node.CHOOSER]))
    if leaf != ROOT:
        counters[Counter.DONE] += 1
    else:
        add_noise_to_root(row, settings, trees)
    return result


@in_ranges
def search_trees(
    lo: int, hi: int, each: int, target: int, weights: Rewards, priors: ActionValues, settings: BatchSettings, trees: Trees
) -> None:
    """Simulates in trees until `target` simulations are done in each, its root is proven, or it has no room for more.

    Rows are simulations, `each` of them per tree, so that threads can share few trees too.
    """
    for row in range((lo + each - 1) // each, (hi + each - 1) // each):
        nodes, values, counters = trees.nodes[row], trees.values[row], trees.counters[row]
        while (
            counters[Counter.DONE] < target
            and nodes[ROOT, Node.PROOF] == UNKNOWN
            and nodes.shape[0] - counters[Counter.USED] >= priors.shape[1]
        ):
            leaf, state = select_by_formula(row, settings, trees)
            result = float(leaf_result(nodes, counters, trees.tables[row], leaf, state, settings))
            if result == ONGOING:
                raw_value = predict(state, weights, priors[row])
                result = expand_leaf(row, leaf, state, priors[row], raw_value, settings, trees)
            else:
                counters[Counter.DONE] += 1
            back_up(nodes, values, leaf, result, 0, settings.formula)
            if result != result:  # NaN: `finish` refuses the evaluator
                break
