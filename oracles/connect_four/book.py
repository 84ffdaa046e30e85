"""The book: the scores of all positions with few discs, of a position and its mirror image once.

A file holds the arrays of a book (../files.py). One that comes with ludus lies beside this file, one made here in the cache. To
make one, every position with a certain number of discs is searched; the scores of those with fewer follow from them. What is
known so far is written to a file in the cache every minute, so that the work can be interrupted and resumed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import whole
from ...games.connect_four.rules import ConnectFour
from ...games.game import StateArray
from ...games.kernels.arrays import Flags, Keys, Words
from ...games.kernels.rules import ONGOING, Permutation, load, permute
from ...search.watch import Watch
from ..book_layer import LayerFile, search_layer
from ..files import path_of, read_arrays, write_arrays
from .search import ConnectFourSearcher

DEPTH = 8
"""The discs of the deepest positions of a book, by default."""
OPEN = 127
"""Stands for a score that is not known yet."""


@dataclass(frozen=True, eq=False)
class ConnectFourBook:
    """The scores of all unfinished positions with at most `discs` on the board.

    Args:
        game: the variant.
        discs: the most discs; -1 in an empty book.
        states: the positions, each in its canonical form, rising (N,), uint64.
        scores: their scores for the player to move, as search.py says (N,), int8.
    """

    game: ConnectFour
    discs: int
    states: NDArray[np.uint64]
    scores: NDArray[np.int8]

    def score(self, state: StateArray) -> int:
        """The score of an unfinished position with few enough discs for the player to move."""
        cells, actions = (table[1] for table in self.game.symmetries)
        return self.game.kernel(book_score)(np.array(state), cells, actions, self.states, self.scores)

    @property
    def for_page(self) -> bytes:
        """The book as a page reads it: the steps from each position to the next, 8 bytes each, and the scores, a byte each."""
        return _steps(self).astype("<u8").tobytes() + self.scores.tobytes()


def book_score(words: Words, cells: Permutation, actions: Permutation, states: Keys, scores: Flags) -> int:
    """The score of a position of a book.

    Args:
        words: the position (1,).
        cells, actions: the symmetry that mirrors it.
        states, scores: the book's.
    """
    state = load(words)
    mirrored = permute(state, cells, actions)
    least = min(state[0], mirrored[0])
    low, high = 0, len(states) - 1
    while low < high:
        middle = (low + high) >> 1
        if states[middle] < least:
            low = middle + 1
        else:
            high = middle
    return int(scores[low])


def canonical(game: ConnectFour, states: StateArray) -> StateArray:
    """Of each position and its mirror image the one whose word is smaller (B, 1)."""
    return np.minimum(states, game.permuted(states, np.ones(len(states), np.int64)))


@cache
def book_of(game: ConnectFour) -> ConnectFourBook:
    """The book of a variant: the larger of the one that comes with ludus and the one in the cache."""
    nothing = ConnectFourBook(game, -1, np.zeros(0, np.uint64), np.zeros(0, np.int8))
    books = [book for path in (path_in_package(game), path_in_cache(game)) if (book := read_book(game, path))]
    return max(books, key=lambda book: book.discs, default=nothing)


def path_in_package(game: ConnectFour) -> Path:
    """The path of the book that comes with ludus."""
    return Path(__file__).parent / _name(game)


def path_in_cache(game: ConnectFour) -> Path:
    """The path of a book made on this machine."""
    return path_of(_name(game))


def _name(game: ConnectFour) -> str:
    return f"connect_four-{game.rows}-{game.columns}-{game.line}.book"


def read_book(game: ConnectFour, path: Path) -> ConnectFourBook | None:
    """The book in a file; None if there is no file, or a damaged one, which the log reports."""
    arrays = read_arrays(path, "the oracle of Connect Four does without it")
    if arrays is None:
        return None
    return ConnectFourBook(game, int(arrays["discs"]), np.cumsum(arrays["steps"], dtype=np.uint64), arrays["scores"])


def write_book(book: ConnectFourBook, path: Path) -> None:
    """Writes a book to a file; the differences of neighbouring positions take less room than the positions."""
    write_arrays(path, discs=np.array(book.discs), steps=_steps(book), scores=book.scores)


def _steps(book: ConnectFourBook) -> NDArray[np.uint64]:
    return np.diff(book.states, prepend=np.uint64(0))


# ---- making a book


def build_book(game: ConnectFour, discs: int = DEPTH, watch: Watch | None = None, table_bits: int = 27) -> ConnectFourBook | None:
    """Makes the book of a variant, or resumes making it, on as many threads as batches run on.

    Args:
        game: the variant.
        discs: the book has positions with at most this many discs, 0 to 12.
        watch: limits and progress.
        table_bits: the table of the search has 2^table_bits entries of 8 bytes.

    Returns:
        The book; None if a limit came first. The results so far are saved, and the next call resumes from there.

    Raises:
        ValueError: no such number of discs.
        MemoryError: there is no room for the table.
    """
    discs, followed = whole(discs, "discs", 0, 12), watch or Watch()
    return followed.run(lambda: _build(game, discs, followed, table_bits))


def _build(game: ConnectFour, discs: int, watch: Watch, table_bits: int) -> ConnectFourBook | None:
    layers = [layer for _, layer in zip(range(discs + 1), layers_of(game), strict=False)]
    searcher, file = ConnectFourSearcher(game, table_bits), LayerFile(progress_path(game, discs), "scores", OPEN)
    # in their order: neighbours have much of what follows in common
    scores = search_layer(layers[-1], lambda state: searcher.score(state, watch.words), file, watch, shuffle=False)
    if (scores == OPEN).any():
        return None
    layer_scores = [scores]
    for k in reversed(range(discs)):
        layer_scores.insert(0, _scores_from_next(game, layers[k], layers[k + 1], layer_scores[0], game.num_cells - k))
    states, all_scores = np.concatenate(layers)[:, 0], np.concatenate(layer_scores)
    order = np.argsort(states)
    book = ConnectFourBook(game, discs, states[order], all_scores[order])
    write_book(book, path_in_cache(game))
    book_of.cache_clear()
    return book


def progress_path(game: ConnectFour, discs: int) -> Path:
    """The path of the file with the results so far."""
    return path_of(f"{Path(_name(game)).stem}-{discs}.scores")


def layers_of(game: ConnectFour) -> Iterator[StateArray]:
    """For 0, 1, 2… discs, all unfinished positions (N, 1), of a position and its mirror image the canonical one, rising."""
    layer = game.start[None]
    while True:
        yield layer
        rows, actions = np.nonzero(game.masks(layer))
        after = game.plays(layer[rows], actions)
        after = canonical(game, after[game.outcomes(after) == ONGOING])
        layer = np.unique(after)[:, None]


def _scores_from_next(
    game: ConnectFour, layer: StateArray, following: StateArray, scores: NDArray[np.int8], left: int
) -> NDArray[np.int8]:
    """The scores of a layer whose positions have so many free cells, from the next layer and its scores."""
    rows, actions = np.nonzero(game.masks(layer))
    after = game.plays(layer[rows], actions)
    over = game.outcomes(after) != ONGOING
    found = np.searchsorted(following[:, 0], canonical(game, after)[:, 0]).clip(max=len(following) - 1)
    won = np.where(game.outcomes(after) == 0, 0, (left + 1) // 2)
    best = np.full(len(layer), -OPEN, np.int64)
    np.maximum.at(best, rows, np.where(over, won, -scores[found].astype(np.int64)))
    return best.astype(np.int8)
