"""What a tree keeps when the game goes on: the part below the position that was reached, moved to the front of its arrays."""

from __future__ import annotations

from ....envs.kernels.arrays import Numbers
from ....envs.kernels.rules import State, play, player
from .tree import (
    ACTION,
    CHOOSER,
    COUNT,
    DONE,
    FIRST,
    FLYING,
    KNOWN,
    LEAF,
    NODE_COLUMNS,
    PARENT,
    ROOT,
    TOTAL,
    UNKNOWN,
    USED,
    VALUE_COLUMNS,
    VISITS,
    Nodes,
    Values,
)

ABSENT = -1
FARTHEST = 4
"""How many plies below the old root the new one is looked for: in Quarto, place, give, place, give."""


def keep(nodes: Nodes, values: Values, book: Numbers, old: State, new: State, moved: Numbers) -> int:
    """Makes the node of the state `new`, if simulations have been there, the root; which node it was, or ABSENT.

    Args:
        moved: room for a number a node (N,).
    """
    found = find(nodes, ROOT, old, new, FARTHEST)
    if found == ABSENT:
        return ABSENT
    book[DONE] = 0
    book[FLYING] = 0
    if found != ROOT:
        regraft(nodes, values, book, found, moved)
        if nodes[ROOT, CHOOSER] != player(new):
            nodes[ROOT, CHOOSER] = player(new)
            values[ROOT, TOTAL] = -values[ROOT, TOTAL]
            if nodes[ROOT, KNOWN] != UNKNOWN:
                nodes[ROOT, KNOWN] = -nodes[ROOT, KNOWN]
    return found


def find(nodes: Nodes, node: int, state: State, wanted: State, plies: int) -> int:
    """Of the nodes at or below this one, at most so many plies down, the most visited where a state was visited; or ABSENT.

    A node whose worth is proven without children cannot say what to play, and is none.
    """
    if state == wanted:
        return node if nodes[node, KNOWN] == UNKNOWN or nodes[node, FIRST] > LEAF else ABSENT
    best = ABSENT
    if plies > 0 and nodes[node, FIRST] > LEAF:
        first, further = nodes[node, FIRST], plies - 1
        for i in range(nodes[node, COUNT]):
            child = first + i
            if nodes[child, VISITS] > 0:
                found = find(nodes, child, play(state, nodes[child, ACTION]), wanted, further)
                if found != ABSENT and (best == ABSENT or nodes[found, VISITS] > nodes[best, VISITS]):
                    best = found
    return best


def regraft(nodes: Nodes, values: Values, book: Numbers, top: int, moved: Numbers) -> None:
    """Moves a node and all below it to the front: parents come before children, so that one pass does it."""
    used = book[USED]
    for node in range(used):
        moved[node] = ABSENT
    free = 0
    for node in range(top, used):
        parent = moved[nodes[node, PARENT]]
        if node == top or parent != ABSENT:
            for column in range(NODE_COLUMNS):
                nodes[free, column] = nodes[node, column]
            for column in range(VALUE_COLUMNS):
                values[free, column] = values[node, column]
            if node == top:
                nodes[free, PARENT] = ROOT
                nodes[free, ACTION] = -1
            else:
                nodes[free, PARENT] = parent
                if nodes[parent, FIRST] == node:
                    nodes[parent, FIRST] = free
            moved[node] = free
            free += 1
    book[USED] = free
