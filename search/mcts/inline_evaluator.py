"""Guided search with an evaluation that is compiled into it, so that no simulation crosses into Python.

    found = GuidedSearch(game, simulations=800).search(states, InlineEvaluator(uniform))

The function works on integers and arrays, as kernels do, for one game or for all. `uniform` gives all actions the same prior and
all positions the value 0: a search with it costs what the search alone costs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...games.kernels.arrays import Rewards
from ...games.kernels.rules import ONGOING, State
from ...native import Function, in_ranges
from .batch_step import BatchSettings, expand_leaf, leaf_result, select_by_formula
from .forest import ActionValues, Trees
from .tree import ROOT, UNKNOWN, Counter, Node, back_up


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
