"""`Graph`: the positions that a game can reach, numbered, and the moves between them.

Each player makes all legal moves, or those that a policy makes with positive probability. Positions are numbered by
breadth-first search: the start is 0, and positions that take more plies to reach have higher numbers. Where a policy plays alike
in symmetric positions, these count as one.

Positions are explored a batch at a time: all threads write the positions that follow, then one thread enters the new ones, so the
numbers do not depend on threads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.native import in_ranges, releases_gil
from ...core.native.threads import pool
from ...games.game import Game, StateArray, Symmetries
from ...games.kernels.arrays import Flags, Numbers, States
from ...games.kernels.bits import ONE, count, lowest, u64
from ...games.kernels.rules import ONGOING, legal, load, outcome, play, player, store
from .canonical import canonical, least_image, orbit_sizes, whole_tables
from .index import EMPTY, Slots, fill, slot_of, slots_for

Chooser: TypeAlias = Callable[[StateArray], NDArray[np.float64]]
"""From unfinished states (B, W) to the probability of each action (B, A)."""

LARGEST = 16_000_000
"""The most positions of a graph, unless a caller allows more: with its moves, each takes some 200 bytes."""
BATCH = 1 << 14


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
        chances: its probability (E,), float64, more than 0; or empty where all moves of each position are equally likely.
        parents: the position before each on a shortest way from the start (N,), int32; -1 of the start.
        symmetries: positions that are symmetric under these count as one; the first changes nothing.
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
    symmetries: Symmetries

    def __len__(self) -> int:
        return len(self.states)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many positions of the game each position of the graph stands for (N,)."""
        alone = len(self.symmetries.cells) == 1
        return np.ones(len(self), np.int64) if alone else orbit_sizes(self.game, self.states, self.symmetries)

    @cached_property
    def alternates(self) -> bool:
        """Whether the players take turns, so that nobody moves twice in a row."""
        repeats = np.zeros(1, np.int8)
        arrays = self.starts, self.targets, self.movers, self.outcomes, repeats
        self.game.kernel(find_repeats)(pool(len(self)), 0, len(self), *arrays)
        return not repeats[0]

    def line(self, position: int) -> tuple[int, ...]:
        """The actions of a shortest way from the start to a position, or to one of those that it stands for."""
        path = [position]
        while (parent := int(self.parents[path[-1]])) >= 0:
            path.append(parent)
        actions, state = list[int](), self.game.start
        for here, there in zip(path[:0:-1], path[-2::-1], strict=True):
            _, which = canonical(self.game, state[None], self.symmetries)
            moves = slice(self.starts[here], self.starts[here + 1])
            action = self.actions[moves][self.targets[moves] == there][0]
            # the graph has the action in the least image: find the action of this position that becomes it
            actions.append(int(np.flatnonzero(self.symmetries.actions[which[0]] == action)[0]))
            state = self.game.play(state, actions[-1])
        return tuple(actions)


def explore(
    game: Game,
    choosers: tuple[Chooser | None, Chooser | None] = (None, None),
    largest: int = LARGEST,
    progress: Callable[[int, int], object] = lambda count, left: None,
    symmetries: Symmetries | None = None,
) -> Graph:
    """The graph of a game from its start position.

    Args:
        game: the game and variant.
        choosers: for each player, the probability of each action; None for all legal ones equally.
        largest: positions that it may have at most.
        progress: called from time to time with the number of positions found, and how many of them have no moves yet.
        symmetries: positions that are symmetric under these count as one, as `start_symmetries` gives them; None for none. The
            choosers must then choose alike in symmetric positions.

    Raises:
        TooLargeError: it has more.
    """
    explorer = _Explorer(game, choosers, largest, symmetries or no_symmetries(game))
    while explorer.left:
        explorer.look_further()
        progress(explorer.count, explorer.left)
    return explorer.graph()


def no_symmetries(game: Game) -> Symmetries:
    """Only the symmetry that changes nothing."""
    return Symmetries(np.arange(np.prod(game.board), dtype=np.int16)[None], np.arange(game.num_actions, dtype=np.int16)[None])


