"""One step of guided search in compiled code: selects the next leaves of all trees; expands them and backs their values up."""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.kernels.arrays import Counts, Numbers, Rewards, States
from ...games.kernels.rules import ONGOING, State, load, player, store
from ...native import in_ranges
from .forest import ActionValues, BatchSettings, Trees
from .gumbel import root_candidate, select_leaf_by_gumbel, write_improved_policy
from .proof_search import search_proof
from .tree import (
    GUMBEL,
    LEAF,
    PENDING,
    ROOT,
    UNKNOWN,
    Counter,
    Node,
    Nodes,
    Setting,
    Value,
    add_noise,
    add_virtual_loss,
    back_up,
    children,
    expand,
    mark_terminal_children,
    relative,
    select_leaf,
    set_priors,
    set_proof,
    terminal_value,
)

LeafStates: TypeAlias = Annotated[NDArray[np.uint64], 3]
"""The states of the pending leaves of each tree (T, L, W)."""


class PendingLeaves(NamedTuple):
    """The leaves of each tree that wait for an evaluation: their nodes (T, L) and their states."""

    nodes: Counts
    states: LeafStates


def add_noise_to_roots(kept: Numbers, settings: BatchSettings, trees: Trees) -> None:
    """Mixes noise into the priors of roots that were kept, and were not roots before."""
    noise, share, formula = settings.noise, settings.numbers[Setting.NOISE_SHARE], settings.formula
    for row in range(kept.shape[0]):
        if kept[row] > ROOT and noise.shape[1] > 0 and formula != GUMBEL:
            add_noise(trees.nodes[row], trees.values[row], noise[row], share, formula)


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
        The value to back up, for player 0: the raw value, or what the new children prove.
    """
    nodes, values, counters, noise = trees.nodes[row], trees.values[row], trees.counters[row], settings.noise[row]
    formula = settings.formula
    values[leaf, Value.RAW_VALUE] = raw_value
    result = relative(raw_value, player(state))
    if expand(nodes, values, counters, leaf, state, settings.action_words):
        set_priors(nodes, values, leaf, priors)
        if settings.solver != 0 and mark_terminal_children(nodes, values, leaf, state, formula):
            result = float(relative(nodes[leaf, Node.PROOF], nodes[leaf, Node.CHOOSER]))
    if leaf != ROOT:
        counters[Counter.DONE] += 1
    elif noise.shape[0] > 0 and formula != GUMBEL:
        add_noise(nodes, values, noise, settings.numbers[Setting.NOISE_SHARE], formula)
    return result


def read_gumbel_results(settings: BatchSettings, trees: Trees, actions: Numbers, policy: ActionValues) -> None:
    """Writes the action to play in each tree whose root is not proven, and its improved policy, as gumbel.py says."""
    for row in range(trees.nodes.shape[0]):
        nodes, values, visits_before = trees.nodes[row], trees.values[row], settings.visits_before[row]
        start, stop = children(nodes, ROOT)
        if nodes[ROOT, Node.PROOF] == UNKNOWN and start > LEAF:
            write_improved_policy(nodes, values, ROOT, settings.numbers)
            most = 0
            for child in range(start, stop):
                action = nodes[child, Node.ACTION]
                policy[row, action] = values[child, Value.BONUS]
                if nodes[child, Node.PROOF] != -1:
                    most = max(most, nodes[child, Node.VISITS] - visits_before[action])
            actions[row] = nodes[root_candidate(nodes, values, settings.noise[row], visits_before, most), Node.ACTION]
