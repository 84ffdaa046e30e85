"""`ManyGames`: games as arrays of moves, lengths and results, in memory or mapped from files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import index
from typing import Annotated, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.native import in_ranges
from ...core.native.threads import pool
from ...games.game import Game, StateArray
from ...games.kernels.arrays import Keys, States
from ...games.kernels.bits import u64
from ...games.kernels.keys import derive
from ...games.kernels.rules import load, play, store

HASHES = 5_000_000
"""Games whose hashes are in memory together: 40 MB."""
Lines: TypeAlias = Annotated[NDArray[np.int16], 2]
"""The moves of games (N, L); -1 after their end."""


class Shard(NamedTuple):
    """Some games.

    Args:
        moves: the actions (N, L), int8 or int16; -1 after the end of a game.
        lengths: how many plies each game took (N,), int16.
        results: player 0's result (N,), int8: 1, 0 or -1; 0 where the limit of plies ended it.
        starts: where each began (N, W), uint64; None for the start of the game.
        networks: of games that a training played: after how many parts of it the networks of their first and of their last move
            were learnt (N, 2), int32; else None.
    """

    moves: NDArray[Any]
    lengths: NDArray[np.int16]
    results: NDArray[np.int8]
    starts: StateArray | None = None
    networks: NDArray[np.int32] | None = None


def concatenate_shards(shards: Sequence[Shard]) -> Shard:
    """Games of several shards in one, as wide as the longest of them."""
    longest = max(shard.moves.shape[1] for shard in shards)
    padded = [
        shard._replace(moves=np.pad(shard.moves, ((0, 0), (0, longest - shard.moves.shape[1])), constant_values=-1))
        for shard in shards
    ]
    arrays: list[Any] = [None if parts[0] is None else np.concatenate(parts) for parts in zip(*padded, strict=True)]
    return Shard(*arrays)


class ManyGames(Sequence[int]):
    """Games as arrays; those in a folder are mapped into memory, and read as they are asked for.

    Args:
        game: the game and variant.
        shards: the games, all shards but the last of the same size.
    """

    def __init__(self, game: Game, shards: Sequence[Shard]) -> None:
        self.game, self.shards = game, tuple(shards)
        self._starts = np.cumsum([0, *(len(shard.lengths) for shard in self.shards)])

    def __len__(self) -> int:
        return int(self._starts[-1])

    def __getitem__(self, number: Any) -> Any:
        """The moves of a game, without what comes after its end; of a slice, a list of those of each game.

        Raises:
            IndexError: there is no such game.
        """
        if isinstance(number, slice):
            return [self[row] for row in range(len(self))[number]]
        row = index(number)
        row += len(self) * (row < 0)
        return self.moves([row])[0, : int(self.lengths([row])[0])]

    def __repr__(self) -> str:
        return f"<{len(self):,} games of {self.game}>"

    def moves(self, numbers: ArrayLike) -> NDArray[np.int16]:
        """The moves of some games (M, L), -1 after their ends; L is the length of the longest of all games."""
        rows = np.asarray(numbers, np.int64).reshape(-1)
        lines = np.full((len(rows), max((shard.moves.shape[1] for shard in self.shards), default=0)), -1, np.int16)
        for where, shard, at in self._parts(rows):
            lines[where, : shard.moves.shape[1]] = shard.moves[at]
        return lines

    def lengths(self, numbers: ArrayLike) -> NDArray[np.int16]:
        """The plies of some games (M,)."""
        return self._gather(numbers, "lengths", np.int16(0))

    def results(self, numbers: ArrayLike) -> NDArray[np.int8]:
        """Player 0's results of some games (M,): 1, 0 or -1."""
        return self._gather(numbers, "results", np.int8(0))

    def starts(self, numbers: ArrayLike) -> StateArray:
        """The position that each game begins with (M, W), uint64."""
        return self._gather(numbers, "starts", self.game.start)

    def networks(self, numbers: ArrayLike) -> NDArray[np.int32]:
        """After how many parts of a training the networks of the first and the last move were learnt (M, 2); -1 in other games."""
        return self._gather(numbers, "networks", np.full(2, -1, np.int32))

    def states(self, numbers: ArrayLike) -> StateArray:
        """The positions of some games, from the start to the end (M, L + 1, W), uint64; the last one again after the end."""
        lines = np.ascontiguousarray(self.moves(numbers))
        if lines.min(initial=-1) < -1 or lines.max(initial=-1) >= self.game.num_actions:
            raise ValueError(f"there are moves that {self.game} does not have, whose actions are 0 to {self.game.num_actions - 1}")
        states = np.empty((len(lines), lines.shape[1] + 1, self.game.num_words), np.uint64)
        self.game.kernel(replay)(pool(len(lines)), 0, len(lines), self.starts(numbers), lines, states)
        return states

    def count_repeated(self) -> int:
        """How many games have the moves of an earlier one; two different games pass for the same once in 2^60 pairs."""
        repeated, rounds, hashes = 0, -(-len(self) // HASHES), np.empty(len(self), np.uint64)
        for which in range(rounds):  # in each round the hashes with one remainder, so that not all are in memory
            count = 0
            for shard in self.shards:
                some = hash_games(self.game, shard)
                some = some[some % np.uint64(rounds) == which]
                hashes[count : count + len(some)] = some
                count += len(some)
            hashes[:count].sort()
            repeated += int(np.count_nonzero(hashes[1:count] == hashes[: max(0, count - 1)]))
        return repeated

    def _parts(self, rows: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], Shard, NDArray[np.int64]]]:
        """Where in the answer, from which shard, and which of its rows; IndexError where there is no such game."""
        if len(rows) and not 0 <= rows.min() <= rows.max() < len(self):
            raise IndexError(
                f"there are {len(self):,} games, numbered from 0; no game {rows.min() if rows.min() < 0 else rows.max()}"
            )
        of = np.searchsorted(self._starts, rows, "right") - 1
        for number in np.unique(of):
            where = np.flatnonzero(of == number)
            yield where, self.shards[number], rows[where] - self._starts[number]

    def _gather(self, numbers: ArrayLike, part: str, otherwise: Any) -> Any:
        """An array of the shards for some games; where a shard does not have it, `otherwise`."""
        rows = np.asarray(numbers, np.int64).reshape(-1)
        gathered = np.repeat(otherwise[None], len(rows), axis=0)
        for where, shard, at in self._parts(rows):
            if (array := getattr(shard, part)) is not None:
                gathered[where] = array[at]
        return gathered


