"""Monte-Carlo tree search in one tree: select, expand, evaluate, back up; with proofs, and with random playouts.

`simulate` is the whole search with random playouts: each simulation selects a leaf by UCT, plays random games from there to the
end, and backs their mean up. A leaf is expanded at its second visit. The search ends as soon as its root is proven. Many trees
side by side are in forest.py, search guided by a network in guided.py.

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
Guided search marks terminal children when it expands a node, since low priors may keep it from ever visiting them. A proof
search (`search_proof`) may prove a leaf, and then the network does not evaluate it.

Sources of the usual form, and of the proof search: Browne et al.: A survey of Monte Carlo tree search methods, 2012; Baier,
Winands: MCTS-minimax hybrids, IEEE Transactions on Computational Intelligence and AI in Games 7 (2015).
"""

from __future__ import annotations

from enum import IntEnum
from math import inf, log, sqrt
from typing import Annotated, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...core.native import releases_gil
from ...games.kernels.arrays import Counts, Numbers, Rewards, States
from ...games.kernels.bits import ONE, count, lowest, select, u64
from ...games.kernels.keys import below, derive, mix
from ...games.kernels.rules import ONGOING, State, legal, load, outcome, play, player
from ..alphabeta.negamax import EXACT, LOWER, UPPER, action_of, bound_of, depth_of, find_entry, keep_entry, value_of
from ..transposition import hash_of

Nodes: TypeAlias = Annotated[NDArray[np.int32], 2]
Values: TypeAlias = Annotated[NDArray[np.float64], 2]
NodesOfTrees: TypeAlias = Annotated[NDArray[np.int32], 3]
"""Nodes of many trees (T, N, 8)."""
ValuesOfTrees: TypeAlias = Annotated[NDArray[np.float64], 3]
"""Values of many trees (T, N, 5)."""
TablesOfTrees: TypeAlias = Annotated[NDArray[np.uint64], 3]
"""Transposition tables of many trees (T, S, 2)."""

Number = TypeVar("Number", int, float)

Node = IntEnum("Node", "VISITS PARENT FIRST COUNT ACTION CHOOSER PROOF", start=0)
Value = IntEnum("Value", "TOTAL MEAN BONUS PRIOR RAW_VALUE", start=0)
Counter = IntEnum("Counter", "USED DRAWN DONE NUM_PENDING BUDGET", start=0)
Setting = IntEnum("Setting", "EXPLORATION NOISE_SHARE VALUE_SCALE VALUE_VISITS CONSIDERED AHEAD ROOT_AHEAD", start=0)
NODE_COLUMNS, VALUE_COLUMNS, NUM_COUNTERS = 8, len(Value), len(Counter)

ROOT = 0
LEAF, PENDING = 0, -1  # values of FIRST: row 0 is the root, which is nobody's child
UNKNOWN = 2
UCT, PUCT, GUMBEL = range(3)
HIGHEST, LOWEST = 1e9, -1e9  # scores beyond all others

MAX_PROOF_DEPTH = 64
"""Plies of a proof search; what takes more is not proven."""
POSITIONS_PER_ENTRY = 16
"""Positions that a proof search may visit for each entry of its table: most lie at its last plies, which are not kept there."""
MAX_ENTRIES, ENTRY_BYTES = 1 << 16, 16
PROOF_GENERATION = 1
"""The generation of all entries of proof searches: what one of them proved stays true for all that follow."""


class Trees(NamedTuple):
    """Trees as kernels take them, a row per tree."""

    nodes: NodesOfTrees
    values: ValuesOfTrees
    counters: Counts
    """The counters (T, 5)."""
    roots: States
    """The roots' states (T, W)."""
    tables: TablesOfTrees
    """The transposition tables of their proof searches (T, S, 2)."""


# ---- search with random playouts


class PlayoutSettings(NamedTuple):
    """The settings of the policy `mcts` as kernels take them, and the number of words of a set of actions."""

    exploration: Rewards
    rollouts: int
    plies: int
    solver: int
    action_words: int


@releases_gil
def simulate(target: int, spare: int, key: np.uint64, settings: PlayoutSettings, trees: Trees) -> int:
    """Simulates until `target` simulations are done in all, or the root is proven; 1 where fewer than `spare` rows are free."""
    tree, values, counters, root = trees.nodes[0], trees.values[0], trees.counters[0], load(trees.roots[0])
    while counters[Counter.DONE] < target and tree[ROOT, Node.PROOF] == UNKNOWN:
        if tree.shape[0] - counters[Counter.USED] < spare:
            return 1
        leaf, state = select_leaf(tree, values, counters, root, settings.exploration[0], UCT, settings.action_words, True, key)
        result = float(terminal_value(tree, leaf, state, settings.solver))
        if result == ONGOING:
            result = mean_playout(state, counters, key, settings.rollouts, settings.plies, settings.action_words)
        back_up(tree, values, leaf, result, 0, UCT)
        counters[Counter.DONE] += 1
    return 0


