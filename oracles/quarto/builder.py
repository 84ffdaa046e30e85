"""Makes a book: every position with a certain number of pieces on the board is searched; those with fewer follow from them.

The results are written to a file in the cache every minute, so that the work can be interrupted and resumed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import whole
from ...games.game import StateArray
from ...games.kernels.arrays import Words
from ...games.kernels.bits import has
from ...games.kernels.rules import ONGOING, load, outcome, play
from ...games.quarto.rules import Quarto
from ...native.threads import share
from ...search.watch import DONE, TOTAL, Stopped, Watch
from ..files import path_of, read_arrays, write_arrays
from .book import MOST_PLACED, QuartoBook, book_of, numbers_of, path_in_cache, write_book
from .searcher import QuartoSearcher
from .symmetry import canonical, movements_of, successors

OPEN = 2
"""Stands for a value that is not known yet."""
SAVE_SECONDS = 60.0
MOST_SUCCESSORS = 240


def build_book(game: Quarto, placed: int = MOST_PLACED, watch: Watch | None = None, table_bits: int = 24) -> QuartoBook | None:
    """Makes the book of a variant, or resumes making it, on as many threads as batches run on.

    Args:
        game: the variant.
        placed: the book has positions with at most this many pieces on the board, 0 to 4.
        watch: limits and progress.
        table_bits: each thread's table has 2^table_bits entries of 16 bytes.

    Returns:
        The book; None if a limit came first. The results so far are saved, and the next call resumes from there.

    Raises:
        ValueError: no such number of pieces.
        MemoryError: there is no room for the tables.
    """
    placed, followed = whole(placed, "placed", 0, MOST_PLACED), watch or Watch()
    return followed.run(lambda: _build(game, placed, followed, table_bits))


def _build(game: Quarto, placed: int, watch: Watch, table_bits: int) -> QuartoBook | None:
    layers = [layer for _, layer in zip(range(placed + 1), layers_of(game), strict=False)]
    values = search_layer(game, layers[-1], watch, progress_path(game, placed), QuartoSearcher(game, table_bits))
    if (values == OPEN).any():
        return None
    numbers = [numbers_of(game, layer) for layer in layers]
    layer_values = [values]
    for k in reversed(range(placed)):
        layer_values.insert(0, _values_from_next(game, layers[k], numbers[k + 1], layer_values[0]))
    all_numbers, all_values = np.concatenate(numbers), np.concatenate(layer_values)
    book = QuartoBook(game, placed, np.sort(all_numbers[all_values == 1]), np.sort(all_numbers[all_values == -1]))
    write_book(book, path_in_cache(game))
    book_of.cache_clear()
    return book


def progress_path(game: Quarto, placed: int) -> Path:
    """The path of the file with the results so far."""
    return path_of(f"quarto-{'squares' if game.squares else 'plain'}-{placed}.values")


def layers_of(game: Quarto) -> Iterator[StateArray]:
    """For 0, 1, 2… pieces on the board, all positions (N, 2) with a piece in hand and no line, up to symmetry, by rising number."""
    layer = canonical(game, game.play(game.start, 16)[None])
    while True:
        yield layer
        after = np.empty((MOST_SUCCESSORS * len(layer), 2), np.uint64)
        after = after[: game.kernel(successors)(layer, movements_of(game), after)]
        _, first = np.unique(numbers_of(game, after), return_index=True)
        layer = np.ascontiguousarray(after[first])


def search_layer(game: Quarto, layer: StateArray, watch: Watch, path: Path, searcher: QuartoSearcher) -> NDArray[np.int8]:
    """The value of each position of a layer (N,); OPEN where the watch left no time for it."""
    saved_arrays = read_arrays(path, "its values are searched again")
    values = np.full(len(layer), OPEN, np.int8)
    if saved_arrays is not None and len(saved_arrays["values"]) == len(layer):
        values[:] = saved_arrays["values"]
    # neighbours in a layer take about the same time: only in random order does the progress tell how long the rest will take
    left = np.random.default_rng(0).permutation(np.flatnonzero(values == OPEN))
    watch.words[TOTAL], watch.words[DONE] = len(layer), len(layer) - len(left)
    lock, saved = threading.Lock(), time.monotonic()

    def work(rows: Iterator[int]) -> None:
        nonlocal saved
        for row in rows:
            try:
                values[left[row]] = searcher.value(layer[left[row]], watch.words)
            except Stopped:
                return
            with lock:
                watch.words[DONE] += 1
                if time.monotonic() > saved + SAVE_SECONDS:
                    write_arrays(path, values=values)
                    saved = time.monotonic()

    share(len(left), work)
    if len(left):
        write_arrays(path, values=values)
    return values


def _values_from_next(game: Quarto, layer: StateArray, numbers: NDArray[np.uint32], values: NDArray[np.int8]) -> NDArray[np.int8]:
    """The values of a layer, from the numbers and values of the next."""
    layer_values = np.empty(len(layer), np.int8)
    after = np.empty((MOST_SUCCESSORS, 2), np.uint64)
    for i, state in enumerate(layer):
        if game.kernel(wins_at_once)(state):
            layer_values[i] = 1
        else:
            count = game.kernel(successors)(layer[i : i + 1], movements_of(game), after)
            layer_values[i] = -values[np.searchsorted(numbers, numbers_of(game, after[:count]))].min(initial=1)
    return layer_values


def wins_at_once(words: Words) -> int:
    """Whether some placement completes a line; with few pieces on the board, nothing else ends the game."""
    state = load(words)
    for cell in range(16):
        if not has(state[1], cell) and outcome(play(state, cell)) != ONGOING:
            return 1
    return 0
