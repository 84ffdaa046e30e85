"""A tree of positions in arrays, and the steps of Monte-Carlo tree search in it: select, expand, back up, prove.

A tree is two arrays with a row per node, and a few counters. The children of a node lie side by side, in rising order of their
actions, and always after their parent. Only the root's state is kept: the others are played again on the way down.

    nodes (N, 8) int32                                           values (N, 5) float64
    0 VISITS   simulations that passed through it                0 TOTAL      the sum of the values they backed up
    1 PARENT   row of the parent; the root's is its own          1 MEAN       the mean value
    2 FIRST    row of the first child, or LEAF, or PENDING       2 BONUS      its exploration bonus, before the common factor
    3 COUNT    number of children                                3 PRIOR      the prior probability of its action
    4 ACTION   the action from the parent; -1 for the root       4 RAW_VALUE  the evaluation, for the player to move here
    5 CHOOSER  the player who chose it                           counters (5,) int64
    6 PROOF    its proven value, or UNKNOWN                      0 USED         rows of nodes in use
    (a row is half a cache line)                                 1 DRAWN        random numbers drawn
                                                                 2 DONE         simulations done
    root (W,) uint64, the root's state                           3 NUM_PENDING  leaves that wait for an evaluation
                                                                 4 BUDGET       positions that a proof search may still visit

**Every value in a tree but RAW_VALUE is seen by the node's chooser**: the player to move at its parent, and for the root the
player to move there. So the selection of a child never changes a sign, and a player who acts twice in a row needs no special
case. Results are passed up as player 0's.

A child's score is MEAN + factor · BONUS, with one factor for all children of a node of N visits. With n visits of the child,

    formula   BONUS            factor
    UCT       PRIOR / √n       c · √ln N     Kocsis, Szepesvári: Bandit based Monte-Carlo planning, 2006; there all PRIORs are 1
    PUCT      PRIOR / (1 + n)  c · √N        Silver et al.: Mastering the game of Go without human knowledge, 2017

GUMBEL selects in another way (gumbel.py), and keeps each child's share of the improved policy at BONUS.

Proofs: Winands, Björnsson, Saito: Monte-Carlo tree search solver, 2008, with draws as well. A node is won for the player to
move there if one child is, and otherwise has the value of its best child once all are proven. A proven child is not searched
again: a lost one is never selected, a drawn one counts as 0 whenever it is. So more exploration proves draws sooner.
Guided search marks terminal children when it expands a node: a prior may keep it from ever visiting them. A proof search
(proof_search.py) may prove a leaf, and then the network does not evaluate it.
"""

from __future__ import annotations

from enum import IntEnum
from math import log, sqrt
from typing import Annotated, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...games.kernels.arrays import Numbers, Rewards
from ...games.kernels.bits import ONE, count, lowest, u64
from ...games.kernels.keys import below, derive
from ...games.kernels.rules import ONGOING, State, legal, outcome, play, player

Nodes: TypeAlias = Annotated[NDArray[np.int32], 2]
Values: TypeAlias = Annotated[NDArray[np.float64], 2]

Number = TypeVar("Number", int, float)

Node = IntEnum("Node", "VISITS PARENT FIRST COUNT ACTION CHOOSER PROOF", start=0)
Value = IntEnum("Value", "TOTAL MEAN BONUS PRIOR RAW_VALUE", start=0)
Counter = IntEnum("Counter", "USED DRAWN DONE NUM_PENDING BUDGET", start=0)
Setting = IntEnum("Setting", "EXPLORATION NOISE_SHARE VALUE_SCALE VALUE_VISITS CONSIDERED AHEAD ROOT_AHEAD", start=0)
NODE_COLUMNS, VALUE_COLUMNS, NUM_COUNTERS = 8, len(Value), len(Counter)

ROOT = 0
LEAF, PENDING = 0, -1  # no child lies in row 0
UNKNOWN = 2
UCT, PUCT, GUMBEL = range(3)
HIGHEST, LOWEST = 1e9, -1e9  # scores beyond all others


def new_tree(nodes: Nodes, values: Values, counters: Numbers, state: State) -> None:
    """Starts a tree that has only a root."""
    new_node(nodes, values, ROOT, ROOT, -1, player(state))
    counters[Counter.USED] = 1
    counters[Counter.DRAWN] = 0
    counters[Counter.DONE] = 0
    counters[Counter.NUM_PENDING] = 0
    result = outcome(state)
    if result != ONGOING:
        set_proof(nodes, ROOT, result)


