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

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....envs.games.game import Game, StateArray
from ....envs.games.linking import Linked, linked
from ....envs.native import Function
from ....envs.native.threads import pool
from .forest import FOREST_KERNELS, Forest, Found
from .inside import Inside, guess, search_trees
from .rounds import Guidance, Waiting, read_by_gumbel, select_leaves, stir_roots, take_answers
from .tree import DONE, FLYING, GUMBEL, PUCT, UCT

Evaluate = Callable[[StateArray], "tuple[ArrayLike, ArrayLike]"]
"""States (n, W) to priors (n, A) and values (n,)."""
SLICE = 1 << 16
"""Simulations inside, in all trees together, between two looks at Ctrl-C and at the room."""
FORMULAS = {"puct": PUCT, "uct": UCT, "gumbel": GUMBEL}


@dataclass(frozen=True)
class GuidedSearch:
    """Monte-Carlo tree search by priors and values from outside, over any game.

    Args:
        game: the game and variant.
        simulations: how many for each position (AlphaZero: 800).
        exploration: the c of the formula, for values from -1 to 1. AlphaZero's grows slowly with the visits, from 1.25.
        formula: what a child's prior weighs beside its mean: "puct" is AlphaZero's, c · P · √N / (1 + n); "uct" is
            c · P · √(ln N / n), n taken as 1 where it is 0. A child without visits has the mean 0. "gumbel" chooses as Gumbel
            AlphaZero does, for few simulations (gumbel.py); it knows no exploration, and takes noise whole.
        leaves: how many leaves of one tree wait for their values together (1); those in flight count as lost.
        noise_share: how much of the root's priors is noise, where noise is given (AlphaZero: 0.25).
        solver: whether proven values are backed up and end a search (AlphaZero has none).
        ahead: so many positions are looked at from each leaf, to prove what it is worth before the network is asked (ahead.py); 0
            for none. Without the solver there is nothing to prove.
        root_ahead: as `ahead`, from each action at the root, where this is more: they are few, and one of them is to be played.
        considered: by Gumbel, how many actions are tried at the root at most (Gumbel AlphaZero: 16).
        value_scale: by Gumbel, what values weigh beside priors; with
        value_visits: visits that are added to the most visited child's (mctx: 0.1 and 50).

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
    ahead: int = 0
    root_ahead: int = 0
    considered: int = 16
    value_scale: float = 0.1
    value_visits: float = 50.0

    def __post_init__(self) -> None:
        for name in ("simulations", "leaves", "considered"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; Monte-Carlo tree search takes 1 or more")
        for name in ("ahead", "root_ahead"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is {getattr(self, name)}; it is how many positions are looked at from a leaf, 0 or more")
        if not (self.exploration >= 0 and isfinite(self.exploration)):
            raise ValueError(f"exploration is {self.exploration}; it is a number of 0 or more, such as 1.25")
        if self.formula not in FORMULAS:
            raise ValueError(f"formula is {self.formula!r}; there are: {', '.join(FORMULAS)}")
        for name in ("value_scale", "value_visits"):
            if not (getattr(self, name) >= 0 and isfinite(getattr(self, name))):
                raise ValueError(f"{name} is {getattr(self, name)}; it is a number of 0 or more")
        if not 0 <= self.noise_share <= 1:
            raise ValueError(f"noise_share is {self.noise_share}; it is a part, from 0 to 1")

    @property
    def kernels(self) -> tuple[Linked, ...]:
        """The kernels that a search takes."""
        return linked(stir_roots, select_leaves, take_answers, read_by_gumbel, *FOREST_KERNELS)

    def search(self, states: StateArray, evaluate: Evaluate | Inside, noise: NDArray[Any] | None = None) -> Found:
        """Searches positions from the beginning to the end, asking `evaluate` about the leaves of each round.

        An evaluation `Inside` the search is asked about each leaf by itself; `leaves` is of no account then.
        """
        search = self.begin(states, noise)
        if isinstance(evaluate, Inside):
            search.finish(evaluate)
        else:
            while len(leaves := search.select()):
                search.take(*evaluate(leaves))
        return search.found()

    def begin(self, states: StateArray, noise: NDArray[Any] | None = None, kept: Searching | None = None) -> Searching:
        """Begins a search.

        Args:
            states: the positions (T, W), uint64.
            noise: for each position, a number of 0 or more for each action (T, A), such as a draw from a Dirichlet
                distribution; by Gumbel any number, drawn from Gumbel's; None for no noise.
            kept: an earlier search of as many positions, whose trees are taken over: each keeps what it knew below the
                position, if it had come there.

        Raises:
            ValueError: noise or an earlier search of another shape, noise that cannot be, or a search by another formula.
            RuntimeError: leaves of the earlier search still wait for their values.
        """
        if noise is not None and np.shape(noise) != (len(states), self.game.actions):
            raise ValueError(
                f"noise is of shape {np.shape(noise)}; it takes {(len(states), self.game.actions)}, a number an action"
            )
        if noise is not None and not (np.isfinite(noise).all() and (self.formula == "gumbel" or np.min(noise, initial=0) >= 0)):
            raise ValueError("noise is numbers, of 0 or more unless the search is by gumbel; there are others among it")
        if kept is None:
            forest = Forest.planned(self.game, len(states), self.simulations, 1 + self.game.actions * (1 + self.leaves))
        elif len(kept.forest.roots) != len(states):
            raise ValueError(f"the earlier search was of {len(kept.forest.roots)} positions, this one is of {len(states)}")
        elif kept.settings.formula != self.formula:
            raise ValueError(f"the earlier search was by {kept.settings.formula}, this one is by {self.formula}")
        else:
            kept.check_landed()
            forest = kept.forest
        return Searching(self, forest, np.ascontiguousarray(states), noise, reuse=kept is not None)


class Searching:
    """A search under way: made by `GuidedSearch.begin`."""

    def __init__(self, settings: GuidedSearch, forest: Forest, states: StateArray, noise: NDArray[Any] | None, reuse: bool) -> None:
        trees, game = len(states), settings.game
        self.settings, self.forest = settings, forest
        formula = FORMULAS[settings.formula]
        numbers = "exploration", "noise_share", "value_scale", "value_visits", "considered", "ahead"
        root_ahead = max(settings.ahead, settings.root_ahead)
        numbers = np.array([*(getattr(settings, name) for name in numbers), root_ahead], np.float64)
        columns = game.actions if formula == GUMBEL else 0
        noise = np.zeros((trees, columns)) if noise is None else np.ascontiguousarray(noise, np.float64)
        before = np.zeros((trees, columns), np.int64)
        self._guidance = Guidance(settings.simulations, numbers, formula, int(settings.solver), game.action_words, noise, before)
        self._waiting = Waiting(
            np.zeros((trees, settings.leaves), np.int64), np.zeros((trees, settings.leaves, game.words), np.uint64)
        )
        kept = forest.begin(states, reuse=reuse)
        game.kernel(stir_roots)(kept, self._guidance, forest.trees)
        if formula == GUMBEL and reuse:  # the simulations of this search are shared out evenly, whatever visits the trees bring
            self._guidance = self._guidance._replace(before=self.found().visits)

    def select(self) -> StateArray:
        """The states of the leaves that are to be told about next (n, W); none once the search is over.

        Raises:
            RuntimeError: the leaves handed out before have not been told about.
            MemoryError: no room for the trees.
        """
        self.check_landed()
        settings, actions = self.settings, self.settings.game.actions
        self.forest.make_room(settings.leaves * actions)
        self._run(select_leaves, self._guidance, self._waiting, self.forest.trees)
        return self._waiting.states[np.arange(settings.leaves) < self._flying[:, None]]

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
        self._run(take_answers, begins, priors, values, self._guidance, self._waiting, self.forest.trees)

    def finish(self, inside: Inside) -> None:
        """Does all simulations that are left, with an evaluation compiled into them.

        Raises:
            RuntimeError: leaves handed out still wait for their answers.
            MemoryError: no room for the trees.
        """
        self.check_landed()
        settings, game = self.settings, self.settings.game
        trees, books = len(self._waiting.nodes), self.forest.books
        kernel = game.kernel(search_trees, {guess: inside.guess})
        each = max(1, SLICE // max(1, trees))
        weights, priors = np.ascontiguousarray(inside.weights, np.float64), np.ones((trees, game.actions))
        while (done := books[self.forest.unproven, DONE].min(initial=settings.simulations)) < settings.simulations:
            self.forest.make_room(game.actions)
            upto = min(settings.simulations, int(done) + each)
            rows = trees * each
            kernel(pool(rows), 0, rows, each, upto, weights, priors, self._guidance, self.forest.trees)

    def check_landed(self) -> None:
        """Checks that no leaf waits for its value.

        Raises:
            RuntimeError: some do.
        """
        if self._flying.any():
            raise RuntimeError("the leaves handed out last still wait for their priors and values; take() them first")

    def found(self) -> Found:
        """What the search has found so far."""
        found = Found.nothing(len(self._waiting.nodes), self.settings.game.actions)
        self.forest.read(found, slice(None))
        if self._guidance.formula == GUMBEL:
            self.settings.game.kernel(read_by_gumbel)(self._guidance, self.forest.trees, found.actions, found.policy)
        return found

    @property
    def _flying(self) -> NDArray[np.int64]:
        """How many leaves of each tree wait for their values (T,)."""
        return self.forest.books[:, FLYING]

    def _run(self, kernel: Function, *arguments: object) -> None:
        """Runs a kernel over all trees, on every thread that pays."""
        trees = len(self._waiting.nodes)
        self.settings.game.kernel(kernel)(pool(trees), 0, trees, *arguments)