def in_memory(array: NDArray[Any]) -> NDArray[Any]:
    """An array that is read at once: one that is mapped would keep its pages in memory."""
    return np.load(array.filename, allow_pickle=False) if isinstance(array, np.memmap) and array.filename else array


def hash_games(game: Game, shard: Shard) -> NDArray[np.uint64]:
    """A number of 64 bits for each game (N,), the same for the same moves from the same start, whatever the width of the array."""
    moves, hashes = np.ascontiguousarray(in_memory(shard.moves), np.int16), np.empty(len(shard.moves), np.uint64)
    starts = np.repeat(game.start[None], len(moves), axis=0) if shard.starts is None else in_memory(shard.starts)
    game.kernel(write_hashes)(pool(len(moves)), 0, len(moves), starts, moves, hashes)
    return hashes


@in_ranges
def replay(lo: int, hi: int, starts: States, moves: Lines, states: Annotated[NDArray[np.uint64], 3]) -> None:
    """Writes each position of games: from their starts on, and the last one again after the end."""
    for i in range(lo, hi):
        state = load(starts[i])
        store(states[i, 0], state)
        for ply in range(moves.shape[1]):
            if moves[i, ply] >= 0:
                state = play(state, moves[i, ply])
            store(states[i, ply + 1], state)


@in_ranges
def write_hashes(lo: int, hi: int, starts: States, moves: Lines, hashes: Keys) -> None:
    """Writes a number for each game, in which all its moves are mixed."""
    for i in range(lo, hi):
        mixed = u64(0)
        for word in range(starts.shape[1]):
            mixed = derive(mixed ^ starts[i, word], 0)
        for ply in range(moves.shape[1]):
            if moves[i, ply] >= 0:
                mixed = derive(mixed, moves[i, ply])
        hashes[i] = mixed
