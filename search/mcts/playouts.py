"""Monte-Carlo tree search with random playouts, as compiled code; a tree is as in tree.py.

A simulation selects a leaf by UCT, plays random games from there to the end, and backs their mean up. A leaf is expanded at its
second visit. The search ends as soon as its root is proven.

Sources: Kocsis, Szepesvári: Bandit based Monte-Carlo planning, ECML 2006; Winands, Björnsson, Saito: Monte-Carlo tree search
solver, CG 2008; the usual form in Browne et al.: A survey of Monte Carlo tree search methods, 2012.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...games.kernels.arrays import Numbers, Rewards
from ...games.kernels.bits import count, select
from ...games.kernels.keys import below, derive
from ...games.kernels.rules import ONGOING, State, legal, load, outcome, play
from ...native import releases_gil
from .forest import Trees
from .tree import ROOT, UCT, UNKNOWN, Counter, Node, back_up, select_leaf, terminal_value


class PlayoutSettings(NamedTuple):
    """The settings of the policy `mcts` as kernels take them, and the number of words of a set of actions."""

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
    """Player 0's result of a random game from a state; 0 if it is not over after this many plies."""
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
