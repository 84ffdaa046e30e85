"""Monte-Carlo tree search that asks for priors and values, as AlphaZero does: round by round, in many trees at once.

Each round, `select` goes down every tree to its next leaves and hands out their states, all in one batch; whoever knows says
how likely each action is to be good there and what the position is worth; `take` gives the leaves children with these priors
and backs the values up (tree.py). Ended games and proven nodes need no answer and are backed up at once.

    guided = GuidedSearch(game, simulations=800)
    search = guided.begin(states, noise)
    while len(leaves := search.select()):
        search.take(*net(leaves))
    found = search.found()

Sources: Silver et al.: A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play,
Science 2018; for virtual loss, Chaslot, Winands, van den Herik: Parallel Monte-Carlo tree search, CG 2008.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...envs.game import Game, StateArray
from ...envs.kernels.arrays import Numbers, Rewards, States
from ...envs.native import releases_gil
from ...envs.rules import ONGOING, load, player, store
from ...envs.threads import share, thread_count
from .forest import Books, Claims, Forest, Found, NodesOfTrees, ValuesOfTrees
from .tree import (
    DONE,
    FIRST,
    FLYING,
    IN_FLIGHT,
    KNOWN,
    LEAF,
    PUCT,
    ROOT,
    UCT,
    UNKNOWN,
    USED,
    back_up,
    descend,
    grow,
    hold,
    stir,
    turned,
    verdict,
    weigh,
)

LeafStates: TypeAlias = Annotated[NDArray[np.uint64], 3]
"""The states of the leaves that wait in each tree (T, L, W)."""
Evaluate = Callable[[StateArray], "tuple[ArrayLike, ArrayLike]"]
"""States (n, W) to priors (n, A) and values (n,)."""
FORMULAS = {"puct": PUCT, "uct": UCT}
SMALLEST_SHARE = 1024
"""Leaves in a round that pay for a thread of their own."""


@dataclass(frozen=True)
class GuidedSearch:
    """Monte-Carlo tree search by priors and values from outside, over any game.

    Args:
        game: the game and variant.
        simulations: how many for each position (AlphaZero: 800).
        exploration: the c of the formula, for values from -1 to 1. AlphaZero's grows slowly with the visits, from 1.25.
        formula: what a child's prior weighs beside its mean: "puct" is AlphaZero's, c · P · √N / (1 + n); "uct" is
            c · P · √(ln N / n), n taken as 1 where it is 0. A child without visits has the mean 0.
        leaves: how many leaves of one tree wait for their values together (1); those in flight count as lost.
        noise_share: how much of the root's priors is noise, where noise is given (AlphaZero: 0.25).
        solver: whether proven values are backed up and end a search (AlphaZero has none).

    Raises:
        ValueError: a setting outside of its range.
    """

    game: Game
    simulations: int = 800
    exploration: float = 1.25
    formula: str = "puct"
    leaves: int = 1
    noise_share: float = 0.25
    solver: bool = True

    def __post_init__(self) -> None:
        for name in ("simulations", "leaves"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; Monte-Carlo tree search takes 1 or more")
        if not (self.exploration >= 0 and isfinite(self.exploration)):
            raise ValueError(f"exploration is {self.exploration}; it is a number of 0 or more, such as 1.25")
        if self.formula not in FORMULAS:
            raise ValueError(f"formula is {self.formula!r}; there are: {', '.join(FORMULAS)}")
        if not 0 <= self.noise_share <= 1:
            raise ValueError(f"noise_share is {self.noise_share}; it is a part, from 0 to 1")

    def search(self, states: StateArray, evaluate: Evaluate, noise: NDArray[Any] | None = None) -> Found:
        """Searches positions from the beginning to the end, asking `evaluate` about the leaves of each round."""
        search = self.begin(states, noise)
        while len(leaves := search.select()):
            search.take(*evaluate(leaves))
        return search.found()

    def begin(self, states: StateArray, noise: NDArray[Any] | None = None, kept: Searching | None = None) -> Searching:
        """Begins a search.

        Args:
            states: the positions (T, W), uint64.
            noise: for each position, a number of 0 or more for each action (T, A), such as a draw from a Dirichlet
                distribution; None for no noise.
            kept: an earlier search of as many positions, whose trees are taken over: each keeps what it knew below the
                position, if it had come there.

        Raises:
            ValueError: noise or an earlier search of another shape.
            RuntimeError: leaves of the earlier search still wait for their values.
        """
        if noise is not None and np.shape(noise) != (len(states), self.game.actions):
            raise ValueError(
                f"noise is of shape {np.shape(noise)}; it takes {(len(states), self.game.actions)}, a number an action"
            )
        if kept is None:
            forest = Forest(self.game, len(states), 1 + self.game.actions * (1 + self.leaves))
        elif len(kept.forest.roots) != len(states):
            raise ValueError(f"the earlier search was of {len(kept.forest.roots)} positions, this one is of {len(states)}")
        else:
            kept.check_landed()
            forest = kept.forest
        return Searching(self, forest, np.ascontiguousarray(states), noise, reuse=kept is not None)


class Searching:
    """A search under way: made by `GuidedSearch.begin`."""

    def __init__(self, settings: GuidedSearch, forest: Forest, states: StateArray, noise: NDArray[Any] | None, reuse: bool) -> None:
        trees, game = len(states), settings.game
        self.settings, self.forest = settings, forest
        self._formula = FORMULAS[settings.formula]
        self._numbers = np.array([settings.exploration, settings.noise_share], np.float64)
        self._noise = np.zeros((trees, 0)) if noise is None else np.ascontiguousarray(noise, np.float64)
        self._waiting = np.zeros((trees, settings.leaves), np.int64)
        self._leaves = np.zeros((trees, settings.leaves, game.words), np.uint64)
        kept = forest.begin(states, reuse=reuse)
        game.kernel(stir_roots)(kept, self._noise, self._numbers, self._formula, forest.nodes, forest.values)

    def select(self) -> StateArray:
        """The states of the leaves that are to be told about next (n, W); none once the search is over.

        Raises:
            RuntimeError: the leaves handed out before have not been told about.
            MemoryError: no room for the trees.
        """
        self.check_landed()
        self._make_room()
        settings = self.settings
        kernel = settings.game.kernel(select_leaves)
        rest = settings.simulations, self._numbers, self._formula, int(settings.solver), settings.game.action_words
        self._in_parts(lambda lo, hi: kernel(lo, hi, *rest, self._waiting, self._leaves, *self.forest.arrays))
        return self._leaves[np.arange(settings.leaves) < self._flying[:, None]]

    def take(self, priors: ArrayLike, values: ArrayLike) -> None:
        """Tells the search about the leaves that `select` handed out, in their order.

        Args:
            priors: how likely each action is to be good (n, A), 0 or more; brought to a sum of 1 over the legal ones.
            values: what each position is worth to the player to move there (n,), from -1 to 1.

        Raises:
            ValueError: another shape, or a number that is none.
        """
        settings, waiting = self.settings, int(self._flying.sum())
        priors, values = np.ascontiguousarray(priors, np.float64), np.ascontiguousarray(values, np.float64)
        if priors.shape != (waiting, settings.game.actions) or values.shape != (waiting,):
            raise ValueError(
                f"{waiting} leaves wait for priors of shape {(waiting, settings.game.actions)} and values of shape {(waiting,)}, "
                f"not {priors.shape} and {values.shape}"
            )
        if not (np.isfinite(priors).all() and np.isfinite(values).all() and (priors >= 0).all()):
            raise ValueError("priors are numbers of 0 or more, and values are numbers; the net gave others")
        begins = np.cumsum(self._flying) - self._flying
        kernel = settings.game.kernel(take_answers)
        rest = begins, priors, values, self._noise, self._numbers, self._formula, settings.game.action_words
        self._in_parts(lambda lo, hi: kernel(lo, hi, *rest, self._waiting, self._leaves, *self.forest.arrays[:3]))

    def check_landed(self) -> None:
        """Checks that no leaf waits for its value.

        Raises:
            RuntimeError: some do.
        """
        if self._flying.any():
            raise RuntimeError("the leaves handed out last still wait for their priors and values; take() them first")

    def found(self) -> Found:
        """What the search has found so far."""
        found = Found.nothing(len(self._leaves), self.settings.game.actions)
        self.forest.read(found, slice(None))
        return found

    @property
    def _flying(self) -> NDArray[np.int64]:
        """How many leaves of each tree wait for their values (T,)."""
        return self.forest.books[:, FLYING]

    def _make_room(self) -> None:
        """Room for the children of all leaves of a round."""
        used = self.forest.books[:, USED].max(initial=0)
        while self.forest.nodes.shape[1] - used < self.settings.leaves * self.settings.game.actions:
            if self.forest.widest:
                raise MemoryError(
                    f"the trees of {len(self._leaves)} positions have no room for more than {used} nodes each; "
                    "search fewer positions together, or do fewer simulations"
                )
            self.forest.widen()

    def _in_parts(self, work: Callable[[int, int], object]) -> None:
        """Does work on all trees, each thread in ranges of its own."""
        trees, leaves = self._waiting.shape
        parts = max(1, min(thread_count(), trees * leaves // SMALLEST_SHARE))

        def each(rows: Iterator[int]) -> None:
            for part in rows:
                work(trees * part // parts, trees * (part + 1) // parts)

        share(parts, each)


def stir_roots(kept: Numbers, noise: Claims, numbers: Rewards, formula: int, nodes: NodesOfTrees, values: ValuesOfTrees) -> None:
    """Mixes noise into the priors of roots that were kept, and were not roots before."""
    for row in range(kept.shape[0]):
        if kept[row] > ROOT and noise.shape[1] > 0:
            stir(nodes[row], values[row], noise[row], numbers[1], formula)


@releases_gil
def select_leaves(lo: int, hi: int, simulations: int, numbers: Rewards, formula: int, solver: int, action_words: int,
                  waiting: Books, leaves: LeafStates, nodes: NodesOfTrees, values: ValuesOfTrees, books: Books,
                  roots: States) -> None:  # fmt: skip
    """Finds the next leaves of the trees from lo to hi, as many as may wait together, and lays down which and their states."""
    for row in range(lo, hi):
        tree, worths, book = nodes[row], values[row], books[row]
        while book[FLYING] < waiting.shape[1] and book[DONE] + book[FLYING] < simulations and tree[ROOT, KNOWN] == UNKNOWN:
            leaf, state = descend(tree, worths, book, load(roots[row]), numbers[0], formula, action_words, False, np.uint64(0))
            if tree[leaf, FIRST] == IN_FLIGHT:
                break
            result = verdict(tree, leaf, state, solver)
            if result != ONGOING:
                back_up(tree, worths, leaf, result, 0, formula)
                book[DONE] += 1
            else:
                waiting[row, book[FLYING]] = leaf
                store(leaves[row, book[FLYING]], state)
                hold(tree, worths, book, leaf, formula)


@releases_gil
def take_answers(lo: int, hi: int, begins: Numbers, priors: Claims, answers: Rewards, noise: Claims, numbers: Rewards,
                 formula: int, action_words: int, waiting: Books, leaves: LeafStates, nodes: NodesOfTrees,
                 values: ValuesOfTrees, books: Books) -> None:  # fmt: skip
    """Gives the leaves that wait in the trees from lo to hi their children, and backs their values up."""
    for row in range(lo, hi):
        tree, worths, book = nodes[row], values[row], books[row]
        for i in range(book[FLYING]):
            leaf, state, told = waiting[row, i], load(leaves[row, i]), begins[row] + i
            tree[leaf, FIRST] = LEAF
            if grow(tree, worths, book, leaf, state, action_words):
                weigh(tree, worths, leaf, priors[told])
            if leaf != ROOT:
                book[DONE] += 1
            elif noise.shape[1] > 0:
                stir(tree, worths, noise[row], numbers[1], formula)
            back_up(tree, worths, leaf, turned(float(answers[told]), player(state)), 1, formula)
        book[FLYING] = 0
