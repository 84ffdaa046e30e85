"""A tree of positions in arrays, and what Monte-Carlo tree search does with it: descend, grow, back up, prove.

A tree is two arrays with a row a node, and a short book. The children of a node lie side by side, in rising order of their
actions, and always after their parent. No states are kept but the root's: on the way down they are played anew.

    nodes (N, 8) int32                                           values (N, 5) float64
    0 VISITS   simulations that went through it                  0 TOTAL  the sum of the values they brought
    1 PARENT   row of the parent; the root's is its own          1 MEAN   what it seems worth
    2 FIRST    row of the first child, or LEAF, or IN_FLIGHT     2 WIDTH  how far from that it may be
    3 COUNT    how many children                                 3 PRIOR  how likely it was said to be best
    4 ACTION   the action from the parent; -1 for the root       4 SAID   what it was said to be worth to the player to move
    5 CHOOSER  who chose it                                      book (5,) int64
    6 KNOWN    its proven value, or UNKNOWN                      0 USED   rows of nodes in use
    (a row is half a cache line)                                 1 DRAWN  random numbers drawn
                                                                 2 DONE   simulations done
    root (W,) uint64, the root's state                           3 FLYING leaves that wait for a value
                                                                 4 LEFT   positions that may still be looked at ahead

**Every value in a tree but SAID is told for the node's chooser**: the player to move at its parent, and for the root the player
to move there. So who looks for the best child never turns a sign, and a player who acts twice in a row needs no care. Results are
passed up as player 0's.

A child's claim is MEAN + bonus · WIDTH, with one bonus for all children of a node of N visits. With n visits of the child,

    formula   WIDTH            bonus
    UCT       PRIOR / √n       c · √ln N     Kocsis, Szepesvári: Bandit based Monte-Carlo planning, 2006; there all PRIORs are 1
    PUCT      PRIOR / (1 + n)  c · √N        Silver et al.: Mastering the game of Go without human knowledge, 2017

GUMBEL chooses in another way (gumbel.py), and keeps each child's share of the improved policy at WIDTH.

Proofs: Winands, Björnsson, Saito: Monte-Carlo tree search solver, 2008, with draws besides. A node is won for the player to
move there if one child is, and else is worth its best child once all are proven. A proven child is searched no more: a
lost one is never chosen, a drawn one counts as 0 whenever it is. So a draw is proven the sooner, the more is explored beside it.
Guided search sees the end of a game before it is there (`foresee`): a prior may keep it from ever looking. A leaf that it comes
to may be settled by reading ahead (ahead.py): a network is asked about the others alone.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Annotated, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ....envs.kernels.arrays import Numbers, Rewards
from ....envs.kernels.bits import ONE, count, lowest, u64
from ....envs.kernels.keys import below, derive
from ....envs.kernels.rules import ONGOING, State, legal, outcome, play, player

Nodes: TypeAlias = Annotated[NDArray[np.int32], 2]
Values: TypeAlias = Annotated[NDArray[np.float64], 2]

Number = TypeVar("Number", int, float)

VISITS, PARENT, FIRST, COUNT, ACTION, CHOOSER, KNOWN, NODE_COLUMNS = *range(7), 8
TOTAL, MEAN, WIDTH, PRIOR, SAID, VALUE_COLUMNS = range(6)
USED, DRAWN, DONE, FLYING, LEFT, BOOK_COLUMNS = range(6)
EXPLORATION, NOISE_SHARE, VALUE_SCALE, VALUE_VISITS, CONSIDERED, AHEAD, ROOT_AHEAD = range(7)  # settings that are numbers

ROOT = 0
LEAF, IN_FLIGHT = 0, -1  # no child lies in row 0
UNKNOWN = 2
UCT, PUCT, GUMBEL = range(3)
FIRST_OF_ALL, LAST_OF_ALL = 1e9, -1e9  # claims beyond every other


def plant(nodes: Nodes, values: Values, book: Numbers, state: State) -> None:
    """Begins a tree with a root alone."""
    lay(nodes, values, ROOT, ROOT, -1, player(state))
    book[USED] = 1
    book[DRAWN] = 0
    book[DONE] = 0
    book[FLYING] = 0
    result = outcome(state)
    if result != ONGOING:
        settle(nodes, ROOT, result)


def settle(nodes: Nodes, node: int, result: int) -> None:
    """Writes down that a node is proven to end in player 0's result."""
    nodes[node, KNOWN] = turned(result, nodes[node, CHOOSER])


