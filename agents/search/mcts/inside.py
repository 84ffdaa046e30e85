"""Guided search whose priors and values come from a function that is compiled into it: nothing crosses into Python on the way.

    found = GuidedSearch(game, simulations=800).search(states, Inside(free))

The function is one for all games or for one, over integers and arrays, as kernels are. `free` is the free network, to which
all actions are alike and all positions even: what a search costs with it, it costs by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ....envs.kernels.arrays import Rewards
from ....envs.kernels.rules import ONGOING, State
from ....envs.native import Function, in_ranges
from .forest import Claims, Trees
from .rounds import Guidance, expand, go_down, judged
from .tree import DONE, KNOWN, ROOT, UNKNOWN, USED, back_up


def guess(state: State, weights: Rewards, priors: Rewards) -> float:
    """Writes how likely each action is to be good (A,), 0 or more; returns what the state is worth to the player to move.

    `priors` holds ones when it is asked first, and then what it wrote last. Illegal actions do not count.
    """
    raise NotImplementedError


def free(state: State, weights: Rewards, priors: Rewards) -> float:
    """All actions are alike, and all positions even."""
    return 0.0


@dataclass(frozen=True)
class Inside:
    """What a search asks about its leaves, compiled into it.

    Args:
        guess: a function as `guess` above.
        weights: numbers that it is given at each call, float64.
    """

    guess: Function = free
    weights: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))


@in_ranges
def search_trees(
    lo: int, hi: int, each: int, upto: int, weights: Rewards, priors: Claims, guidance: Guidance, trees: Trees
) -> None:
    """Simulates in trees until `upto` simulations are done in each, its root is proven, or it has no room for more.

    Rows are simulations, `each` of them to a tree, so that threads share few trees too.
    """
    for row in range((lo + each - 1) // each, (hi + each - 1) // each):
        tree, worths, book = trees.nodes[row], trees.values[row], trees.books[row]
        while book[DONE] < upto and tree[ROOT, KNOWN] == UNKNOWN and tree.shape[0] - book[USED] >= priors.shape[1]:
            leaf, state = go_down(row, guidance, trees)
            result = float(judged(tree, book, leaf, state, guidance))
            if result == ONGOING:
                answer = guess(state, weights, priors[row])
                result = expand(row, leaf, state, priors[row], answer, guidance, trees)
            else:
                book[DONE] += 1
            back_up(tree, worths, leaf, result, 0, guidance.formula)
