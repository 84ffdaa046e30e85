"""`Forest`: trees of one game side by side in shared arrays, a row a tree; and `Found`, what is read from them in the end."""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....envs.games.game import Game, StateArray
from ....envs.kernels.arrays import Flags, Masks, Numbers, Rewards, States
from ....envs.kernels.rules import load, store
from ....envs.native import releases_gil
from .reuse import ABSENT, keep
from .tree import (
    ACTION,
    BOOK_COLUMNS,
    COUNT,
    DONE,
    FIRST,
    KNOWN,
    NODE_COLUMNS,
    ROOT,
    TOTAL,
    UNKNOWN,
    USED,
    VALUE_COLUMNS,
    VISITS,
    Nodes,
    Values,
    plant,
)

NodesOfTrees: TypeAlias = Annotated[NDArray[np.int32], 3]
"""Nodes of many trees (T, N, 8)."""
ValuesOfTrees: TypeAlias = Annotated[NDArray[np.float64], 3]
"""Values of many trees (T, N, 5)."""
Books: TypeAlias = Annotated[NDArray[np.int64], 2]
"""Books of many trees (T, 5)."""
Claims: TypeAlias = Annotated[NDArray[np.float64], 2]
"""A value an action (B, A)."""


class Trees(NamedTuple):
    """Trees as kernels take them, a row a tree (tree.py)."""

    nodes: NodesOfTrees
    values: ValuesOfTrees
    books: Books
    roots: States
    """The roots' states (T, W)."""


LARGEST = 2**29
"""Bytes that the trees of a forest may take."""
NODE_BYTES = 4 * NODE_COLUMNS + 8 * VALUE_COLUMNS
CHILDREN = 8
"""Nodes that a simulation brings, more or less."""


class Found(NamedTuple):
    """What searches found, one row a position; values are for the player to move there.

    Args:
        actions: the best action (B,), int64: a proven win, else the most visited that is no proven loss, else the most
            visited; -1 where nothing is known yet, or the game is over. By Gumbel: see gumbel.py.
        policy: what share of the play each action should have (B, A), float64, which a net is to learn: that of the visits, or
            by Gumbel the improved policy; where the value is proven, equal shares of all that are proven to keep it.
        visits: simulations that began with each action (B, A), int64.
        values: what the position seems worth, -1 to 1 (B,), float64.
        proofs: what it is proven to be worth: 1, 0, -1, or UNKNOWN (2) (B,), int8.
        action_values: as `values`, of each action (B, A); 0 where it was not visited or is not legal.
        action_proofs: as `proofs`, of each action (B, A).
        simulations: how many were done (B,), int64; fewer than asked for where a proof ended the search.
    """

    actions: Numbers
    policy: Claims
    visits: Books
    values: Rewards
    proofs: Flags
    action_values: Claims
    action_proofs: Masks
    simulations: Numbers

    @classmethod
    def nothing(cls, positions: int, actions: int) -> Found:
        """Room for as many positions."""
        each, every = (positions,), (positions, actions)
        return cls(
            np.zeros(each, np.int64), np.zeros(every), np.zeros(every, np.int64), np.zeros(each), np.zeros(each, np.int8),
            np.zeros(every), np.full(every, UNKNOWN, np.int8), np.zeros(each, np.int64),
        )  # fmt: skip

    def rows(self, which: slice) -> Found:
        """What was found of some of the positions; what is written there is written here."""
        return Found._make(array[which] for array in self)


class Forest:
    """Trees of one game, none planted yet.

    Args:
        game: the game and variant.
        trees: how many, T.
        room: nodes each has room for to begin with, N.
    """

    def __init__(self, game: Game, trees: int, room: int) -> None:
        self.game = game
        self.nodes = np.empty((trees, room, NODE_COLUMNS), np.int32)
        self.values = np.empty((trees, room, VALUE_COLUMNS), np.float64)
        self.books = np.zeros((trees, BOOK_COLUMNS), np.int64)
        self.roots = np.zeros((trees, game.words), np.uint64)

    @classmethod
    def planned(cls, game: Game, trees: int, simulations: int, least: int) -> Forest:
        """Room for at least so many nodes in each tree, and for what so many simulations bring, if it is not too much."""
        affordable = LARGEST // (2 * NODE_BYTES * max(1, trees))
        return cls(game, trees, least + min(CHILDREN * simulations, affordable))

    @property
    def trees(self) -> Trees:
        """What kernels take."""
        return Trees(self.nodes, self.values, self.books, self.roots)

    @property
    def unproven(self) -> NDArray[np.bool_]:
        """Whose roots are not proven (T,)."""
        return self.nodes[:, ROOT, KNOWN] == UNKNOWN

    @property
    def bytes(self) -> int:
        """The memory that the trees take."""
        return self.nodes.nbytes + self.values.nbytes

    @property
    def widest(self) -> bool:
        """Whether the trees have as much room as they may have."""
        return 2 * self.bytes > LARGEST

    def widen(self) -> None:
        """Twice the room for each tree."""
        trees, room, _ = self.nodes.shape
        nodes, values = np.empty((trees, 2 * room, NODE_COLUMNS), np.int32), np.empty((trees, 2 * room, VALUE_COLUMNS), np.float64)
        nodes[:, :room], values[:, :room] = self.nodes, self.values
        self.nodes, self.values = nodes, values

    def make_room(self, spare: int) -> None:
        """Room for so many more nodes in each tree.

        Raises:
            MemoryError: there is none.
        """
        used = int(self.books[:, USED].max(initial=0))
        while self.nodes.shape[1] - used < spare:
            if self.widest:
                raise MemoryError(
                    f"the trees of {len(self.books)} positions have no room for more than {used} nodes each; "
                    "search fewer positions together, or do fewer simulations"
                )
            self.widen()

    def begin(self, states: StateArray, *, reuse: bool) -> NDArray[np.int64]:
        """Gives each tree its root.

        Args:
            states: the positions (T, W), uint64.
            reuse: whether a tree in which the position was visited keeps what it knows below it.

        Returns:
            Which node of its tree the root was (T,), int64; -1 where the tree was planted anew.
        """
        kept = np.empty(len(states), np.int64)
        moved = np.empty(self.nodes.shape[1] if reuse else 0, np.int64)
        self.game.kernel(begin_trees)(states, int(reuse), moved, kept, self.trees)
        return kept

    def read(self, found: Found, rows: slice) -> None:
        """Writes what the trees found into some rows of a result."""
        self.game.kernel(read_trees)(self.trees, found.rows(rows))