def turned(value: Number, player: int) -> Number:
    """What a value for a player is for player 0, and the other way round."""
    return value if player == 0 else -value


def verdict(nodes: Nodes, node: int, state: State, solver: int) -> int:
    """Player 0's result at a node that is proven, or where the game is over, which proves it; else ONGOING."""
    if nodes[node, KNOWN] != UNKNOWN:
        return turned(nodes[node, KNOWN], nodes[node, CHOOSER])
    result = outcome(state)
    if result != ONGOING and solver != 0:
        settle(nodes, node, result)
    return result


def lay(nodes: Nodes, values: Values, node: int, parent: int, action: int, chooser: int) -> None:
    """Writes a node that nobody has visited."""
    nodes[node, VISITS] = 0
    nodes[node, PARENT] = parent
    nodes[node, FIRST] = LEAF
    nodes[node, COUNT] = 0
    nodes[node, ACTION] = action
    nodes[node, CHOOSER] = chooser
    nodes[node, KNOWN] = UNKNOWN
    values[node, TOTAL] = 0.0
    values[node, MEAN] = 0.0
    values[node, WIDTH] = 1.0
    values[node, PRIOR] = 1.0
    values[node, SAID] = 0.0


def grow(nodes: Nodes, values: Values, book: Numbers, node: int, state: State, action_words: int) -> bool:
    """Gives a leaf a child for each legal action; whether there was room for them."""
    first = book[USED]
    found = first
    for word in range(action_words):
        bits = legal(state, word)
        if found + count(bits) > nodes.shape[0]:
            return False
        while bits != u64(0):
            lay(nodes, values, found, node, 64 * word + lowest(bits), player(state))
            found += 1
            bits &= bits - ONE
    nodes[node, FIRST] = first
    nodes[node, COUNT] = found - first
    book[USED] = found
    return True


def foresee(nodes: Nodes, values: Values, node: int, state: State, formula: int) -> bool:
    """Settles those new children of a node where the game is over; whether that proves the node."""
    first, after = nodes[node, FIRST], nodes[node, FIRST] + nodes[node, COUNT]
    for child in range(first, after):
        result = outcome(play(state, nodes[child, ACTION]))
        if result != ONGOING:
            settle(nodes, child, result)
            assess(nodes, values, child, formula)
    return prove(nodes, node)


def shuffle(nodes: Nodes, values: Values, book: Numbers, node: int, key: np.uint64) -> None:
    """Lets each new child of a node be tried once before any is tried again, in random order."""
    first = nodes[node, FIRST]
    for child in range(first, first + nodes[node, COUNT]):
        values[child, MEAN] = FIRST_OF_ALL + below(derive(key, book[DRAWN]), 1 << 30)
        values[child, WIDTH] = 0.0
        book[DRAWN] += 1


def weigh(nodes: Nodes, values: Values, node: int, priors: Rewards) -> None:
    """Gives the new children of a node their priors (A,), brought to a sum of 1 over the legal actions."""
    first, after = nodes[node, FIRST], nodes[node, FIRST] + nodes[node, COUNT]
    total = 0.0
    for child in range(first, after):
        total += priors[nodes[child, ACTION]]
    for child in range(first, after):
        prior = priors[nodes[child, ACTION]] / total if total > 0.0 else 1.0 / nodes[node, COUNT]
        values[child, PRIOR] = prior
        values[child, WIDTH] = prior


def stir(nodes: Nodes, values: Values, noise: Rewards, share: float, formula: int) -> None:
    """Mixes noise (A,), brought to a sum of 1 over the legal actions, into the priors of the root's children."""
    first, after = nodes[ROOT, FIRST], nodes[ROOT, FIRST] + nodes[ROOT, COUNT]
    total = 0.0
    for child in range(first, after):
        total += noise[nodes[child, ACTION]]
    for child in range(first, after):
        if total > 0.0:
            values[child, PRIOR] += share * (noise[nodes[child, ACTION]] / total - values[child, PRIOR])
        if nodes[child, VISITS] > 0:
            assess(nodes, values, child, formula)
        else:
            values[child, WIDTH] = values[child, PRIOR]


