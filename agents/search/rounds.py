"""What a round of guided search does in compiled code: down every tree to its next leaves, and with the answers back up."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...envs.kernels.arrays import Numbers, Rewards, States
from ...envs.native import in_ranges
from ...envs.rules import ONGOING, State, load, player, store
from .ahead import settled
from .forest import Books, Claims, NodesOfTrees, ValuesOfTrees
from .gumbel import descend_by_gumbel, improve, racer
from .tree import (
    ACTION,
    AHEAD,
    CHOOSER,
    COUNT,
    DONE,
    EXPLORATION,
    FIRST,
    FLYING,
    GUMBEL,
    IN_FLIGHT,
    KNOWN,
    LEAF,
    NOISE_SHARE,
    PARENT,
    ROOT,
    ROOT_AHEAD,
    SAID,
    UNKNOWN,
    VISITS,
    WIDTH,
    Nodes,
    Values,
    back_up,
    descend,
    foresee,
    grow,
    hold,
    settle,
    stir,
    turned,
    verdict,
    weigh,
)

LeafStates: TypeAlias = Annotated[NDArray[np.uint64], 3]
"""The states of the leaves that wait in each tree (T, L, W)."""


def stir_roots(kept: Numbers, noise: Claims, numbers: Rewards, formula: int, nodes: NodesOfTrees, values: ValuesOfTrees) -> None:
    """Mixes noise into the priors of roots that were kept, and were not roots before."""
    for row in range(kept.shape[0]):
        if kept[row] > ROOT and noise.shape[1] > 0 and formula != GUMBEL:
            stir(nodes[row], values[row], noise[row], numbers[NOISE_SHARE], formula)


@in_ranges
def select_leaves(lo: int, hi: int, simulations: int, noise: Claims, before: Books, numbers: Rewards, formula: int, solver: int,
                  action_words: int, waiting: Books, leaves: LeafStates, nodes: NodesOfTrees, values: ValuesOfTrees,
                  books: Books, roots: States) -> None:  # fmt: skip
    """Finds the next leaves of the trees from lo to hi, as many as may wait together, and lays down which and their states."""
    for row in range(lo, hi):
        tree, worths, book = nodes[row], values[row], books[row]
        while book[FLYING] < waiting.shape[1] and book[DONE] + book[FLYING] < simulations and tree[ROOT, KNOWN] == UNKNOWN:
            leaf, state = go_down(
                tree, worths, book, load(roots[row]), noise[row], before[row], simulations, numbers, formula, action_words
            )
            if tree[leaf, FIRST] == IN_FLIGHT:
                break
            result = judged(tree, book, leaf, state, numbers, solver, action_words)
            if result != ONGOING:
                back_up(tree, worths, leaf, result, 0, formula)
                book[DONE] += 1
            else:
                waiting[row, book[FLYING]] = leaf
                store(leaves[row, book[FLYING]], state)
                hold(tree, worths, book, leaf, formula)


def go_down(nodes: Nodes, values: Values, book: Numbers, root: State, noise: Rewards, before: Numbers, simulations: int,
            numbers: Rewards, formula: int, action_words: int) -> tuple[int, State]:  # fmt: skip
    """From the root to a leaf or a proven node, as the formula says; and the state there."""
    if formula == GUMBEL:
        return descend_by_gumbel(nodes, values, root, noise, before, book[DONE] + book[FLYING], simulations, numbers)
    return descend(nodes, values, book, root, numbers[EXPLORATION], formula, action_words, False, np.uint64(0))


def judged(nodes: Nodes, book: Numbers, leaf: int, state: State, numbers: Rewards, solver: int, action_words: int) -> int:
    """Player 0's result where a way down ended, if it is proven, or the game over, or reading ahead settles it; else ONGOING.

    The root is never settled so: its children are to tell which action is best.
    """
    result = verdict(nodes, leaf, state, solver)
    if result == ONGOING and solver != 0 and leaf != ROOT:
        positions = int(numbers[ROOT_AHEAD if nodes[leaf, PARENT] == ROOT else AHEAD])
        if positions > 0:
            result = settled(state, positions, book, action_words)
            if result != ONGOING:
                settle(nodes, leaf, result)
    return result


@in_ranges
def take_answers(lo: int, hi: int, begins: Numbers, priors: Claims, answers: Rewards, noise: Claims, numbers: Rewards,
                 formula: int, solver: int, action_words: int, waiting: Books, leaves: LeafStates, nodes: NodesOfTrees,
                 values: ValuesOfTrees, books: Books) -> None:  # fmt: skip
    """Gives the leaves that wait in the trees from lo to hi their children, and backs their values up."""
    for row in range(lo, hi):
        tree, worths, book = nodes[row], values[row], books[row]
        for i in range(book[FLYING]):
            leaf, state, told = waiting[row, i], load(leaves[row, i]), begins[row] + i
            tree[leaf, FIRST] = LEAF
            answer = float(answers[told])
            result = expand(
                tree, worths, book, leaf, state, priors[told], answer, noise[row], numbers, formula, solver, action_words
            )
            back_up(tree, worths, leaf, result, 1, formula)
        book[FLYING] = 0


def expand(nodes: Nodes, values: Values, book: Numbers, leaf: int, state: State, priors: Rewards, answer: float, noise: Rewards,
           numbers: Rewards, formula: int, solver: int, action_words: int) -> float:  # fmt: skip
    """Gives a leaf children with priors (A,), and notes what it was said to be worth to the player to move there.

    Returns:
        What is to be backed up from it, for player 0: what was said, or what its children prove.
    """
    values[leaf, SAID] = answer
    result = turned(answer, player(state))
    if grow(nodes, values, book, leaf, state, action_words):
        weigh(nodes, values, leaf, priors)
        if solver != 0 and foresee(nodes, values, leaf, state, formula):
            result = float(turned(nodes[leaf, KNOWN], nodes[leaf, CHOOSER]))
    if leaf != ROOT:
        book[DONE] += 1
    elif noise.shape[0] > 0 and formula != GUMBEL:
        stir(nodes, values, noise, numbers[NOISE_SHARE], formula)
    return result


def read_by_gumbel(noise: Claims, before: Books, numbers: Rewards, nodes: NodesOfTrees, values: ValuesOfTrees,
                   actions: Numbers, policy: Claims) -> None:  # fmt: skip
    """Writes the action to play in each tree whose root is not proven, and its improved policy, as gumbel.py says."""
    for row in range(nodes.shape[0]):
        tree, worths = nodes[row], values[row]
        first, after = tree[ROOT, FIRST], tree[ROOT, FIRST] + tree[ROOT, COUNT]
        if tree[ROOT, KNOWN] == UNKNOWN and first > LEAF:
            improve(tree, worths, ROOT, numbers)
            most = 0
            for child in range(first, after):
                action = tree[child, ACTION]
                policy[row, action] = worths[child, WIDTH]
                if tree[child, KNOWN] != -1:
                    most = max(most, tree[child, VISITS] - before[row, action])
            actions[row] = tree[racer(tree, worths, noise[row], before[row], most), ACTION]