@releases_gil
def begin_trees(states: States, reuse: int, moved: Numbers, kept: Numbers, trees: Trees) -> None:
    """Gives each tree the root of its row of `states`; `kept` (T,) says which node that was."""
    for row in range(states.shape[0]):
        nodes, values, book, state = trees.nodes[row], trees.values[row], trees.books[row], load(states[row])
        kept[row] = ABSENT
        if reuse != 0 and book[USED] > 0:
            kept[row] = keep(nodes, values, book, load(trees.roots[row]), state, moved)
        if kept[row] == ABSENT:
            plant(nodes, values, book, state)
        store(trees.roots[row], state)


def read_trees(trees: Trees, found: Found) -> None:
    """Writes what each tree found into its row."""
    for row in range(trees.nodes.shape[0]):
        nodes, values = trees.nodes[row], trees.values[row]
        found.actions[row] = nodes[favourite(nodes, values), ACTION]
        found.values[row] = worth(nodes, values, ROOT)
        found.proofs[row] = nodes[ROOT, KNOWN]
        found.simulations[row] = trees.books[row, DONE]
        found.visits[row] = 0
        found.action_values[row] = 0.0
        found.action_proofs[row] = UNKNOWN
        for child in range(nodes[ROOT, FIRST], nodes[ROOT, FIRST] + nodes[ROOT, COUNT]):
            action = nodes[child, ACTION]
            found.visits[row, action] = nodes[child, VISITS]
            found.action_values[row, action] = worth(nodes, values, child)
            found.action_proofs[row, action] = nodes[child, KNOWN]
        share_out(nodes, found.policy[row])


def share_out(nodes: Nodes, policy: Rewards) -> None:
    """Writes each action's share of the visits (A,); where the root is proven, equal shares of what keeps its value."""
    policy[:] = 0.0
    first, after = nodes[ROOT, FIRST], nodes[ROOT, FIRST] + nodes[ROOT, COUNT]
    total = 0
    for child in range(first, after):
        part = 0
        if nodes[ROOT, KNOWN] == UNKNOWN:
            part = nodes[child, VISITS]
        elif nodes[child, KNOWN] == nodes[ROOT, KNOWN]:
            part = 1
        policy[nodes[child, ACTION]] = part
        total += part
    if total > 0:
        for child in range(first, after):
            policy[nodes[child, ACTION]] /= total


def favourite(nodes: Nodes, values: Values) -> int:
    """The root's child to play, by rank, then visits, then value, the first of several; the root itself if it has no children."""
    best = ROOT
    first = nodes[ROOT, FIRST]
    for child in range(first, first + nodes[ROOT, COUNT]):
        more = rank(nodes, child) - rank(nodes, best) if best != ROOT else 1
        if more == 0:
            more = nodes[child, VISITS] - nodes[best, VISITS]
        if more > 0 or (more == 0 and worth(nodes, values, child) > worth(nodes, values, best)):
            best = child
    return best


def rank(nodes: Nodes, node: int) -> int:
    """Proven wins rank first, proven losses last, all else between."""
    known = nodes[node, KNOWN]
    return 0 if known == UNKNOWN else known


def worth(nodes: Nodes, values: Values, node: int) -> float:
    """A node's value as far as one knows; 0 where no simulation has been."""
    known, visits = nodes[node, KNOWN], nodes[node, VISITS]
    if known != UNKNOWN:
        return float(known)
    return values[node, TOTAL] / visits if visits > 0 else 0.0


FOREST_KERNELS = begin_trees, read_trees
"""The kernels that every forest takes."""
