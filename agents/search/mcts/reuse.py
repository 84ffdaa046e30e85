"""Tree reuse: the part of a tree below the position that was reached in the game moves to the front of its arrays."""

from __future__ import annotations

from ....envs.kernels.arrays import Numbers
from ....envs.kernels.rules import State, play, player
from .tree import (
    ACTION,
    CHOOSER,
    COUNT,
    DONE,
    FIRST,
    LEAF,
    NODE_COLUMNS,
    NUM_PENDING,
    PARENT,
    PROOF,
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
MAX_PLIES = 4
"""Plies below the old root in which the new one is looked for: in Quarto, place, give, place, give."""


def reroot(nodes: Nodes, values: Values, counters: Numbers, old: State, new: State, new_rows: Numbers) -> int:
    """Makes the node of the state `new` the root, if it was visited; returns which node it was, or ABSENT.

    Args:
        new_rows: room for a number per node (N,).
    """
    found = find(nodes, ROOT, old, new, MAX_PLIES)
    if found == ABSENT:
        return ABSENT
    counters[DONE] = 0
    counters[NUM_PENDING] = 0
    if found != ROOT:
        move_subtree(nodes, values, counters, found, new_rows)
        if nodes[ROOT, CHOOSER] != player(new):
            nodes[ROOT, CHOOSER] = player(new)
            values[ROOT, TOTAL] = -values[ROOT, TOTAL]
            if nodes[ROOT, PROOF] != UNKNOWN:
                nodes[ROOT, PROOF] = -nodes[ROOT, PROOF]
    return found


def find(nodes: Nodes, node: int, state: State, wanted: State, plies: int) -> int:
    """The most visited node of a state, at or at most so many plies below a node; or ABSENT.

    A node that was proven before it got children has no action to play, and does not count.
    """
    if state == wanted:
        return node if nodes[node, PROOF] == UNKNOWN or nodes[node, FIRST] > LEAF else ABSENT
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


def move_subtree(nodes: Nodes, values: Values, counters: Numbers, top: int, new_rows: Numbers) -> None:
    """Moves a node and all below it to the front; one pass is enough, as parents come before children."""
    used = counters[USED]
    for node in range(used):
        new_rows[node] = ABSENT
    free = 0
    for node in range(top, used):
        parent = new_rows[nodes[node, PARENT]]
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
            new_rows[node] = free
            free += 1
    counters[USED] = free
