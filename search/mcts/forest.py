"""Many trees of one game side by side: their memory (`Forest`), their roots, and what is read from them (`SearchResults`).

The arrays of a tree (tree.py) get one more axis in front, a row per tree, so that a kernel advances all trees in one call. When a
game goes on, the part of its tree below the position that was reached can be reused: it moves to the front of the arrays.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.native import releases_gil
from ...games.game import Game, StateArray
from ...games.kernels.arrays import Counts, Flags, Masks, Numbers, Rewards, States
from ...games.kernels.rules import State, load, play, player, store
from .tree import (
    LEAF,
    NODE_COLUMNS,
    NUM_COUNTERS,
    ROOT,
    UNKNOWN,
    VALUE_COLUMNS,
    Counter,
    Node,
    Nodes,
    Trees,
    Value,
    Values,
    best_child,
    children,
    new_tree,
    node_value,
)

ActionValues: TypeAlias = Annotated[NDArray[np.float64], 2]
"""A number per action (B, A)."""

MAX_BYTES = 2**29
"""Bytes that the trees of a forest may take together."""
NODE_BYTES = 4 * NODE_COLUMNS + 8 * VALUE_COLUMNS
NODES_PER_SIMULATION = 8
"""Nodes that a simulation adds, roughly."""
ABSENT = -1
MAX_PLIES = 4
"""How many plies below the old root the new one may lie. In Quarto two turns take four: place, give, place, give."""


class BatchSettings(NamedTuple):
    """The settings of a search, as kernels take them.

    Args:
        simulations: how many each tree gets.
        numbers: the settings that are numbers (tree.py).
        formula: UCT, PUCT or GUMBEL.
        solver: 1 to back proven values up, else 0.
        action_words: words of a set of actions.
        noise: for each tree, a number per action (T, A), or none (T, 0).
        visits_before: by Gumbel, visits of the root's children when the search began, by action (T, A), else (T, 0).
    """

    simulations: int
    numbers: Rewards
    formula: int
    solver: int
    action_words: int
    noise: ActionValues
    visits_before: Counts


class SearchResults(NamedTuple):
    """The results of searches, one row per position; values are for the player to move there.

    Args:
        actions: the best action (B,), int64: a proven win, else the most visited without a proven loss, else the most
            visited; -1 where nothing is known yet, or the game is over. By Gumbel: see gumbel.py.
        policy: the probability that each action should have (B, A), float64, the target for a network: its share of the visits,
            or by Gumbel the improved policy; where the value is proven, equal shares of all actions that are proven to keep it.
        visits: simulations that began with each action (B, A), int64.
        values: the mean value, -1 to 1 (B,), float64.
        proofs: the proven value: 1, 0, -1, or UNKNOWN (2) (B,), int8.
        action_values: as `values`, of each action (B, A); 0 where it was not visited or is illegal.
        action_proofs: as `proofs`, of each action (B, A).
        simulations: how many were done (B,), int64; fewer than the setting where a proof ended the search.
        lines: the principal variation (B, L), int64: the best action, the best reply, and so on; -1 after its end.
    """

    actions: Numbers
    policy: ActionValues
    visits: Counts
    values: Rewards
    proofs: Flags
    action_values: ActionValues
    action_proofs: Masks
    simulations: Numbers
    lines: Counts

    @classmethod
    def empty(cls, positions: int, actions: int, plies: int = 0) -> SearchResults:
        """Room for results of that many positions, and this many plies of their lines, which `read` and `read_lines` write."""
        each, every = (positions,), (positions, actions)
        return cls(
            actions=np.empty(each, np.int64),
            policy=np.empty(every),
            visits=np.empty(every, np.int64),
            values=np.empty(each),
            proofs=np.empty(each, np.int8),
            action_values=np.empty(every),
            action_proofs=np.empty(every, np.int8),
            simulations=np.empty(each, np.int64),
            lines=np.empty((positions, plies), np.int64),
        )

    def rows(self, which: slice) -> SearchResults:
        """A view of some of the rows."""
        return SearchResults._make(array[which] for array in self)


class Forest:
    """Trees of one game, at start without roots.

    Args:
        game: the game and variant.
        trees: how many, T.
        room: nodes for which each tree has room at start, N.
    """

    def __init__(self, game: Game, trees: int, room: int) -> None:
        self.game = game
        self.nodes = np.empty((trees, room, NODE_COLUMNS), np.int32)
        self.values = np.empty((trees, room, VALUE_COLUMNS), np.float64)
        self.counters = np.zeros((trees, NUM_COUNTERS), np.int64)
        self.roots = np.zeros((trees, game.num_words), np.uint64)
        self.tables = np.zeros((trees, 0, 2), np.uint64)

    @classmethod
    def for_simulations(cls, game: Game, trees: int, simulations: int, least: int) -> Forest:
        """Trees with room for `least` nodes each, and for the nodes of that many simulations if memory allows."""
        affordable = MAX_BYTES // (2 * NODE_BYTES * max(1, trees))  # half of the memory, so that the trees can double once
        return cls(game, trees, least + min(NODES_PER_SIMULATION * simulations, affordable))

    @property
    def trees(self) -> Trees:
        """The arrays that kernels take."""
        return Trees(nodes=self.nodes, values=self.values, counters=self.counters, roots=self.roots, tables=self.tables)

    @property
    def unproven(self) -> NDArray[np.bool_]:
        """Which trees have a root that is not proven (T,)."""
        return self.nodes[:, ROOT, Node.PROOF] == UNKNOWN

    @property
    def bytes(self) -> int:
        """The memory of the trees."""
        return self.nodes.nbytes + self.values.nbytes

    @property
    def full_size(self) -> bool:
        """Whether the trees have as much room as they may."""
        return 2 * self.bytes > MAX_BYTES

    def give_tables(self, entries: int) -> None:
        """Gives each tree a transposition table of that many entries, unless it has one."""
        if self.tables.shape[1] != entries:
            self.tables = np.zeros((len(self.counters), entries, 2), np.uint64)

    def double(self) -> None:
        """Doubles the room of each tree."""
        self.nodes = np.concatenate([self.nodes, np.empty_like(self.nodes)], axis=1)
        self.values = np.concatenate([self.values, np.empty_like(self.values)], axis=1)

    def make_room(self, spare: int) -> None:
        """Makes room for `spare` more nodes in each tree.

        Raises:
            MemoryError: the trees may not grow any more.
        """
        used = int(self.counters[:, Counter.USED].max(initial=0))
        while self.nodes.shape[1] - used < spare:
            if self.full_size:
                raise MemoryError(
                    f"the trees of {len(self.counters)} positions have no room for more than {used} nodes each; "
                    "search fewer positions together, or do fewer simulations"
                )
            self.double()

    def begin(self, states: StateArray, *, reuse: bool) -> NDArray[np.int64]:
        """Gives each tree its root.

        Args:
            states: the positions (T, W), uint64.
            reuse: whether a tree in which the position was visited keeps its part below that position.

        Returns:
            The node that became the root (T,), int64; -1 where the tree is new.
        """
        roots = np.empty(len(states), np.int64)
        new_rows = np.empty(self.nodes.shape[1] if reuse else 0, np.int64)
        self.game.kernel(begin_trees)(states, int(reuse), new_rows, roots, self.trees)
        return roots

    def read(self, results: SearchResults, rows: slice) -> None:
        """Writes the results of the trees into some rows of `results`."""
        self.game.kernel(read_trees)(self.trees, results.rows(rows))

    def read_lines(self, results: SearchResults, rows: slice) -> None:
        """Writes the principal variations, from the actions in `results` on, into some of its rows, as far as there is room."""
        if results.lines.shape[1]:
            self.game.kernel(read_lines)(self.trees, results.actions[rows], results.lines[rows])


# ---- roots: new ones, or reached in the game and reused


@releases_gil
def begin_trees(states: States, reuse: int, new_rows: Numbers, old_rows: Numbers, trees: Trees) -> None:
    """Gives each tree the root of its row of `states`; writes which node that was in the old tree to `old_rows` (T,)."""
    for row in range(states.shape[0]):
        nodes, values, counters, state = trees.nodes[row], trees.values[row], trees.counters[row], load(states[row])
        old_rows[row] = ABSENT
        if reuse != 0 and counters[Counter.USED] > 0:
            old_rows[row] = reroot(nodes, values, counters, load(trees.roots[row]), state, new_rows)
        if old_rows[row] == ABSENT:
            new_tree(nodes, values, counters, state)
        store(trees.roots[row], state)


def reroot(nodes: Nodes, values: Values, counters: Numbers, old: State, new: State, new_rows: Numbers) -> int:
    """Makes the node of the state `new` the root, if it was visited; returns which node it was, or ABSENT.

    Args:
        new_rows: room for a number per node (N,).
    """
    top = find_node(nodes, ROOT, old, new, MAX_PLIES)
    if top == ABSENT:
        return ABSENT
    counters[Counter.DONE] = 0
    counters[Counter.NUM_PENDING] = 0
    if top != ROOT:
        move_subtree(nodes, values, counters, top, new_rows)
        if nodes[ROOT, Node.CHOOSER] != player(new):  # a root is its own chooser: its values are for the player to move
            nodes[ROOT, Node.CHOOSER] = player(new)
            values[ROOT, Value.TOTAL] = -values[ROOT, Value.TOTAL]
            if nodes[ROOT, Node.PROOF] != UNKNOWN:
                nodes[ROOT, Node.PROOF] = -nodes[ROOT, Node.PROOF]
    return top


def find_node(nodes: Nodes, node: int, state: State, wanted: State, plies: int) -> int:
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
                match = find_node(nodes, child, play(state, nodes[child, Node.ACTION]), wanted, further)
                if match != ABSENT and (best == ABSENT or nodes[match, Node.VISITS] > nodes[best, Node.VISITS]):
                    best = match
    return best


def move_subtree(nodes: Nodes, values: Values, counters: Numbers, top: int, new_rows: Numbers) -> None:
    """Moves a node and all below it to the front of the arrays.

    One pass is enough: parents come before their children, and no node moves to a higher row.
    """
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


# ---- results


def read_trees(trees: Trees, results: SearchResults) -> None:
    """Writes the results of each tree into its row."""
    for row in range(trees.nodes.shape[0]):
        nodes, values = trees.nodes[row], trees.values[row]
        results.actions[row] = nodes[best_child(nodes, values, ROOT), Node.ACTION]
        results.values[row] = node_value(nodes, values, ROOT)
        results.proofs[row] = nodes[ROOT, Node.PROOF]
        results.simulations[row] = trees.counters[row, Counter.DONE]
        results.visits[row] = 0
        results.action_values[row] = 0.0
        results.action_proofs[row] = UNKNOWN
        for child in range(nodes[ROOT, Node.FIRST], nodes[ROOT, Node.FIRST] + nodes[ROOT, Node.COUNT]):
            action = nodes[child, Node.ACTION]
            results.visits[row, action] = nodes[child, Node.VISITS]
            results.action_values[row, action] = node_value(nodes, values, child)
            results.action_proofs[row, action] = nodes[child, Node.PROOF]
        write_visit_policy(nodes, results.policy[row])


def write_visit_policy(nodes: Nodes, policy: Rewards) -> None:
    """Writes each action's share of the visits (A,); where the root is proven, equal shares of the actions that keep its value."""
    policy[:] = 0.0
    start, stop = children(nodes, ROOT)
    total = 0
    for child in range(start, stop):
        weight = 0
        if nodes[ROOT, Node.PROOF] == UNKNOWN:
            weight = nodes[child, Node.VISITS]
        elif nodes[child, Node.PROOF] == nodes[ROOT, Node.PROOF]:
            weight = 1
        policy[nodes[child, Node.ACTION]] = weight
        total += weight
    if total > 0:
        for child in range(start, stop):
            policy[nodes[child, Node.ACTION]] /= total


def read_lines(trees: Trees, actions: Numbers, lines: Counts) -> None:
    """Writes what each tree expects from its action (T,) on: the best child of each node, until one was never visited (T, L)."""
    for row in range(trees.nodes.shape[0]):
        nodes, values = trees.nodes[row], trees.values[row]
        start, stop = children(nodes, ROOT)
        node = ROOT
        lines[row] = -1
        for child in range(start, stop):
            if nodes[child, Node.ACTION] == actions[row]:
                node = child
        ply, before = 0, ROOT
        while node != before and ply < lines.shape[1] and (nodes[node, Node.VISITS] > 0 or nodes[node, Node.PROOF] != UNKNOWN):
            lines[row, ply] = nodes[node, Node.ACTION]
            ply, before = ply + 1, node
            node = best_child(nodes, values, node)


FOREST_KERNELS = begin_trees, read_trees
"""The kernels that every forest needs."""