def children(nodes: Nodes, node: int) -> tuple[int, int]:
    """The rows of a node's children, from the first up to the stop."""
    return nodes[node, Node.FIRST], nodes[node, Node.FIRST] + nodes[node, Node.COUNT]


def set_proof(nodes: Nodes, node: int, result: int) -> None:
    """Marks a node as proven, with player 0's result."""
    nodes[node, Node.PROOF] = relative(result, nodes[node, Node.CHOOSER])


def relative(value: Number, player: int) -> Number:
    """A value for a player as player 0 sees it, or the other way round."""
    return value if player == 0 else -value


def terminal_value(nodes: Nodes, node: int, state: State, solver: int) -> int:
    """Player 0's result at a node that is proven or where the game is over, which proves it; else ONGOING."""
    if nodes[node, Node.PROOF] != UNKNOWN:
        return relative(nodes[node, Node.PROOF], nodes[node, Node.CHOOSER])
    result = outcome(state)
    if result != ONGOING and solver != 0:
        set_proof(nodes, node, result)
    return result


def new_node(nodes: Nodes, values: Values, node: int, parent: int, action: int, chooser: int) -> None:
    """Writes a node without visits."""
    nodes[node, Node.VISITS] = 0
    nodes[node, Node.PARENT] = parent
    nodes[node, Node.FIRST] = LEAF
    nodes[node, Node.COUNT] = 0
    nodes[node, Node.ACTION] = action
    nodes[node, Node.CHOOSER] = chooser
    nodes[node, Node.PROOF] = UNKNOWN
    values[node, Value.TOTAL] = 0.0
    values[node, Value.MEAN] = 0.0
    values[node, Value.BONUS] = 1.0
    values[node, Value.PRIOR] = 1.0
    values[node, Value.RAW_VALUE] = 0.0


def expand(nodes: Nodes, values: Values, counters: Numbers, node: int, state: State, action_words: int) -> bool:
    """Gives a leaf a child for each legal action; returns whether there was room for them."""
    first = counters[Counter.USED]
    found = first
    for word in range(action_words):
        bits = legal(state, word)
        if found + count(bits) > nodes.shape[0]:
            return False
        while bits != u64(0):
            new_node(nodes, values, found, node, 64 * word + lowest(bits), player(state))
            found += 1
            bits &= bits - ONE
    nodes[node, Node.FIRST] = first
    nodes[node, Node.COUNT] = found - first
    counters[Counter.USED] = found
    return True


def mark_terminal_children(nodes: Nodes, values: Values, node: int, state: State, formula: int) -> bool:
    """Marks the new children where the game is over as proven; returns whether that proves the node."""
    start, stop = children(nodes, node)
    for child in range(start, stop):
        result = outcome(play(state, nodes[child, Node.ACTION]))
        if result != ONGOING:
            set_proof(nodes, child, result)
            update_score(nodes, values, child, formula)
    return prove(nodes, node)


def shuffle_children(nodes: Nodes, values: Values, counters: Numbers, node: int, key: np.uint64) -> None:
    """Makes the search visit each new child of a node once, in random order, before any is visited again."""
    first = nodes[node, Node.FIRST]
    for child in range(first, first + nodes[node, Node.COUNT]):
        values[child, Value.MEAN] = HIGHEST + below(derive(key, counters[Counter.DRAWN]), 1 << 30)
        values[child, Value.BONUS] = 0.0
        counters[Counter.DRAWN] += 1


def set_priors(nodes: Nodes, values: Values, node: int, priors: Rewards) -> None:
    """Sets the priors of the new children of a node from numbers (A,), which are divided by their sum over the legal actions."""
    start, stop = children(nodes, node)
    total = 0.0
    for child in range(start, stop):
        total += priors[nodes[child, Node.ACTION]]
    for child in range(start, stop):
        prior = priors[nodes[child, Node.ACTION]] / total if total > 0.0 else 1.0 / nodes[node, Node.COUNT]
        values[child, Value.PRIOR] = prior
        values[child, Value.BONUS] = prior


def add_noise(nodes: Nodes, values: Values, noise: Rewards, share: float, formula: int) -> None:
    """Mixes noise (A,), divided by its sum over the legal actions, into the priors of the root's children."""
    start, stop = children(nodes, ROOT)
    total = 0.0
    for child in range(start, stop):
        total += noise[nodes[child, Node.ACTION]]
    for child in range(start, stop):
        if total > 0.0:
            values[child, Value.PRIOR] += share * (noise[nodes[child, Node.ACTION]] / total - values[child, Value.PRIOR])
        if nodes[child, Node.VISITS] > 0:
            update_score(nodes, values, child, formula)
        else:
            values[child, Value.BONUS] = values[child, Value.PRIOR]


