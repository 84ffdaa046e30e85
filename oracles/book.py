"""`Book`: the results of all positions of a variant with few pieces on the board, in a file.

The file holds the book's arrays (files.py) and lies beside the game's oracle. To make one (benchmarks/making/books.py), every
position with a certain number of pieces is searched; the results of those with fewer follow from them. What is known so far is
written to a file in the cache every minute, so that the work can be interrupted and resumed.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.native.threads import share
from ..core.numbers import whole
from ..games.game import Game, StateArray
from ..search.watch import DONE, TOTAL, Stopped, Watch
from .files import path_of, read_arrays, write_arrays

SAVE_SECONDS = 60.0

Results = NDArray[np.int8]
Search = Callable[[StateArray, NDArray[np.int64]], int]
"""Gives the result of a position; it takes the words of a watch, too, and raises Stopped where the watch stops it."""
G = TypeVar("G", bound=Game)
B = TypeVar("B", bound="Book[Any]")

_open = dict[tuple[type, Game], Any]()


@dataclass(frozen=True, eq=False)
class Book(ABC, Generic[G]):
    """The results of positions with few pieces.

    Args:
        game: the variant.
        placed: the most pieces on the board; -1 in an empty book.
    """

    kind: ClassVar[str]
    """What the results are, `values` or `scores`."""
    unknown: ClassVar[int]
    """Stands for a result that is not known yet."""
    usual: ClassVar[int]
    most: ClassVar[int]
    """How many pieces the deepest positions have, if nothing is said, and at most."""
    shuffled: ClassVar[bool]
    """Whether the deepest positions are searched in random order."""

    game: G
    placed: int

    @classmethod
    @abstractmethod
    def stem(cls, game: G) -> str:
        """The name of the file of a variant, without its ending."""

    @classmethod
    @abstractmethod
    def from_arrays(cls: type[B], game: Any, arrays: dict[str, NDArray[Any]]) -> B:
        """The book that a file's arrays are."""

    @property
    @abstractmethod
    def arrays(self) -> dict[str, NDArray[Any]]:
        """What a file holds of it."""

    @classmethod
    @abstractmethod
    def layers(cls, game: G) -> Iterator[StateArray]:
        """For 0, 1, 2… pieces on the board, the positions (N, W) that a book knows."""

    @classmethod
    @abstractmethod
    def search(cls, game: G, table_bits: int | None) -> Search:
        """What finds the results of the deepest positions."""

    @classmethod
    @abstractmethod
    def results_before(cls, game: G, layer: StateArray, following: StateArray, results: Results) -> Results:
        """The results of a layer, from the next layer and its results."""

    @classmethod
    @abstractmethod
    def from_layers(cls: type[B], game: Any, layers: list[StateArray], results: list[Results]) -> B:
        """The book of some layers."""

    @classmethod
    def of(cls: type[B], game: Game) -> B:
        """The book of a variant; an empty one where there is none."""
        if (cls, game) not in _open:
            arrays = read_arrays(cls.path(game), f"the oracle of {game.title} does without it")
            _open[cls, game] = cls(game, -1) if arrays is None else cls.from_arrays(game, arrays)
        return _open[cls, game]

    @classmethod
    def path(cls, game: G) -> Path:
        """The path of the book of a variant."""
        return Path(__file__).parent / game.name / f"{cls.stem(game)}.book"

    @classmethod
    def progress_path(cls, game: G, placed: int) -> Path:
        """The path of the file with the results so far."""
        return path_of(f"{cls.stem(game)}-{placed}.{cls.kind}")

    @classmethod
    def build(
        cls: type[B], game: Game, placed: int | None = None, watch: Watch | None = None, table_bits: int | None = None
    ) -> B | None:
        """Makes the book of a variant, or resumes making it, on as many threads as batches run on.

        Args:
            game: the variant.
            placed: the book has positions with at most this many pieces on the board; None for as many as usual.
            watch: limits and progress.
            table_bits: the table of the search has 2^table_bits entries; None for many.

        Returns:
            The book; None if a limit came first. The results so far are saved, and the next call resumes from there.

        Raises:
            ValueError: no such number of pieces.
            MemoryError: there is no room for the table.
            OSError: the results cannot be written.
        """
        deepest = whole(cls.usual if placed is None else placed, "placed", 0, cls.most)
        followed = watch or Watch()

        def work() -> B | None:
            layers = [layer for _, layer in zip(range(deepest + 1), cls.layers(game), strict=False)]
            results = [_search_layer(cls, layers[-1], cls.search(game, table_bits), cls.progress_path(game, deepest), followed)]
            if (results[0] == cls.unknown).any():
                return None
            for k in reversed(range(deepest)):
                results.insert(0, cls.results_before(game, layers[k], layers[k + 1], results[0]))
            book = cls.from_layers(game, layers, results)
            write_arrays(cls.path(game), **book.arrays)
            forget_books()
            return book

        return followed.run(work)


def forget_books() -> None:
    """Closes all books: their files are read again at the next use."""
    _open.clear()


def _search_layer(book: type[Book[Any]], layer: StateArray, search: Search, path: Path, watch: Watch) -> Results:
    """The result of each position of a layer (N,), those in the file first; unknown where the watch left no time for it."""
    saved_arrays = read_arrays(path, f"its {book.kind} are searched again")
    results = np.full(len(layer), book.unknown, np.int8)
    if saved_arrays is not None and len(saved_arrays[book.kind]) == len(layer):
        results[:] = saved_arrays[book.kind]
    left = np.flatnonzero(results == book.unknown)
    if book.shuffled:
        left = np.random.default_rng(0).permutation(left)
    watch.words[TOTAL], watch.words[DONE] = len(layer), len(layer) - len(left)
    lock, saved = threading.Lock(), time.monotonic()

    def work(rows: Iterator[int]) -> None:
        nonlocal saved
        for row in rows:
            try:
                results[left[row]] = search(layer[left[row]], watch.words)
            except Stopped:
                return
            with lock:
                watch.words[DONE] += 1
                if time.monotonic() > saved + SAVE_SECONDS:
                    write_arrays(path, **{book.kind: results})
                    saved = time.monotonic()

    share(len(left), work)
    if len(left):
        write_arrays(path, **{book.kind: results})
    return results
