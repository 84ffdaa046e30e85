"""`Graph`: the positions that a game can reach, numbered, and the moves between them with their probabilities.

Each player may make all legal moves, or those that a policy makes with positive probability. Positions are numbered in reverse
postorder of a depth-first search: moves lead from lower numbers to higher ones, except those that close a cycle, and positions that
are computed together lie together in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...envs.games.game import Game, StateArray
from ...envs.kernels.arrays import Numbers, States
from ...envs.kernels.rules import ONGOING, load, play, store
from .index import EMPTY, Slots, fill, slot_of, slots_for

Chances: TypeAlias = Annotated[NDArray[np.float64], 1]
"""A probability or an expectation for each move (E,) or position (N,)."""
ChancesOfStates: TypeAlias = Annotated[NDArray[np.float64], 2]
"""A probability for each action in each state (B, A)."""
ActionsOfMoves: TypeAlias = Annotated[NDArray[np.int16], 1]
"""The action of each move (E,)."""
Chooser: TypeAlias = Callable[[StateArray], NDArray[np.float64]]
"""From unfinished states (B, W) to the probability of each action (B, A)."""

LARGEST = 10_000_000
"""Positions of a graph at most, unless a caller allows more: one takes some 300 bytes, with its moves and results."""
BATCH = 1 << 13


class TooLargeError(ValueError):
    """A game has more positions than a graph may have."""


@dataclass(frozen=True, eq=False)
class Graph:
    """N positions and E moves; the start is position 0.

    Args:
        game: the game and variant.
        states: the positions (N, W).
        movers: the player to move in each (N,), int8.
        outcomes: player 0's result (N,), int8; ONGOING in unfinished games.
        starts: the moves of position i are those from starts[i] up to starts[i + 1] (N + 1,), int64; a finished one has none.
        targets: where each move leads (E,), int32.
        actions: its action (E,), int16.
        chances: its probability (E,), float64, more than 0.
        parents: the position before each on a shortest way from the start (N,), int32; -1 of the start.
        ranks: the order in which breadth-first search found them (N,), int32.
    """

    game: Game
    states: StateArray
    movers: NDArray[np.int8]
    outcomes: NDArray[np.int8]
    starts: NDArray[np.int64]
    targets: NDArray[np.int32]
    actions: NDArray[np.int16]
    chances: NDArray[np.float64]
    parents: NDArray[np.int32]
    ranks: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.states)

    @cached_property
    def owners(self) -> NDArray[np.int32]:
        """The position that each move belongs to (E,)."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))

    def totals(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum of numbers (E,) over the moves of each position (N,)."""
        return np.bincount(self.owners, numbers, minlength=len(self)).astype(np.float64, copy=False)

    def line(self, position: int) -> tuple[int, ...]:
        """The actions of a shortest way from the start to a position."""
        actions: list[int] = []
        while (parent := int(self.parents[position])) >= 0:
            moves = slice(self.starts[parent], self.starts[parent + 1])
            actions.append(int(self.actions[moves][self.targets[moves] == position][0]))
            position = parent
        return tuple(reversed(actions))


def explore(
    game: Game,
    choosers: tuple[Chooser | None, Chooser | None] = (None, None),
    largest: int = LARGEST,
    progress: Callable[[int], object] = lambda _: None,
) -> Graph:
    """The graph of a game from its start position.

    Args:
        game: the game and variant.
        choosers: for each player, the probability of each action; None for all legal ones equally.
        largest: positions that it may have at most.
        progress: called from time to time with the number of positions found.

    Raises:
        TooLargeError: it has more.
    """
    explorer = _Explorer(game, choosers, largest)
    while explorer.left:
        explorer.find_moves()
        progress(explorer.count)
    return explorer.graph()


class _Explorer:
    """A graph under construction: positions before `done` have their moves, those from there to `count` do not yet."""

    def __init__(self, game: Game, choosers: tuple[Chooser | None, Chooser | None], largest: int) -> None:
        self._game, self._choosers, self._largest = game, choosers, largest
        self._done, self.count = 0, 1
        self._states, self._parents = game.start[None].copy(), np.full(1, -1, np.int32)
        self._slots = np.zeros(0, np.int32)
        self._moves: list[Moves] = []
        self._rows: list[tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int64]]] = []

    @property
    def left(self) -> int:
        """How many positions do not have their moves yet."""
        return self.count - self._done

    def find_moves(self) -> None:
        """Finds the moves of the next positions."""
        start, stop = self._done, min(self.count, self._done + BATCH)
        states = self._states[start:stop]
        movers, outcomes = self._game.players(states), self._game.outcomes(states)
        chances = self._chances(states, movers, outcomes)
        counts = np.count_nonzero(chances > 0, axis=1)
        moves = int(counts.sum())
        self._make_room(moves)
        found = Moves(np.empty(moves, np.int32), np.empty(moves, np.int16), np.empty(moves))
        positions = Positions(self._states, self._parents, self._slots)
        self.count = self._game.kernel(write_moves)(positions, start, self.count, chances, found)
        if self.count > self._largest:
            raise TooLargeError(f"{self._game} has more than {self._largest:,} positions")
        self._moves.append(found)
        self._rows.append((movers, outcomes, counts))
        self._done = stop

    def graph(self) -> Graph:
        """The finished graph, renumbered: so far, positions had breadth-first numbers."""
        targets, actions, likely = (np.concatenate(parts) for parts in zip(*self._moves, strict=True))
        movers, outcomes, counts = (np.concatenate(parts) for parts in zip(*self._rows, strict=True))
        self._moves.clear()
        starts = np.concatenate([[0], np.cumsum(counts)])
        left = np.empty(self.count, np.int32)
        places, stack = np.full(self.count, -1, np.int64), np.empty(self.count, np.int32)
        self._game.kernel(write_order)(starts, targets, places, stack, left)
        ranks = left[::-1].copy()
        numbers = np.empty(self.count, np.int32)
        numbers[ranks] = np.arange(self.count, dtype=np.int32)
        parents = self._parents[ranks]
        parents[1:] = numbers[parents[1:]]
        counts = counts[ranks]
        begins = np.concatenate([[0], np.cumsum(counts)])
        moves = np.repeat(starts[ranks] - begins[:-1], counts) + np.arange(len(targets))
        return Graph(
            self._game, self._states[ranks], movers[ranks], outcomes[ranks], begins, numbers[targets[moves]], actions[moves],
            likely[moves], parents, ranks,
        )  # fmt: skip

    def _chances(self, states: StateArray, movers: NDArray[np.int8], outcomes: NDArray[np.int8]) -> NDArray[np.float64]:
        """The probability of each action in each state (B, A); zeros where the game is over."""
        masks = self._game.masks(states)
        chances = masks / np.maximum(masks.sum(axis=1, keepdims=True, dtype=np.float64), 1)
        for player, chooser in enumerate(self._choosers):
            rows = np.flatnonzero((movers == player) & (outcomes == ONGOING))
            if chooser is not None and len(rows):
                chances[rows] = chooser(states[rows])
        return chances

    def _make_room(self, more: int) -> None:
        """Makes room for `more` positions, with twice as many slots as positions."""
        needed = self.count + more
        if needed > len(self._states):
            room = 2 * needed
            states, parents = np.empty((room, self._game.num_words), np.uint64), np.empty(room, np.int32)
            states[: self.count], parents[: self.count] = self._states[: self.count], self._parents[: self.count]
            self._states, self._parents = states, parents
        if 2 * needed > len(self._slots):
            self._slots = slots_for(2 * needed)
            self._game.kernel(fill)(self._states, 0, self.count, self._slots)


class Positions(NamedTuple):
    """The positions found so far, in arrays with room for more: states (N, W), parents (N,), and the slots of their index."""

    states: States
    parents: Slots
    slots: Slots


class Moves(NamedTuple):
    """Moves in arrays (E,): the position each leads to, its action, its probability."""

    targets: Slots
    actions: ActionsOfMoves
    chances: Chances


def write_moves(positions: Positions, start: int, count: int, chances: ChancesOfStates, moves: Moves) -> int:
    """Writes the moves of the positions from `start` on, as many as `chances` has rows, and the positions they lead to.

    Returns:
        How many positions there are now, of `count` before.
    """
    states, slots = positions.states, positions.slots
    move = 0
    for row in range(chances.shape[0]):
        for action in range(chances.shape[1]):
            if chances[row, action] > 0.0:
                after = play(load(states[start + row]), action)
                place = slot_of(after, states, slots)
                if slots[place] == EMPTY:
                    slots[place] = count
                    store(states[count], after)
                    positions.parents[count] = start + row
                    count += 1
                moves.targets[move] = slots[place]
                moves.actions[move] = action
                moves.chances[move] = chances[row, action]
                move += 1
    return count


def write_order(starts: Numbers, targets: Slots, places: Numbers, stack: Slots, order: Slots) -> None:
    """Writes all positions in postorder of a depth-first search.

    Args:
        starts, targets: the graph's.
        places: for each position on the path, its next move; -1 of those not visited yet, as all are at first (N,).
        stack: room for the path (N,).
        order: to be written (N,).
    """
    depth = done = 0
    stack[0] = 0
    places[0] = 0
    while depth >= 0:
        position = stack[depth]
        if places[position] == starts[position + 1]:
            order[done] = position
            done += 1
            depth -= 1
        else:
            target = targets[places[position]]
            places[position] += 1
            if places[target] < 0:
                places[target] = starts[target]
                depth += 1
                stack[depth] = target


GRAPH_KERNELS = write_moves, write_order, fill
"""The kernels that explore a game, besides its own."""
