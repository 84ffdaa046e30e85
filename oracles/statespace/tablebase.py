"""`Tablebase`: the value and the distance of every position of a game that never goes back, symmetric positions once.

Positions are found a ply at a time: all threads write the positions that follow those of a ply, which are then sorted, each kept
once. The plies are decided from the last to the first, and then all positions are sorted into one list. A position takes nine
bytes, in memory and in its file: its word, and an entry, the higher the better for the player to move:

    127 - d     won in d plies (d is 0 to 126)
    0           drawn
    d - 127     lost in d plies

So the value of a move is that of the position after it, one nearer to 0, with the sign turned where the players take turns.

Source: retrograde analysis (Thompson, ICCA Journal 9, 1986), here without repetition, so that each position is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ...core.native import in_ranges
from ...core.native.threads import pool
from ...games.game import Game, StateArray
from ...games.kernels.arrays import Flags, States
from ...games.kernels.bits import has, u64
from ...games.kernels.rules import ONGOING, legal, load, outcome, play, player
from ...search.watch import DONE, NODES, TOTAL, Watch
from ..files import TableFile, map_content
from .canonical import Symmetries, canonical, least_image, orbit_sizes, start_symmetries, whole_tables

OVER = 127
"""The entry of a position that is won as it stands, in no plies."""
MISSING = -128
"""Stands for the entry of a position that is not in the tablebase."""
NOTHING = u64(2**64 - 1)
"""Stands for the position after an illegal action."""
AT_ONCE = 1 << 20


@dataclass(frozen=True, eq=False)
class Tablebase:
    """All positions of a game that can come up, of those that are symmetric the least one, with their entries.

    Args:
        game: the game and variant; its state is one word.
        states: the positions, rising (N, 1).
        entries: their entries (N,), int8.
    """

    game: Game
    states: StateArray
    entries: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.entries)

    def find(self, states: StateArray) -> NDArray[np.int8]:
        """The entry of each position (B,); MISSING of one that cannot come up."""
        images, _ = canonical(self.game, states, start_symmetries(self.game))
        entries = np.empty(len(images), np.int8)
        self.game.kernel(find_entries)(pool(len(images)), 0, len(images), images, self.states, self.entries, entries)
        return entries

    def counts(self) -> tuple[int, int, int]:
        """How many of all positions are won, lost and drawn for the player to move, symmetric ones counted too."""
        totals = np.zeros(3, np.int64)
        for first in range(0, len(self), AT_ONCE):
            some = slice(first, first + AT_ONCE)
            sizes = orbit_sizes(self.game, self.states[some], start_symmetries(self.game))
            totals += [sizes[np.sign(self.entries[some]) == value].sum() for value in (1, -1, 0)]
        won, lost, drawn = totals.tolist()
        return won, lost, drawn


def values_and_distances(entries: NDArray[np.int8]) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """What entries say: the values for the player to move (B,), and the plies to the end (B,), -1 of a draw."""
    return np.sign(entries), np.where(entries == 0, -1, OVER - abs(entries.astype(np.int64)))


@cache
def tablebase_file(game: Game) -> TableFile[Tablebase]:
    """The file with the tablebase of a game as `solve_forward_game` makes it: all words, then all entries."""

    def read(file: BinaryIO) -> Tablebase:
        content = map_content(file)
        count, rest = divmod(len(content), 9)
        if rest:
            raise ValueError("it has the wrong length")
        return Tablebase(
            game, np.frombuffer(content[: 8 * count], np.uint64)[:, None], np.frombuffer(content[8 * count :], np.int8)
        )

    return TableFile(
        name=f"{re.sub('[^a-z0-9_]+', '-', game.spec)}.tablebase",
        make=lambda watch: solve_forward_game(game, watch),
        content=lambda base: (base.states.data, base.entries.data),
        read=read,
    )


def solve_forward_game(game: Game, watch: Watch) -> Tablebase | None:
    """The tablebase of a game; None where the watch, whose nodes are positions looked at, stopped the work.

    The game's state is one word, and no position comes up twice in a game, or at different plies. It takes some 40 bytes a
    position, and a second or so for each million.
    """
    plies = list[StateArray]()
    for states in positions_by_ply(game):
        plies.append(states)
        watch.words[NODES] += len(states)
        if watch.stopped:
            return None
    watch.words[TOTAL] = sum(map(len, plies))
    symmetries = whole_tables(game, start_symmetries(game))
    after, after_entries, parts = np.empty((0, 1), np.uint64), np.empty(0, np.int8), list[NDArray[np.int8]]()
    for states in reversed(plies):
        entries = np.empty(len(states), np.int8)
        rest = states, symmetries, after, after_entries, entries
        game.kernel(write_entries)(pool(len(states)), 0, len(states), *rest)
        after, after_entries = states, entries
        parts.append(entries)
        watch.words[NODES] += len(states)
        watch.words[DONE] += len(states)
        if watch.stopped:
            return None
    all_states, all_entries = np.concatenate(plies), np.concatenate(parts[::-1])
    plies.clear()
    order = all_states[:, 0].argsort()
    return Tablebase(game, all_states[order], all_entries[order])


def positions_by_ply(game: Game) -> Iterator[StateArray]:
    """The positions that can come up at each ply (N, 1), of those that are symmetric the least one, rising."""
    symmetries, states = whole_tables(game, start_symmetries(game)), game.start[None].copy()
    while len(states):
        yield states
        following = np.empty((len(states), game.num_actions), np.uint64)
        game.kernel(write_following)(pool(len(states)), 0, len(states), states, symmetries, following)
        words = following[following != NOTHING]
        words.sort()
        states = words[np.append(True, words[1:] != words[:-1])[: len(words)]][:, None]


# ---- kernels


@in_ranges
def write_following(lo: int, hi: int, states: States, symmetries: Symmetries, following: States) -> None:
    """Writes the least image of the position after each action (N, A); NOTHING where an action is illegal, or the game over."""
    for i in range(lo, hi):
        state = load(states[i])
        going = outcome(state) == ONGOING
        for action in range(following.shape[1]):
            following[i, action] = NOTHING
            if going and has(legal(state, action >> 6), action & 63):
                image, _ = least_image(play(state, action), symmetries)
                following[i, action] = image[0]


@in_ranges
def write_entries(
    lo: int, hi: int, states: States, symmetries: Symmetries, after: States, after_entries: Flags, entries: Flags
) -> None:
    """Writes the entries of the positions of a ply, from the positions of the next ply and their entries."""
    for i in range(lo, hi):
        state = load(states[i])
        result = outcome(state)
        if result == ONGOING:
            best = -OVER
            for action in range(symmetries.actions.shape[1]):
                if has(legal(state, action >> 6), action & 63):
                    reply = play(state, action)
                    image, _ = least_image(reply, symmetries)
                    entry = int(after_entries[row_of(image[0], after)])
                    best = max(best, entry if player(reply) == player(state) else -entry)
            entries[i] = best - 1 if best > 0 else best + 1 if best < 0 else 0
        else:
            entries[i] = OVER * (result if player(state) == 0 else -result)


@in_ranges
def find_entries(lo: int, hi: int, wanted: States, states: States, entries: Flags, found: Flags) -> None:
    """The entry of each wanted position, or MISSING."""
    for i in range(lo, hi):
        row = row_of(wanted[i, 0], states)
        found[i] = entries[row] if row < states.shape[0] and states[row, 0] == wanted[i, 0] else MISSING


def row_of(word: np.uint64, states: States) -> int:
    """The first row of rising positions that does not come before a word; their number if all do."""
    low, high = 0, states.shape[0]
    while low < high:
        middle = (low + high) >> 1
        if states[middle, 0] < word:
            low = middle + 1
        else:
            high = middle
    return low


TABLEBASE_KERNELS = write_following, write_entries, find_entries
"""The kernels that solve a game and find its positions."""