class _Explorer:
    """A graph under construction: positions before `_done` have their moves, those from there to `count` do not yet."""

    def __init__(self, game: Game, choosers: tuple[Chooser | None, Chooser | None], largest: int, symmetries: Symmetries) -> None:
        self._game, self._choosers, self._largest, self._symmetries = game, choosers, largest, symmetries
        self._done, self.count = 0, 1
        self._positions = Positions(game.start[None].copy(), np.full(1, -1, np.int32), np.zeros(0, np.int32))
        self._targets, self._actions = _Column(np.int32), _Column(np.int16)
        self._chances: list[NDArray[np.float64] | None] = []
        self._rows: list[tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int64]]] = []

    @property
    def left(self) -> int:
        """How many positions do not have their moves yet."""
        return self.count - self._done

    def look_further(self) -> None:
        """Finds the moves of the next positions."""
        game, start = self._game, self._done
        rows = min(BATCH, self.left)
        states = self._positions.states[start : start + rows]
        movers, outcomes = np.empty((2, rows), np.int8)
        choices, counts = np.empty((rows, game.action_words), np.uint64), np.empty(rows, np.int64)
        game.kernel(look_at)(pool(rows), 0, rows, states, movers, outcomes, choices, counts)
        self._chances.append(self._choose(states, np.where(outcomes == ONGOING, movers, -1), choices, counts))
        places = np.concatenate([[0], np.cumsum(counts)])
        moves = int(places[-1])
        self._make_room(moves)
        followers = Followers(np.empty((moves, game.num_words), np.uint64), np.empty(moves, np.int16), np.empty(moves, np.int32))
        symmetries = whole_tables(game, self._symmetries)
        game.kernel(write_followers)(pool(rows), 0, rows, start, choices, places, symmetries, self._positions, followers)
        self.count = game.kernel(enter_new)(start, places, followers, self._positions, self.count)
        if self.count > self._largest:
            raise TooLargeError(f"{game} has more than {self._largest:,} positions")
        self._targets.add(followers.numbers)
        self._actions.add(followers.actions)
        self._rows.append((movers, outcomes, counts))
        self._done += rows

    def graph(self) -> Graph:
        """The finished graph."""
        movers, outcomes, counts = (np.concatenate(parts) for parts in zip(*self._rows, strict=True))
        chances = self._all_chances()
        targets, actions = self._targets.whole(), self._actions.whole()
        starts = np.concatenate([[0], np.cumsum(counts)])
        states, parents = (array[: self.count].copy() for array in self._positions[:2])
        return Graph(
            game=self._game,
            states=states,
            movers=movers,
            outcomes=outcomes,
            starts=starts,
            targets=targets,
            actions=actions,
            chances=chances,
            parents=parents,
            symmetries=self._symmetries,
        )

    def _choose(
        self, states: StateArray, movers: NDArray[np.int8], choices: NDArray[np.uint64], counts: NDArray[np.int64]
    ) -> NDArray[np.float64] | None:
        """Limits the actions of players that have a chooser to those of positive probability. Returns the probabilities of all
        moves of these positions; None where those of each position are equally likely."""
        chosen = {mover: chooser for mover, chooser in enumerate(self._choosers) if chooser is not None}
        asked = {mover: np.flatnonzero(movers == mover) for mover in chosen}
        given = {mover: chosen[mover](states[rows]) for mover, rows in asked.items() if len(rows)}
        for mover, chances in given.items():
            counts[asked[mover]] = np.count_nonzero(chances, axis=1)
            choices[asked[mover]] = as_bits(chances > 0, choices.shape[1])
        if all(is_even(chances) for chances in given.values()):
            return None
        even = evenly(counts)
        for mover, chances in given.items():
            even[np.repeat(movers == mover, counts)] = chances[chances > 0]
        return even

    def _all_chances(self) -> NDArray[np.float64]:
        """The probability of every move; empty where those of each position are equally likely."""
        if all(part is None for part in self._chances):
            return np.zeros(0)
        parts = zip(self._chances, self._rows, strict=True)
        return np.concatenate([evenly(counts) if chances is None else chances for chances, (_, _, counts) in parts])

    def _make_room(self, more: int) -> None:
        """Makes room for `more` positions, with twice as many slots as positions."""
        states, parents, slots = self._positions
        needed = self.count + more
        if needed > len(states):
            wider = np.empty((2 * needed, self._game.num_words), np.uint64), np.empty(2 * needed, np.int32)
            for array, old in zip(wider, (states, parents), strict=True):
                array[: self.count] = old[: self.count]
            states, parents = wider
        if 2 * needed > len(slots):
            slots = slots_for(2 * needed)
            self._game.kernel(fill)(states, 0, self.count, slots)
        self._positions = Positions(states, parents, slots)


