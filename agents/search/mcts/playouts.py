"""Monte-Carlo tree search with random playouts, many positions at a time, each with a tree of its own (tree.py).

A simulation selects a leaf by UCT, plays random games from there to the end, and backs their mean up. A leaf is expanded at its
second visit. The search ends as soon as its root is proven.

Sources: Kocsis, Szepesvári: Bandit based Monte-Carlo planning, ECML 2006; Winands, Björnsson, Saito: Monte-Carlo tree search
solver, CG 2008; the usual form in Browne et al.: A survey of Monte Carlo tree search methods, 2012.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....envs.games.game import Game, StateArray
from ....envs.games.linking import Linked, linked
from ....envs.kernels.arrays import Numbers, Rewards
from ....envs.kernels.bits import count, select
from ....envs.kernels.keys import below, derive
from ....envs.kernels.rules import ONGOING, State, legal, load, outcome, play
from ....envs.native import releases_gil
from ....envs.native.threads import share
from ....envs.settings.bounds import Bounded
from ....envs.settings.numbers import Range
from ..watch import Seconds
from .forest import FOREST_KERNELS, Forest, SearchResults, Trees
from .tree import ROOT, UCT, UNKNOWN, Counter, Node, back_up, select_leaf, terminal_value

SLICE = 1024
"""Playouts between two checks of the clock and of Ctrl-C."""
UNLIMITED = 2**62
Simulations: TypeAlias = Annotated[int, Range(1, 10**9)]
Exploration: TypeAlias = Annotated[float, Range(0)]
Rollouts: TypeAlias = Annotated[int, Range(1, 10**6)]


@dataclass(frozen=True)
class PlayoutSearch(Bounded):
    """Monte-Carlo tree search with random playouts, over any game.

    Args:
        game: the game and variant.
        simulations: how many for each position.
        exploration: the c of UCT, for values from -1 to 1; 0 counts means alone.
        rollouts: random games from each leaf, whose mean is backed up.
        rollout_plies: plies after which a random game counts as drawn.
        solver: whether proven values are backed up and end a search.
        seconds: time for each position, instead of `simulations`; None for no clock. The result then depends on the machine.

    Raises:
        ValueError: a setting outside of its range.
    """

    game: Game
    simulations: Simulations = 400
    exploration: Exploration = 1.4
    rollouts: Rollouts = 1
    rollout_plies: Rollouts = 200
    solver: bool = True
    seconds: Seconds | None = None

    @property
    def kernels(self) -> tuple[Linked, ...]:
        """The kernels that a search needs."""
        return linked(simulate, *FOREST_KERNELS)

    def search(self, states: StateArray, keys: NDArray[np.uint64], kept: Sequence[Forest] | None = None) -> SearchResults:
        """Searches positions, on every thread.

        Args:
            states: unfinished positions (B, W), uint64.
            keys: all the randomness (B,), uint64. One position and key always give the same result, whatever else is searched.
            kept: a tree for each position, from `new_forest`, which keeps its part below the position if it was visited; None
                for new trees.
        """
        found = SearchResults.empty(len(states), self.game.num_actions)
        states = np.ascontiguousarray(states)

        def work(rows: Iterator[int]) -> None:
            mine = self.new_forest()
            for row in rows:
                tree = mine if kept is None else kept[row]
                tree.begin(states[row : row + 1], reuse=kept is not None)
                self._grow(tree, int(keys[row]))
                tree.read(found, slice(row, row + 1))

        share(len(states), work)
        return found

    def new_forest(self) -> Forest:
        """Room for one tree."""
        usual = self.simulations if self.seconds is None else SLICE
        return Forest.sized(self.game, 1, min(usual, SLICE), self.game.num_actions + 1)

    def _grow(self, tree: Forest, key: int) -> None:
        """Runs simulations in a tree until there are enough, or its root is proven."""
        kernel = self.game.kernel(simulate)
        limit, end = (self.simulations, inf) if self.seconds is None else (UNLIMITED, time.perf_counter() + self.seconds)
        exploration = np.array([self.exploration], np.float64)
        settings = PlayoutSettings(exploration, self.rollouts, self.rollout_plies, int(self.solver), self.game.action_words)
        slice_ = max(1, SLICE // self.rollouts)
        while tree.counters[0, Counter.DONE] < limit and tree.nodes[0, ROOT, Node.PROOF] == UNKNOWN and time.perf_counter() < end:
            spare = 0 if tree.full_size else self.game.num_actions
            target = min(limit, int(tree.counters[0, Counter.DONE]) + slice_)
            if kernel(target, spare, key, settings, tree.trees):
                tree.double()


class PlayoutSettings(NamedTuple):
    """The settings of `PlayoutSearch` as kernels take them, and the number of words of a set of actions."""

    exploration: Rewards
    rollouts: int
    plies: int
    solver: int
    action_words: int


@releases_gil
def simulate(target: int, spare: int, key: np.uint64, settings: PlayoutSettings, trees: Trees) -> int:
    """Simulates until `target` simulations are done in all, or the root is proven; 1 where fewer than `spare` rows are free."""
    tree, values, counters, root = trees.nodes[0], trees.values[0], trees.counters[0], load(trees.roots[0])
    while counters[Counter.DONE] < target and tree[ROOT, Node.PROOF] == UNKNOWN:
        if tree.shape[0] - counters[Counter.USED] < spare:
            return 1
        leaf, state = select_leaf(tree, values, counters, root, settings.exploration[0], UCT, settings.action_words, True, key)
        result = float(terminal_value(tree, leaf, state, settings.solver))
        if result == ONGOING:
            result = mean_playout(state, counters, key, settings.rollouts, settings.plies, settings.action_words)
        back_up(tree, values, leaf, result, 0, UCT)
        counters[Counter.DONE] += 1
    return 0


def mean_playout(state: State, counters: Numbers, key: np.uint64, rollouts: int, plies: int, action_words: int) -> float:
    """Player 0's mean result in playouts."""
    total = 0
    for _ in range(rollouts):
        total += playout(state, counters, key, plies, action_words)
    return total / rollouts


def playout(state: State, counters: Numbers, key: np.uint64, plies: int, action_words: int) -> int:
    """Player 0's result of a random game from a state; 0 where it is not over after so many plies."""
    drawn = counters[Counter.DRAWN]
    result = ONGOING
    for ply in range(plies + 1):
        result = outcome(state)
        if result != ONGOING or ply == plies:
            break
        state = play(state, random_action(state, derive(key, drawn), action_words))
        drawn += 1
    counters[Counter.DRAWN] = drawn
    return 0 if result == ONGOING else result


def random_action(state: State, key: np.uint64, action_words: int) -> int:
    """One of the legal actions, each equally likely."""
    low = legal(state, 0)
    if action_words == 1:
        return select(low, below(key, count(low)))
    total = count(low)
    for word in range(1, action_words):
        total += count(legal(state, word))
    nth = below(key, total)
    word, bits = 0, low
    while nth >= count(bits):
        nth -= count(bits)
        word += 1
        bits = legal(state, word)
    return 64 * word + select(bits, nth)