# ---- nodes


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


def children(nodes: Nodes, node: int) -> tuple[int, int]:
    """The rows of a node's children, from the first up to the stop."""
    return nodes[node, Node.FIRST], nodes[node, Node.FIRST] + nodes[node, Node.COUNT]


def relative(value: Number, player: int) -> Number:
    """A value for a player as player 0 sees it, or the other way round."""
    return value if player == 0 else -value


def set_proof(nodes: Nodes, node: int, result: int) -> None:
    """Marks a node as proven, with player 0's result."""
    nodes[node, Node.PROOF] = relative(result, nodes[node, Node.CHOOSER])


# ---- select: from the root down to a leaf


def select_leaf(
    nodes: Nodes,
    values: Values,
    counters: Numbers,
    state: State,
    exploration: float,
    formula: int,
    action_words: int,
    growing: bool,
    key: np.uint64,
) -> tuple[int, State]:
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


def common_factor(visits: int, formula: int) -> float:
    """The factor that the formula gives all children of a node, by the node's visits; without the constant c."""
    return sqrt(visits if formula == PUCT else log(visits))


def exploration_bonus(prior: float, visits: int, formula: int) -> float:
    """The bonus that the formula gives a child, by the child's prior and visits."""
    return prior / (sqrt(visits) if formula == UCT else 1 + visits)


def select_child(nodes: Nodes, values: Values, node: int, exploration: float, formula: int) -> int:
    """The child with the best score, the first if several are equal."""
    visits = max(nodes[node, Node.VISITS], 1)  # a new root has none, and ln 0 is not finite
    factor = exploration * common_factor(visits, formula)  # once for all children: a root and a logarithm cost much
    first = nodes[node, Node.FIRST]
    best = first
    highest = values[first, Value.MEAN] + factor * values[first, Value.BONUS]
    for child in range(first + 1, first + nodes[node, Node.COUNT]):
        score = values[child, Value.MEAN] + factor * values[child, Value.BONUS]
        if score > highest:
            best, highest = child, score
    return best


def add_virtual_loss(nodes: Nodes, values: Values, counters: Numbers, leaf: int, formula: int) -> None:
    """Counts a pending leaf as lost on the whole path to it until its value arrives, so that the next selection goes elsewhere."""
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


# ---- expand


def expand(nodes: Nodes, values: Values, counters: Numbers, node: int, state: State, action_words: int) -> bool:
    """Gives a leaf a child for each legal action; returns whether there was room for them."""
    first = counters[Counter.USED]
    free = first
    for word in range(action_words):
        bits = legal(state, word)
        if free + count(bits) > nodes.shape[0]:
            return False
        while bits != u64(0):
            new_node(nodes, values, free, node, 64 * word + lowest(bits), player(state))
            free += 1
            bits &= bits - ONE
    nodes[node, Node.FIRST] = first
    nodes[node, Node.COUNT] = free - first
    counters[Counter.USED] = free
    return True


def shuffle_children(nodes: Nodes, values: Values, counters: Numbers, node: int, key: np.uint64) -> None:
    """Makes the search visit each new child of a node once, in random order, before any is visited again."""
    first = nodes[node, Node.FIRST]
    for child in range(first, first + nodes[node, Node.COUNT]):
        # above every real score, and all different; the first visit writes the real one over it
        values[child, Value.MEAN] = HIGHEST + below(derive(key, counters[Counter.DRAWN]), 1 << 30)
        values[child, Value.BONUS] = 0.0
        counters[Counter.DRAWN] += 1


def set_priors(nodes: Nodes, values: Values, node: int, priors: Rewards) -> bool:
    """Sets the priors of the new children of a node from numbers (A,), which are divided by their sum over the legal actions;
    returns whether all of these are finite and 0 or more."""
    start, stop = children(nodes, node)
    total, least = 0.0, 0.0
    for child in range(start, stop):
        total += priors[nodes[child, Node.ACTION]]
        least = min(least, priors[nodes[child, Node.ACTION]])
    for child in range(start, stop):
        prior = priors[nodes[child, Node.ACTION]] / total if total > 0.0 else 1.0 / nodes[node, Node.COUNT]
        values[child, Value.PRIOR] = prior
        values[child, Value.BONUS] = prior
    return not (least < 0.0 or not total < inf)  # NaN is not below it either


