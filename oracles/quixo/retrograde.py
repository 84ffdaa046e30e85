"""Solves Quixo backwards: the value and distance of every board of one size.

The number of marked cubes never falls. An action that takes a blank cube leads to the layer of boards with one more, which
is solved first; an action that takes an own cube stays within its layer. There, boards are decided by rising distance: won at
distance d if some action leads to one lost at d - 1, lost at d if all actions lead to won ones, the latest of them at
d - 1. A board that is never decided is drawn: nobody can force an end.

The result for a board is one byte, its entry, the higher the better for the player who moved there:

    1 + d      won at distance d for the player to move (d is 0 to 126)
    128        drawn, or not decided yet
    255 - d    lost at distance d for the player to move

So the best action is the one with the largest entry, and a board is decided at distance d when that entry is at least 256 - d
or at most d. An entry of distance d, which another thread may just have written, is neither: the result does not depend on
threads. Of boards that are symmetric (mostly eight) only one is examined, and the result is written for all.

A table is kept in a file (../files.py): the entries in the order of the boards' numbers (boards.py), 43 MB for 4×4.

Published: S. Tanaka, F. Bonnet, S. Tixeuil, Y. Tamura, Quixo is solved, arXiv 2007.15895, which gives values, not distances.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Annotated, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.files.reading import DIGEST_BYTES
from ...core.native import in_ranges, releases_gil
from ...core.native.threads import pool
from ...games.kernels.bits import count, number, u64
from ...games.kernels.rules import ONGOING, outcome
from ...games.quixo.rules import Quixo
from ...search.watch import DONE, NODES, TOTAL, Watch
from ..files import TableFile, map_content
from .boards import BLANK, OWN, PART, Boards, BoardTables, state_of, tables_of

Entries: TypeAlias = Annotated[NDArray[np.uint8], 1]
"""The entry of each board, one byte."""
Places: TypeAlias = Annotated[NDArray[np.int64], 2]
"""For each high part of a board and each layer, how many boards, or where the next one goes (H, L)."""

UNDECIDED = DRAWN = 128
WON, LOST = 1, 255
"""The entries of boards that are won or lost as they stand."""


@cache
def file_of(size: int) -> TableFile[NDArray[np.uint8]]:
    """The file with the entry of each board of a size, 3 or 4, by its number."""

    def read(file: BinaryIO) -> NDArray[np.uint8]:
        if os.fstat(file.fileno()).st_size != DIGEST_BYTES + 3 ** (size**2):
            raise ValueError("it has the wrong length")
        return np.frombuffer(map_content(file), np.uint8)

    return TableFile(
        name=f"quixo-{size}.table", make=lambda watch: solve_size(size, watch), content=lambda table: (table.data,), read=read
    )


def solve_size(size: int, watch: Watch) -> NDArray[np.uint8] | None:
    """The entry of every board of a size, 3 or 4; None where the watch, whose nodes are boards looked at, stopped the work."""
    game, tables = Quixo(size=size), tables_of(size)
    entries = np.full(tables.boards, UNDECIDED, np.uint8)
    boards, ends = boards_by_layer(game)
    watch.words[TOTAL] = len(boards)
    longest = 0
    for layer in np.split(boards, ends[:-1])[::-1]:  # the most marked cubes first: taking a blank cube leads to a solved layer
        left = layer
        best, decided = np.empty((2, len(left)), np.uint8)
        game.kernel(begin)(pool(len(left)), 0, len(left), left, tables, entries, best, decided)
        # The layers solved before decide boards up to one ply more than their longest distance.
        distance, last = 0, longest + 1
        while len(left):
            if watch.stopped:
                return None
            watch.words[NODES] += len(left)
            if distance:
                game.kernel(decide)(pool(len(left)), 0, len(left), left, distance, tables, entries, best, decided)
            game.kernel(write_images)(pool(len(left)), 0, len(left), left, decided, tables, entries)
            undecided = game.kernel(keep_undecided)(left, best, decided)
            if undecided < len(left):
                longest = max(longest, distance)
                left = left[:undecided]
            elif distance > last:  # no board was decided at this distance, so none can be at a larger one: the rest is drawn
                break
            distance += 1
        watch.words[DONE] += len(layer)
    entries.flags.writeable = False  # as those of a file are
    return entries


def boards_by_layer(game: Quixo) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """One board of each eight that are symmetric, by the number of marked cubes; where the boards of each number end."""
    tables = tables_of(game.size)
    highs = tables.boards // PART
    places = np.zeros((highs, game.size**2 + 1), np.int64)
    game.kernel(count_boards)(pool(highs), 0, highs, tables, places)
    ends = places.T.cumsum().reshape(places.T.shape)
    places = np.ascontiguousarray((ends - places.T).T)
    boards = np.empty(ends[-1, -1], np.int32)
    game.kernel(place_boards)(pool(highs), 0, highs, tables, places, boards)
    return boards, ends[:, -1]


@in_ranges
def count_boards(lo: int, hi: int, tables: BoardTables, places: Places) -> None:
    """Counts the boards of each layer for each high part, of those that are symmetric only the one with the lowest number."""
    for high in range(lo, hi):
        cubes = count(tables.marks[1, high])
        for low in range(PART):
            if is_lowest(low, high, tables):
                places[high, cubes + count(tables.marks[0, low])] += 1


@in_ranges
def place_boards(lo: int, hi: int, tables: BoardTables, places: Places, boards: Boards) -> None:
    """Writes the boards that `count_boards` counted, each layer's from the places on that it is given."""
    for high in range(lo, hi):
        cubes = count(tables.marks[1, high])
        for low in range(PART):
            if is_lowest(low, high, tables):
                layer = cubes + count(tables.marks[0, low])
                boards[places[high, layer]] = PART * high + low
                places[high, layer] += 1


