"""Tree reuse: the part of a tree below the position that was reached in the game moves to the front of its arrays."""

from __future__ import annotations

from ...games.kernels.arrays import Numbers
from ...games.kernels.rules import State, play, player
from .tree import LEAF, NODE_COLUMNS, ROOT, UNKNOWN, VALUE_COLUMNS, Counter, Node, Nodes, Value, Values

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
    counters[Counter.DONE] = 0
    counters[Counter.NUM_PENDING] = 0
    if found != ROOT:
        move_subtree(nodes, values, counters, found, new_rows)
        if nodes[ROOT, Node.CHOOSER] != player(new):
            nodes[ROOT, Node.CHOOSER] = player(new)
            values[ROOT, Value.TOTAL] = -values[ROOT, Value.TOTAL]
            if nodes[ROOT, Node.PROOF] != UNKNOWN:
                nodes[ROOT, Node.PROOF] = -nodes[ROOT, Node.PROOF]
    return found


def find(nodes: Nodes, node: int, state: State, wanted: State, plies: int) -> int:
    """The most visited node of a state, at a node or at most this many plies below it; or ABSENT.

    A node that was proven before it got children has no action to play, and does not count.
    """
    if state == wanted:
        return node if nodes[node, Node.PROOF] == UNKNOWN or nodes[node, Node.FIRST] > LEAF else ABSENT
    best = ABSENT
    if plies > 0 and nodes[node, Node.FIRST] > LEAF:
        first, further = nodes[node, Node.FIRST], plies - 1
        for i in range(nodes[node, Node.COUNT]):
            child = first + i
            if nodes[child, Node.VISITS] > 0:
                found = find(nodes, child, play(state, nodes[child, Node.ACTION]), wanted, further)
                if found != ABSENT and (best == ABSENT or nodes[found, Node.VISITS] > nodes[best, Node.VISITS]):
                    best = found
    return best


def move_subtree(nodes: Nodes, values: Values, counters: Numbers, top: int, new_rows: Numbers) -> None:
    """Moves a node and all below it to the front; one pass is enough, as parents come before children."""
    used = counters[Counter.USED]
    for node in range(used):
        new_rows[node] = ABSENT
    free = 0
    for node in range(top, used):
        parent = new_rows[nodes[node, Node.PARENT]]
        if node == top or parent != ABSENT:
            for column in range(NODE_COLUMNS):
                nodes[free, column] = nodes[node, column]
            for column in range(VALUE_COLUMNS):
                values[free, column] = values[node, column]
            if node == top:
                nodes[free, Node.PARENT] = ROOT
                nodes[free, Node.ACTION] = -1
            else:
                nodes[free, Node.PARENT] = parent
                if nodes[parent, Node.FIRST] == node:
                    nodes[parent, Node.FIRST] = free
            new_rows[node] = free
            free += 1
    counters[Counter.USED] = free