def select_leaf(nodes: Nodes, values: Values, counters: Numbers, state: State, exploration: float, formula: int, action_words: int,
                growing: bool, key: np.uint64) -> tuple[int, State]:  # fmt: skip
    """Selects the best score from the root down to a leaf or a proven node; returns that node and its state.

    Where the tree is `growing`, a leaf that was visited before gets children, and the selection continues there.
    """
    node = ROOT
    while nodes[node, Node.PROOF] == UNKNOWN:
        if nodes[node, Node.FIRST] <= LEAF:
            ripe = growing and (nodes[node, Node.VISITS] > 0 or node == ROOT) and outcome(state) == ONGOING
            if not ripe or not expand(nodes, values, counters, node, state, action_words):
                break
            shuffle_children(nodes, values, counters, node, key)
        node = select_child(nodes, values, node, exploration, formula)
        state = play(state, nodes[node, Node.ACTION])
    return node, state


def select_child(nodes: Nodes, values: Values, node: int, exploration: float, formula: int) -> int:
    """The child with the best score, the first if several are equal."""
    visits = max(nodes[node, Node.VISITS], 1)
    factor = exploration * sqrt(visits if formula == PUCT else log(visits))
    first = nodes[node, Node.FIRST]
    best = first
    highest = values[first, Value.MEAN] + factor * values[first, Value.BONUS]
    for child in range(first + 1, first + nodes[node, Node.COUNT]):
        score = values[child, Value.MEAN] + factor * values[child, Value.BONUS]
        if score > highest:
            best, highest = child, score
    return best


def back_up(nodes: Nodes, values: Values, node: int, result: float, virtual_loss: int, formula: int) -> None:
    """Backs player 0's result up from a leaf to all nodes above it, with every proof that follows on the way.

    Args:
        virtual_loss: 1 where `add_virtual_loss` has counted the visits already; else 0.
    """
    proven = nodes[node, Node.PROOF] != UNKNOWN
    while True:
        nodes[node, Node.VISITS] += 1 - virtual_loss
        values[node, Value.TOTAL] += virtual_loss + relative(result, nodes[node, Node.CHOOSER])
        update_score(nodes, values, node, formula)
        if node == ROOT:
            return
        node = nodes[node, Node.PARENT]
        proven = proven and prove(nodes, node)
        if proven:
            result = relative(nodes[node, Node.PROOF], nodes[node, Node.CHOOSER])


def update_score(nodes: Nodes, values: Values, node: int, formula: int) -> None:
    """Updates the parts of a visited node's score."""
    proof = nodes[node, Node.PROOF]
    if proof == UNKNOWN:
        visits = nodes[node, Node.VISITS]
        values[node, Value.MEAN] = values[node, Value.TOTAL] / visits
        values[node, Value.BONUS] = values[node, Value.PRIOR] / (sqrt(visits) if formula == UCT else 1 + visits)
    else:
        values[node, Value.MEAN] = LOWEST if proof == -1 else proof
        values[node, Value.BONUS] = 0.0


def prove(nodes: Nodes, node: int) -> bool:
    """Writes what a node's children prove about it; returns whether they prove anything."""
    first = nodes[node, Node.FIRST]
    best, complete = -1, True
    for child in range(first, first + nodes[node, Node.COUNT]):
        proof = nodes[child, Node.PROOF]
        complete &= proof != UNKNOWN
        if proof != UNKNOWN and proof > best:
            best = proof
    if complete or best == 1:
        nodes[node, Node.PROOF] = best if nodes[node, Node.CHOOSER] == nodes[first, Node.CHOOSER] else -best
        return True
    return False


def add_virtual_loss(nodes: Nodes, values: Values, counters: Numbers, leaf: int, formula: int) -> None:
    """Counts a pending leaf as lost on the whole way to it until its value arrives: the next selection goes elsewhere."""
    nodes[leaf, Node.FIRST] = PENDING
    counters[Counter.NUM_PENDING] += 1
    node = leaf
    while True:
        nodes[node, Node.VISITS] += 1
        values[node, Value.TOTAL] -= 1.0
        update_score(nodes, values, node, formula)
        if node == ROOT:
            return
        node = nodes[node, Node.PARENT]