def add_noise(nodes: Nodes, values: Values, noise: Rewards, share: float, formula: int) -> None:
    """Mixes noise (A,), divided by its sum over the legal actions, into the priors of the root's children."""
    start, stop = children(nodes, ROOT)
    total = 0.0
    for child in range(start, stop):
        total += noise[nodes[child, Node.ACTION]]
    for child in range(start, stop):
        if total > 0.0:
            values[child, Value.PRIOR] += share * (noise[nodes[child, Node.ACTION]] / total - values[child, Value.PRIOR])
        if nodes[child, Node.VISITS] > 0:  # a root that was reused
            update_score(nodes, values, child, formula)
        else:  # update_score would divide by its visits
            values[child, Value.BONUS] = values[child, Value.PRIOR]


def mark_terminal_children(nodes: Nodes, values: Values, node: int, state: State, formula: int) -> bool:
    """Marks the new children where the game is over as proven; returns whether that proves the node."""
    start, stop = children(nodes, node)
    for child in range(start, stop):
        result = outcome(play(state, nodes[child, Node.ACTION]))
        if result != ONGOING:
            set_proof(nodes, child, result)
            update_score(nodes, values, child, formula)
    return prove(nodes, node)


# ---- evaluate: by the rules, by random playouts, by a proof search


def terminal_value(nodes: Nodes, node: int, state: State, solver: int) -> int:
    """Player 0's result at a node that is proven or where the game is over, which proves it; else ONGOING."""
    if nodes[node, Node.PROOF] != UNKNOWN:
        return relative(nodes[node, Node.PROOF], nodes[node, Node.CHOOSER])
    result = outcome(state)
    if result != ONGOING and solver != 0:
        set_proof(nodes, node, result)
    return result


def mean_playout(state: State, counters: Numbers, key: np.uint64, rollouts: int, plies: int, action_words: int) -> float:
    """Player 0's mean result in playouts."""
    total = 0
    for _ in range(rollouts):
        total += playout(state, counters, key, plies, action_words)
    return total / rollouts


def playout(state: State, counters: Numbers, key: np.uint64, plies: int, action_words: int) -> int:
    """Player 0's result of a random game from a state; 0 if it is not over after this many plies."""
    num_drawn = counters[Counter.DRAWN]  # in a register: the array would be written at each ply
    result = ONGOING
    for ply in range(plies + 1):
        result = outcome(state)
        if result != ONGOING or ply == plies:  # the last ply only asks whether the game is over
            break
        state = play(state, random_action(state, derive(key, num_drawn), action_words))
        num_drawn += 1
    counters[Counter.DRAWN] = num_drawn
    return 0 if result == ONGOING else result


def random_action(state: State, key: np.uint64, action_words: int) -> int:
    """One of the legal actions, each equally likely."""
    low = legal(state, 0)
    if action_words == 1:
        return select(low, below(key, count(low)))
    total = count(low)
    for word in range(1, action_words):
        total += count(legal(state, word))
    nth = below(key, total)
    word, bits = 0, low
    while nth >= count(bits):
        nth -= count(bits)
        word += 1
        bits = legal(state, word)
    return 64 * word + select(bits, nth)


