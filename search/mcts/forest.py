"""`Forest`: trees of one game side by side in shared arrays, a row per tree; and `SearchResults`, what is read from them."""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game, StateArray
from ...games.kernels.arrays import Counts, Flags, Masks, Numbers, Rewards, States
from ...games.kernels.rules import load, store
from ...native import releases_gil
from .reuse import ABSENT, reroot
from .tree import NODE_COLUMNS, NUM_COUNTERS, ROOT, UNKNOWN, VALUE_COLUMNS, Counter, Node, Nodes, Value, Values, children, new_tree

NodesOfTrees: TypeAlias = Annotated[NDArray[np.int32], 3]
"""Nodes of many trees (T, N, 8)."""
ValuesOfTrees: TypeAlias = Annotated[NDArray[np.float64], 3]
"""Values of many trees (T, N, 5)."""
TablesOfTrees: TypeAlias = Annotated[NDArray[np.uint64], 3]
"""Transposition tables of many trees (T, S, 2)."""
ActionValues: TypeAlias = Annotated[NDArray[np.float64], 2]
"""A number per action (B, A)."""


class Trees(NamedTuple):
    """Trees as kernels take them, a row per tree (tree.py)."""

    nodes: NodesOfTrees
    values: ValuesOfTrees
    counters: Counts
    """The counters (T, 5)."""
    roots: States
    """The roots' states (T, W)."""
    tables: TablesOfTrees
    """What their proof searches found (proof_search.py)."""


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


MAX_BYTES = 2**29
"""Bytes that the trees of a forest may take together."""
NODE_BYTES = 4 * NODE_COLUMNS + 8 * VALUE_COLUMNS
NODES_PER_SIMULATION = 8
"""Nodes that a simulation adds, roughly."""


class SearchResults(NamedTuple):
    """What searches found, one row per position; values are for the player to move there.

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
        """Empty results for that many positions, with room for that many plies of their principal variations."""
        each, every = (positions,), (positions, actions)
        return cls(
            np.zeros(each, np.int64), np.zeros(every), np.zeros(every, np.int64), np.zeros(each), np.zeros(each, np.int8),
            np.zeros(every), np.full(every, UNKNOWN, np.int8), np.zeros(each, np.int64), np.full((positions, plies), -1, np.int64),
        )  # fmt: skip

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
    def sized(cls, game: Game, trees: int, simulations: int, least: int) -> Forest:
        """Trees with room for `least` nodes each, and for the nodes of that many simulations if memory allows."""
        affordable = MAX_BYTES // (2 * NODE_BYTES * max(1, trees))
        return cls(game, trees, least + min(NODES_PER_SIMULATION * simulations, affordable))

    @property
    def trees(self) -> Trees:
        """The arrays that kernels take."""
        return Trees(self.nodes, self.values, self.counters, self.roots, self.tables)

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
        """Gives each tree a transposition table of so many entries, unless it has one."""
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
        kept = np.empty(len(states), np.int64)
        new_rows = np.empty(self.nodes.shape[1] if reuse else 0, np.int64)
        self.game.kernel(begin_trees)(states, int(reuse), new_rows, kept, self.trees)
        return kept

    def read(self, found: SearchResults, rows: slice) -> None:
        """Writes the results of the trees into some rows."""
        self.game.kernel(read_trees)(self.trees, found.rows(rows))

    def read_lines(self, found: SearchResults, rows: slice) -> None:
        """Writes the principal variations into some rows, from the actions that are there, as far as there is room."""
        if found.lines.shape[1]:
            self.game.kernel(read_lines)(self.trees, found.actions[rows], found.lines[rows])


@releases_gil
def begin_trees(states: States, reuse: int, new_rows: Numbers, kept: Numbers, trees: Trees) -> None:
    """Gives each tree the root of its row of `states`; writes which node that was to `kept` (T,)."""
    for row in range(states.shape[0]):
        nodes, values, counters, state = trees.nodes[row], trees.values[row], trees.counters[row], load(states[row])
        kept[row] = ABSENT
        if reuse != 0 and counters[Counter.USED] > 0:
            kept[row] = reroot(nodes, values, counters, load(trees.roots[row]), state, new_rows)
        if kept[row] == ABSENT:
            new_tree(nodes, values, counters, state)
        store(trees.roots[row], state)


def read_trees(trees: Trees, found: SearchResults) -> None:
    """Writes the results of each tree into its row."""
    for row in range(trees.nodes.shape[0]):
        nodes, values = trees.nodes[row], trees.values[row]
        found.actions[row] = nodes[best_child(nodes, values, ROOT), Node.ACTION]
        found.values[row] = node_value(nodes, values, ROOT)
        found.proofs[row] = nodes[ROOT, Node.PROOF]
        found.simulations[row] = trees.counters[row, Counter.DONE]
        found.visits[row] = 0
        found.action_values[row] = 0.0
        found.action_proofs[row] = UNKNOWN
        for child in range(nodes[ROOT, Node.FIRST], nodes[ROOT, Node.FIRST] + nodes[ROOT, Node.COUNT]):
            action = nodes[child, Node.ACTION]
            found.visits[row, action] = nodes[child, Node.VISITS]
            found.action_values[row, action] = node_value(nodes, values, child)
            found.action_proofs[row, action] = nodes[child, Node.PROOF]
        write_visit_policy(nodes, found.policy[row])


def write_visit_policy(nodes: Nodes, policy: Rewards) -> None:
    """Writes each action's share of the visits (A,); where the root is proven, equal shares of the actions that keep its value."""
    policy[:] = 0.0
    start, stop = children(nodes, ROOT)
    total = 0
    for child in range(start, stop):
        part = 0
        if nodes[ROOT, Node.PROOF] == UNKNOWN:
            part = nodes[child, Node.VISITS]
        elif nodes[child, Node.PROOF] == nodes[ROOT, Node.PROOF]:
            part = 1
        policy[nodes[child, Node.ACTION]] = part
        total += part
    if total > 0:
        for child in range(start, stop):
            policy[nodes[child, Node.ACTION]] /= total


def read_lines(trees: Trees, actions: Numbers, lines: Counts) -> None:
    """Writes what each tree expects from its action (T,) on: the best child of each node, until one was never visited (T, L)."""
    for row in range(trees.nodes.shape[0]):
        nodes, values = trees.nodes[row], trees.values[row]
        start, stop = children(nodes, ROOT)
        node = ROOT
        for child in range(start, stop):
            if nodes[child, Node.ACTION] == actions[row]:
                node = child
        ply, before = 0, ROOT
        while node != before and ply < lines.shape[1] and (nodes[node, Node.VISITS] > 0 or nodes[node, Node.PROOF] != UNKNOWN):
            lines[row, ply] = nodes[node, Node.ACTION]
            ply, before = ply + 1, node
            node = best_child(nodes, values, node)


def best_child(nodes: Nodes, values: Values, node: int) -> int:
    """A node's child to play: by proof, then visits, then value, then number; the node itself if it has no children."""
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


FOREST_KERNELS = begin_trees, read_trees
"""The kernels that every forest needs."""