class _Column:
    """An array that grows: in place, since the moves of a graph are most of the memory that it takes."""

    def __init__(self, dtype: type[np.integer[Any]]) -> None:
        self._array, self._count = np.empty(0, dtype), 0

    def add(self, part: NDArray[Any]) -> None:
        """Adds some numbers at the end."""
        end = self._count + len(part)
        if end > len(self._array):
            self._array.resize(max(end, 5 * len(self._array) // 4), refcheck=False)
        self._array[self._count : end] = part
        self._count = end

    def whole(self) -> NDArray[Any]:
        """The array; nothing is added to it after this."""
        self._array.resize(self._count, refcheck=False)
        return self._array


def as_bits(flags: NDArray[np.bool_], words: int) -> NDArray[np.uint64]:
    """Rows of flags (B, A) as bits (B, K), the first flag the lowest."""
    bits = np.zeros((len(flags), 8 * words), np.uint8)
    packed = np.packbits(flags, axis=1, bitorder="little")
    bits[:, : packed.shape[1]] = packed
    return bits.view("<u8").astype(np.uint64, copy=False)


def evenly(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The probability of each move (E,) if all moves of a position are equally likely, by the number of moves of each position."""
    return np.repeat(1 / np.maximum(counts, 1), counts)  # a finished position has none, and nothing to divide by


def is_even(chances: NDArray[np.float64]) -> bool:
    """Whether the positive numbers of each row (B, A) are equal."""
    return bool(((chances == 0) | (chances == chances.max(axis=1, keepdims=True))).all())


# ---- kernels


ActionsOfMoves: TypeAlias = Annotated[NDArray[np.int16], 1]
"""The action of each move (E,)."""


class Positions(NamedTuple):
    """The positions found so far, in arrays with room for more: states (N, W), parents (N,), and the slots of their index."""

    states: States
    parents: Slots
    slots: Slots


class Followers(NamedTuple):
    """The positions that follow a batch, one for each move: states (E, W), actions (E,), and numbers (E,), EMPTY of new ones."""

    states: States
    actions: ActionsOfMoves
    numbers: Slots


@in_ranges
def look_at(lo: int, hi: int, states: States, movers: Flags, outcomes: Flags, choices: States, counts: Numbers) -> None:
    """Writes who is to move in each position, its outcome, and its legal actions as bits and their number: 0 if it is over."""
    for i in range(lo, hi):
        state = load(states[i])
        movers[i] = player(state)
        outcomes[i] = outcome(state)
        counts[i] = 0
        for word in range(choices.shape[1]):
            choices[i, word] = legal(state, word) if outcomes[i] == ONGOING else u64(0)
            counts[i] += count(choices[i, word])


@in_ranges
def write_followers(
    lo: int, hi: int, start: int, choices: States, places: Numbers, symmetries: Symmetries, known: Positions, followers: Followers
) -> None:
    """Writes the positions after all chosen moves, and the numbers of those that are known.

    Args:
        start: the number of the first position of the batch.
        choices: the actions of each, as bits (B, K).
        places: where the moves of each begin (B + 1,).
        symmetries: a position counts as its least image under them.
        known: the positions found before this batch.
        followers: takes the positions that follow.
    """
    for row in range(lo, hi):
        state = load(known.states[start + row])
        move = places[row]
        for word in range(choices.shape[1]):
            bits = choices[row, word]
            while bits != u64(0):
                action = 64 * word + lowest(bits)
                bits &= bits - ONE
                after, _ = least_image(play(state, action), symmetries)
                store(followers.states[move], after)
                followers.actions[move] = action
                followers.numbers[move] = known.slots[slot_of(after, known.states, known.slots)]
                move += 1


@in_ranges
def find_repeats(lo: int, hi: int, starts: Numbers, targets: Slots, movers: Flags, outcomes: Flags, repeats: Flags) -> None:
    """Sets `repeats` (1,) to 1 if a player may move twice in a row."""
    for i in range(lo, hi):
        for move in range(starts[i], starts[i + 1]):
            if movers[targets[move]] == movers[i] and outcomes[targets[move]] == ONGOING:
                repeats[0] = 1


@releases_gil
def enter_new(start: int, places: Numbers, followers: Followers, positions: Positions, known: int) -> int:
    """Gives numbers to the new ones of the positions that follow.

    Returns:
        How many positions there are now, where `known` were before.
    """
    for row in range(places.shape[0] - 1):
        for move in range(places[row], places[row + 1]):
            if followers.numbers[move] == EMPTY:
                after = load(followers.states[move])
                slot = slot_of(after, positions.states, positions.slots)
                if positions.slots[slot] == EMPTY:
                    positions.slots[slot] = known
                    store(positions.states[known], after)
                    positions.parents[known] = start + row
                    known += 1
                followers.numbers[move] = positions.slots[slot]
    return known


GRAPH_KERNELS = look_at, write_followers, enter_new, find_repeats, fill
"""The kernels that explore a game, besides its own."""