def descend(nodes: Nodes, values: Values, book: Numbers, state: State, exploration: float, formula: int, action_words: int,
            growing: bool, key: np.uint64) -> tuple[int, State]:  # fmt: skip
    """From the root to a leaf or a proven node, by the best claim; and the state there.

    Where the tree is `growing`, a leaf that was visited before gets children, and the way goes on to one of them.
    """
    node = ROOT
    while nodes[node, KNOWN] == UNKNOWN:
        if nodes[node, FIRST] <= LEAF:
            ripe = growing and (nodes[node, VISITS] > 0 or node == ROOT) and outcome(state) == ONGOING
            if not ripe or not grow(nodes, values, book, node, state, action_words):
                break
            shuffle(nodes, values, book, node, key)
        node = best_child(nodes, values, node, exploration, formula)
        state = play(state, nodes[node, ACTION])
    return node, state


def best_child(nodes: Nodes, values: Values, node: int, exploration: float, formula: int) -> int:
    """The child with the best claim, the first of several."""
    visits = max(nodes[node, VISITS], 1)
    bonus = exploration * sqrt(visits if formula == PUCT else log(visits))
    first = nodes[node, FIRST]
    best = first
    highest = values[first, MEAN] + bonus * values[first, WIDTH]
    for child in range(first + 1, first + nodes[node, COUNT]):
        claim = values[child, MEAN] + bonus * values[child, WIDTH]
        if claim > highest:
            best, highest = child, claim
    return best


def back_up(nodes: Nodes, values: Values, node: int, result: float, held: int, formula: int) -> None:
    """Brings player 0's result from a leaf to all nodes above it, and with it whatever becomes proven on the way.

    Args:
        held: 1 where `hold` has counted the visits already, as losses; else 0.
    """
    proven = nodes[node, KNOWN] != UNKNOWN
    while True:
        nodes[node, VISITS] += 1 - held
        values[node, TOTAL] += held + turned(result, nodes[node, CHOOSER])
        assess(nodes, values, node, formula)
        if node == ROOT:
            return
        node = nodes[node, PARENT]
        proven = proven and prove(nodes, node)
        if proven:
            result = turned(nodes[node, KNOWN], nodes[node, CHOOSER])


def assess(nodes: Nodes, values: Values, node: int, formula: int) -> None:
    """Writes a visited node's part in its claim anew."""
    known = nodes[node, KNOWN]
    if known == UNKNOWN:
        visits = nodes[node, VISITS]
        values[node, MEAN] = values[node, TOTAL] / visits
        values[node, WIDTH] = values[node, PRIOR] / (sqrt(visits) if formula == UCT else 1 + visits)
    else:
        values[node, MEAN] = LAST_OF_ALL if known == -1 else known
        values[node, WIDTH] = 0.0


def prove(nodes: Nodes, node: int) -> bool:
    """Writes what a node's children prove about it; whether they prove anything."""
    first = nodes[node, FIRST]
    best, complete = -1, True
    for child in range(first, first + nodes[node, COUNT]):
        known = nodes[child, KNOWN]
        complete &= known != UNKNOWN
        if known != UNKNOWN and known > best:
            best = known
    if complete or best == 1:
        nodes[node, KNOWN] = best if nodes[node, CHOOSER] == nodes[first, CHOOSER] else -best
        return True
    return False


def hold(nodes: Nodes, values: Values, book: Numbers, leaf: int, formula: int) -> None:
    """Counts a leaf in flight as a loss for whoever chose the way there, until its value comes: the next leaf lies elsewhere."""
    nodes[leaf, FIRST] = IN_FLIGHT
    book[FLYING] += 1
    node = leaf
    while True:
        nodes[node, VISITS] += 1
        values[node, TOTAL] -= 1.0
        assess(nodes, values, node, formula)
        if node == ROOT:
            return
        node = nodes[node, PARENT]
