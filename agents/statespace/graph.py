"""`Graph`: the positions that a game can come to, numbered, and the moves between them, with how likely each is.

What may happen is said for each player: all legal moves, or those that a policy takes with positive probability. The numbers are
those of a depth-first walk, in the order in which it leaves positions, counted down: moves lead from lower numbers to higher
ones, those alone excepted that close a circle, and what is reckoned together lies together in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, TypeAlias

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
"""So many positions a graph has at most, unless told otherwise: one takes some 300 bytes, with its moves and what is reckoned."""
BATCH = 1 << 13


class TooLargeError(ValueError):
    """More positions than a graph may have."""


@dataclass(frozen=True, eq=False)
class Graph:
    """N positions and E moves; the start is position 0.

    Args:
        game: the game and variant.
        states: the positions (N, W).
        movers: who moves in each (N,), int8.
        outcomes: player 0's result (N,), int8; ONGOING where the game goes on.
        starts: the moves of position i are those from starts[i] up to starts[i + 1] (N + 1,), int64; a finished one has none.
        targets: where each move leads (E,), int32.
        actions: its action (E,), int16.
        chances: how likely whoever moves is to take it (E,), float64, more than 0.
        parents: the position before each on a shortest way from the start (N,), int32; -1 of the start.
        ranks: a number for each that rises with the length of that way (N,), int32.
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
        """For each position the sum of a number over its moves (N,), of the numbers of all moves (E,)."""
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
    """The graph of a game from its start on.

    Args:
        game: the game and variant.
        choosers: for each player, how likely each action is; None for all legal ones equally.
        largest: so many positions it may have.
        progress: called now and then with how many were found.

    Raises:
        TooLargeError: there are more.
    """
    explorer = _Explorer(game, choosers, largest)
    while explorer.left:
        explorer.go_on()
        progress(explorer.count)
    return explorer.graph()


class _Explorer:
    """A graph on its way: the positions before `done` have their moves, those from there to `count` do not yet."""

    def __init__(self, game: Game, choosers: tuple[Chooser | None, Chooser | None], largest: int) -> None:
        self._game, self._choosers, self._largest = game, choosers, largest
        self._done, self.count = 0, 1
        self._states, self._parents = game.start[None].copy(), np.full(1, -1, np.int32)
        self._slots = np.zeros(0, np.int32)
        self._moves: list[tuple[NDArray[np.int32], NDArray[np.int16], NDArray[np.float64]]] = []
        self._rows: list[tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int64]]] = []

    @property
    def left(self) -> int:
        """How many positions have no moves yet."""
        return self.count - self._done

    def go_on(self) -> None:
        """Finds the moves of some more positions."""
        first, behind = self._done, min(self.count, self._done + BATCH)
        states = self._states[first:behind]
        movers, outcomes = self._game.players(states), self._game.outcomes(states)
        chances = self._chances(states, movers, outcomes)
        counts = np.count_nonzero(chances > 0, axis=1)
        moves = int(counts.sum())
        self._make_room(moves)
        targets, actions, likely = np.empty(moves, np.int32), np.empty(moves, np.int16), np.empty(moves)
        self.count = self._game.kernel(expand)(
            self._states, self._parents, self._slots, first, self.count, chances, targets, actions, likely
        )
        if self.count > self._largest:
            raise TooLargeError(f"{self._game} has more than {self._largest:,} positions")
        self._moves.append((targets, actions, likely))
        self._rows.append((movers, outcomes, counts))
        self._done = behind

    def graph(self) -> Graph:
        """The whole, once nothing is left; so far, positions were numbered as they were found, breadth first."""
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
        """How likely each action is in each state (B, A); zeros where the game is over."""
        masks = self._game.masks(states)
        chances = masks / np.maximum(masks.sum(axis=1, keepdims=True, dtype=np.float64), 1)
        for player, chooser in enumerate(self._choosers):
            rows = np.flatnonzero((movers == player) & (outcomes == ONGOING))
            if chooser is not None and len(rows):
                chances[rows] = chooser(states[rows])
        return chances

    def _make_room(self, more: int) -> None:
        """Room for so many more positions, and twice as many slots as positions."""
        needed = self.count + more
        if needed > len(self._states):
            room = 2 * needed
            states, parents = np.empty((room, self._game.num_words), np.uint64), np.empty(room, np.int32)
            states[: self.count], parents[: self.count] = self._states[: self.count], self._parents[: self.count]
            self._states, self._parents = states, parents
        if 2 * needed > len(self._slots):
            self._slots = slots_for(2 * needed)
            self._game.kernel(fill)(self._states, 0, self.count, self._slots)


def expand(
    states: States,
    parents: Slots,
    slots: Slots,
    first: int,
    count: int,
    chances: ChancesOfStates,
    targets: Slots,
    actions: ActionsOfMoves,
    likely: Chances,
) -> int:
    """Writes the moves of the positions from `first` on, as many as `chances` has rows, and the positions they lead to.

    Returns:
        How many positions there are now.
    """
    move = 0
    for row in range(chances.shape[0]):
        for action in range(chances.shape[1]):
            if chances[row, action] > 0.0:
                after = play(load(states[first + row]), action)
                place = slot_of(after, states, slots)
                if slots[place] == EMPTY:
                    slots[place] = count
                    store(states[count], after)
                    parents[count] = first + row
                    count += 1
                targets[move] = slots[place]
                actions[move] = action
                likely[move] = chances[row, action]
                move += 1
    return count


def write_order(starts: Numbers, targets: Slots, places: Numbers, stack: Slots, order: Slots) -> None:
    """Writes all positions in the order in which a depth-first walk leaves them.

    Args:
        starts, targets: the graph's.
        places: for each position on the way, its next move; -1 of those not met yet, as all are at first (N,).
        stack: room for the positions on the way (N,).
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


GRAPH_KERNELS = expand, write_order, fill
"""The kernels that explore a game, besides those that it answers by itself."""
