"""What a round of guided search does in compiled code: down every tree to its next leaves, and with the answers back up."""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....envs.kernels.arrays import Numbers, Rewards
from ....envs.kernels.rules import ONGOING, State, load, player, store
from ....envs.native import in_ranges
from .ahead import settled
from .forest import Books, Claims, Trees
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


class Guidance(NamedTuple):
    """How the trees of a search go on.

    Args:
        simulations: how many each is to have.
        numbers: the settings that are numbers (tree.py).
        formula: UCT, PUCT or GUMBEL.
        solver: 1 where proven values are backed up, else 0.
        action_words: words of a set of actions.
        noise: for each tree, a number an action, or none (T, A) or (T, 0).
        before: by Gumbel, visits of the root's children when the search began, by action (T, A), else (T, 0).
    """

    simulations: int
    numbers: Rewards
    formula: int
    solver: int
    action_words: int
    noise: Claims
    before: Books


class Waiting(NamedTuple):
    """The leaves of each tree that wait for answers: their nodes (T, L) and their states."""

    nodes: Books
    states: LeafStates


def stir_roots(kept: Numbers, guidance: Guidance, trees: Trees) -> None:
    """Mixes noise into the priors of roots that were kept, and were not roots before."""
    noise, share, formula = guidance.noise, guidance.numbers[NOISE_SHARE], guidance.formula
    for row in range(kept.shape[0]):
        if kept[row] > ROOT and noise.shape[1] > 0 and formula != GUMBEL:
            stir(trees.nodes[row], trees.values[row], noise[row], share, formula)


@in_ranges
def select_leaves(lo: int, hi: int, guidance: Guidance, waiting: Waiting, trees: Trees) -> None:
    """Finds the next leaves of the trees from lo to hi, as many as may wait together, and lays down which and their states."""
    room = waiting.nodes.shape[1]
    for row in range(lo, hi):
        tree, worths, book = trees.nodes[row], trees.values[row], trees.books[row]
        while book[FLYING] < room and book[DONE] + book[FLYING] < guidance.simulations and tree[ROOT, KNOWN] == UNKNOWN:
            leaf, state = go_down(row, guidance, trees)
            if tree[leaf, FIRST] == IN_FLIGHT:
                break
            result = judged(tree, book, leaf, state, guidance)
            if result != ONGOING:
                back_up(tree, worths, leaf, result, 0, guidance.formula)
                book[DONE] += 1
            else:
                waiting.nodes[row, book[FLYING]] = leaf
                store(waiting.states[row, book[FLYING]], state)
                hold(tree, worths, book, leaf, guidance.formula)


def go_down(row: int, guidance: Guidance, trees: Trees) -> tuple[int, State]:
    """From the root of a tree to a leaf or a proven node, as the formula says; and the state there."""
    tree, worths, book, root = trees.nodes[row], trees.values[row], trees.books[row], load(trees.roots[row])
    numbers, formula = guidance.numbers, guidance.formula
    if formula == GUMBEL:
        luck, before, simulation = guidance.noise[row], guidance.before[row], book[DONE] + book[FLYING]
        return descend_by_gumbel(tree, worths, root, luck, before, simulation, guidance.simulations, numbers)
    return descend(tree, worths, book, root, numbers[EXPLORATION], formula, guidance.action_words, False, np.uint64(0))


def judged(nodes: Nodes, book: Numbers, leaf: int, state: State, guidance: Guidance) -> int:
    """Player 0's result where a way down ended, if it is proven, or the game over, or reading ahead settles it; else ONGOING.

    The root is never settled so: its children are to tell which action is best.
    """
    result = verdict(nodes, leaf, state, guidance.solver)
    if result == ONGOING and guidance.solver != 0 and leaf != ROOT:
        positions = int(guidance.numbers[ROOT_AHEAD if nodes[leaf, PARENT] == ROOT else AHEAD])
        if positions > 0:
            result = settled(state, positions, book, guidance.action_words)
            if result != ONGOING:
                settle(nodes, leaf, result)
    return result


@in_ranges
def take_answers(
    lo: int, hi: int, begins: Numbers, priors: Claims, answers: Rewards, guidance: Guidance, waiting: Waiting, trees: Trees
) -> None:
    """Gives the leaves that wait in the trees from lo to hi their children, and backs their values up."""
    for row in range(lo, hi):
        tree, worths, book = trees.nodes[row], trees.values[row], trees.books[row]
        for i in range(book[FLYING]):
            leaf, state, told = waiting.nodes[row, i], load(waiting.states[row, i]), begins[row] + i
            tree[leaf, FIRST] = LEAF
            result = expand(row, leaf, state, priors[told], float(answers[told]), guidance, trees)
            back_up(tree, worths, leaf, result, 1, guidance.formula)
        book[FLYING] = 0


def expand(row: int, leaf: int, state: State, priors: Rewards, answer: float, guidance: Guidance, trees: Trees) -> float:
    """Gives a leaf of a tree children with priors (A,), and notes what it was said to be worth to the player to move there.

    Returns:
        What is to be backed up from it, for player 0: what was said, or what its children prove.
    """
    nodes, values, book, noise = trees.nodes[row], trees.values[row], trees.books[row], guidance.noise[row]
    formula = guidance.formula
    values[leaf, SAID] = answer
    result = turned(answer, player(state))
    if grow(nodes, values, book, leaf, state, guidance.action_words):
        weigh(nodes, values, leaf, priors)
        if guidance.solver != 0 and foresee(nodes, values, leaf, state, formula):
            result = float(turned(nodes[leaf, KNOWN], nodes[leaf, CHOOSER]))
    if leaf != ROOT:
        book[DONE] += 1
    elif noise.shape[0] > 0 and formula != GUMBEL:
        stir(nodes, values, noise, guidance.numbers[NOISE_SHARE], formula)
    return result


def read_by_gumbel(guidance: Guidance, trees: Trees, actions: Numbers, policy: Claims) -> None:
    """Writes the action to play in each tree whose root is not proven, and its improved policy, as gumbel.py says."""
    for row in range(trees.nodes.shape[0]):
        tree, worths, before = trees.nodes[row], trees.values[row], guidance.before[row]
        first, after = tree[ROOT, FIRST], tree[ROOT, FIRST] + tree[ROOT, COUNT]
        if tree[ROOT, KNOWN] == UNKNOWN and first > LEAF:
            improve(tree, worths, ROOT, guidance.numbers)
            most = 0
            for child in range(first, after):
                action = tree[child, ACTION]
                policy[row, action] = worths[child, WIDTH]
                if tree[child, KNOWN] != -1:
                    most = max(most, tree[child, VISITS] - before[action])
            actions[row] = tree[racer(tree, worths, guidance.noise[row], before, most), ACTION]