def table_entries(positions: int) -> int:
    """Entries of a tree's transposition table, for proof searches of that many positions each: a power of two, or 0 for none."""
    return min(MAX_ENTRIES, 2 << (positions // POSITIONS_PER_ENTRY).bit_length()) if positions else 0


def search_proof(state: State, positions: int, counters: Numbers, table: States, action_words: int) -> int:
    """Player 0's result of an unfinished position by perfect play, if visiting that many positions proves it; else ONGOING.

    Alpha-beta deepens ply by ply and searches each depth twice: once with every game that lasts longer lost for player 0, which
    gives a lower bound of his result, once with every such game won, which gives an upper bound. Where both agree, they are the
    true value. The table (S, 2) holds the bounds of earlier searches of the same game, so that one goes on where another stopped.
    """
    counters[Counter.BUDGET] = positions
    depth, least, most = 0, -1, 1
    while least < most and depth < MAX_PROOF_DEPTH:
        depth += 1
        least = bound(state, depth, -1, 1, -1, counters, table, action_words)
        # Nothing lies above a win, and the value is at least `least`: the second window starts there.
        most = least if least == 1 else bound(state, depth, least, 1, 1, counters, table, action_words)
        if counters[Counter.BUDGET] < 0:
            return ONGOING
    return least if least == most else ONGOING


def bound(state: State, depth: int, low: int, high: int, beyond: int, counters: Numbers, table: States, action_words: int) -> int:
    """Player 0's result by alpha-beta between low and high, to a depth, with the result `beyond` for games that last longer.

    It means nothing once the budget of positions is used up. Actions that win at once come before any deeper search, then the
    action that was best in an earlier search of the position.
    """
    first = player(state) == 0
    longer_wins = beyond == (1 if first else -1)  # a longer game is won for the mover: at depth 1 he needs no win at once
    floor, ceiling = low, high
    hash_, best = u64(0), -1
    if depth > 1:
        counters[Counter.BUDGET] -= 1
        hash_ = mix(hash_of(state) + u64(2 + beyond))  # both horizons share the table, and have bounds of their own
        entry = find_entry(table, hash_, PROOF_GENERATION)
        as_deep = depth <= depth_of(entry)
        # With longer games lost, a lower bound is a result that player 0 can force: it holds at any depth. An upper bound only says
        # what he cannot force in as many plies as were searched. With longer games won it is the other way round.
        if bound_of(entry) & LOWER and (as_deep or beyond == -1):
            low = max(low, value_of(entry))
        if bound_of(entry) & UPPER and (as_deep or beyond == 1):
            high = min(high, value_of(entry))
        if low >= high:
            return value_of(entry)
        best = action_of(entry)
    if (depth > 1 or not longer_wins) and wins(state, counters, action_words):
        return high if first else low
    for word in range(-1, action_words):  # -1: the action that was best before; then all
        bits = legal(state, word) if word >= 0 else u64(best >= 0)
        while bits != u64(0) and low < high and counters[Counter.BUDGET] >= 0:
            action = 64 * word + lowest(bits) if word >= 0 else best
            bits &= bits - ONE
            result = bound_after(play(state, action), depth, low, high, beyond, counters, table, action_words)
            if first and result > low:
                low, best = result, action
            elif not first and result < high:
                high, best = result, action
    value = low if first else high
    if depth > 1 and counters[Counter.BUDGET] >= 0:
        # The window that was asked for tells what the value is; the table may have narrowed low and high since.
        side = LOWER if value >= ceiling else UPPER if value <= floor else EXACT
        keep_entry(table, hash_, PROOF_GENERATION, value, side, depth, best)
    return value


def bound_after(
    child: State, depth: int, low: int, high: int, beyond: int, counters: Numbers, table: States, action_words: int
) -> int:
    """Player 0's result, as `bound` gives it, of the position after an action, which may have ended the game."""
    result = outcome(child)
    if result != ONGOING:
        return result
    return beyond if depth == 1 else bound(child, depth - 1, low, high, beyond, counters, table, action_words)


def wins(state: State, counters: Numbers, action_words: int) -> bool:
    """Whether some action wins at once for the player to move."""
    win = 1 - 2 * player(state)
    for word in range(action_words):
        bits = legal(state, word)
        counters[Counter.BUDGET] -= count(bits)
        while bits != u64(0):
            if outcome(play(state, 64 * word + lowest(bits))) == win:
                return True
            bits &= bits - ONE
    return False


# ---- back up


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
        proven = proven and prove(nodes, node)  # a parent can only be proven by a child that just was
        if proven:  # the nodes above get the true value instead of a sample of it
            result = relative(nodes[node, Node.PROOF], nodes[node, Node.CHOOSER])


def update_score(nodes: Nodes, values: Values, node: int, formula: int) -> None:
    """Updates the parts of a visited node's score."""
    proof = nodes[node, Node.PROOF]
    if proof == UNKNOWN:
        visits = nodes[node, Node.VISITS]
        values[node, Value.MEAN] = values[node, Value.TOTAL] / visits
        values[node, Value.BONUS] = exploration_bonus(values[node, Value.PRIOR], visits, formula)
    else:
        values[node, Value.MEAN] = LOWEST if proof == -1 else proof  # a proven loss is never selected
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
        # Children are valued by the player to move at the node, the node itself by its chooser.
        nodes[node, Node.PROOF] = best if nodes[node, Node.CHOOSER] == nodes[first, Node.CHOOSER] else -best
        return True
    return False


# ---- choose the action to play


def best_child(nodes: Nodes, values: Values, node: int) -> int:
    """The child of a node to play: by proof, then visits, then value, then the lowest action; the node itself if it has none."""
    best = node
    start, stop = children(nodes, node)
    for child in range(start, stop):
        more = proof_rank(nodes, child) - proof_rank(nodes, best) if best != node else 1
        if more == 0:
            more = nodes[child, Node.VISITS] - nodes[best, Node.VISITS]
        if more > 0 or (more == 0 and node_value(nodes, values, child) > node_value(nodes, values, best)):
            best = child
    return best


def proof_rank(nodes: Nodes, node: int) -> int:
    """1 for a proven win, -1 for a proven loss, 0 for all else."""
    proof = nodes[node, Node.PROOF]
    return 0 if proof == UNKNOWN else proof


def node_value(nodes: Nodes, values: Values, node: int) -> float:
    """A node's proven value, or its mean; 0 without visits."""
    proof, visits = nodes[node, Node.PROOF], nodes[node, Node.VISITS]
    if proof != UNKNOWN:
        return float(proof)
    return values[node, Value.TOTAL] / visits if visits > 0 else 0.0