def is_lowest(low: int, high: int, tables: BoardTables) -> bool:
    """Whether no symmetric image of a board has a lower number."""
    lower = False
    board = PART * high + low
    for k in range(8):
        lower |= tables.images[0, low, k] + tables.images[1, high, k] < board
    return not lower


@in_ranges
def begin(lo: int, hi: int, boards: Boards, tables: BoardTables, entries: Entries, best: Entries, decided: Entries) -> None:
    """Decides the boards that are over, and writes the best entry that each board's moves of blank cubes lead to."""
    for i in range(lo, hi):
        result = outcome(state_of(boards[i], tables))
        decided[i] = 0 if result == ONGOING else WON if result > 0 else LOST
        best[i] = best_entry(boards[i], BLANK, tables, entries)


@in_ranges
def decide(
    lo: int, hi: int, boards: Boards, distance: int, tables: BoardTables, entries: Entries, best: Entries, decided: Entries
) -> None:
    """Decides the boards of this distance; `best` has the best entry after moves that take a blank cube."""
    for i in range(lo, hi):
        entry = max(best[i], best_entry(boards[i], OWN, tables, entries))
        decided[i] = 1 + distance if entry >= 256 - distance else 255 - distance if entry <= distance else 0


def best_entry(board: int, taken: int, tables: BoardTables, entries: Entries) -> int:
    """The largest entry after a move that takes a blank or an own cube, as `taken` says; 0 without such a move."""
    contents = tables.lines[0, board % PART] + tables.lines[1, board // PART]
    size, width = tables.size, 27 if tables.size == 3 else 81
    first = taken * 2 * size * width
    best = 0
    for _ in range(2 * size):
        start = first + number(contents & u64(255))
        for k in range(tables.starts[start], tables.starts[start + 1]):
            reply: int = tables.replies[k] - board
            best = max(best, number(entries[reply]))
        contents >>= u64(8)
        first += width
    return best


@in_ranges
def write_images(lo: int, hi: int, boards: Boards, decided: Entries, tables: BoardTables, entries: Entries) -> None:
    """Writes the new entry of each decided board for all its symmetric images."""
    for i in range(lo, hi):
        if decided[i] != 0:
            low, high = boards[i] % PART, boards[i] // PART
            for k in range(8):
                entries[tables.images[0, low, k] + tables.images[1, high, k]] = decided[i]


@releases_gil
def keep_undecided(boards: Boards, best: Entries, decided: Entries) -> int:
    """Moves the boards that are not decided, each with its best entry, to the front, and returns how many there are."""
    undecided = 0
    for i in range(len(boards)):
        if decided[i] == 0:
            boards[undecided], best[undecided] = boards[i], best[i]
            undecided += 1
    return undecided


SOLVING = begin, decide, write_images, keep_undecided, count_boards, place_boards
"""The kernels that solve a size."""
