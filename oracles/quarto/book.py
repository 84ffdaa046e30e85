"""The book: the values of all positions with few pieces, up to symmetry.

It lists the positions with a piece in hand that are won, and those that are lost, for the player to move; the others with as many
pieces on the board, or fewer, are drawn. A position is stored as a number of 32 bits, made from its canonical form:

    bit 0-15     the pieces on its occupied cells, four bits each, the first cell's in the lowest bits
        16-31    the occupied cells

A file holds the arrays of a book (../files.py). One for each variant comes with ludus; a larger one that `build_book` has made
lies in the cache. To make one, every position with a certain number of pieces on the board is searched; those with fewer follow
from them. The results are written to a file in the cache every minute, so that the work can be interrupted and resumed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import whole
from ...games.game import StateArray
from ...games.kernels.arrays import Keys, States, Words
from ...games.kernels.bits import count, has, u64
from ...games.kernels.rules import ONGOING, load, outcome, play
from ...games.quarto.rules import BOARD, Quarto, piece_on
from ...search.watch import Watch
from ..book_layer import LayerFile, search_layer
from ..files import path_of, read_arrays, write_arrays
from .search import QuartoSearcher
from .symmetry import Movements, canonical, canonical_state, movements_of, successors

MOST_PLACED = 4
"""The most pieces on the board of a position that fits in a number of 32 bits."""
OPEN = 2
"""Stands for a value that is not known yet."""
MOST_SUCCESSORS = 240


@dataclass(frozen=True, eq=False)
class QuartoBook:
    """The values of positions with a piece in hand and at most `placed` on the board.

    Args:
        game: the variant.
        placed: the most pieces on the board; -1 in an empty book.
        won: the numbers of the positions won for the player to move, rising (uint32).
        lost: the numbers of the positions lost, rising (uint32).
    """

    game: Quarto
    placed: int
    won: NDArray[np.uint32]
    lost: NDArray[np.uint32]

    def value(self, state: StateArray) -> int:
        """1, 0 or -1 for the player to move in an unfinished position with a piece in hand and few enough pieces on the board."""
        number = numbers_of(self.game, state[None])[0]
        return int(_contains(self.won, number)) - int(_contains(self.lost, number))


def _contains(numbers: NDArray[np.uint32], number: np.uint32) -> bool:
    index = np.searchsorted(numbers, number)
    return bool(index < len(numbers) and numbers[index] == number)


def numbers_of(game: Quarto, states: StateArray) -> NDArray[np.uint32]:
    """The numbers (B,) of positions with a piece in hand and at most MOST_PLACED on the board, the same for symmetric ones."""
    numbers = np.empty(len(states), np.uint64)
    game.kernel(number_each)(game.batch(states), movements_of(game), numbers)
    return numbers.astype(np.uint32)


def number_each(states: States, movements: Movements, numbers: Keys) -> None:
    """Writes the number of each position (B,)."""
    for i in range(states.shape[0]):
        state = canonical_state(load(states[i]), movements)
        number, shift = (state[1] & BOARD) << u64(16), 0
        for cell in range(16):
            if has(state[1], cell):
                number |= u64(piece_on(state, cell) << shift)
                shift += 4
        numbers[i] = number


@cache
def book_of(game: Quarto) -> QuartoBook:
    """The book of a variant: the larger of the one that comes with ludus and the one in the cache."""
    nothing = QuartoBook(game, -1, np.zeros(0, np.uint32), np.zeros(0, np.uint32))
    books = [book for path in (path_in_package(game), path_in_cache(game)) if (book := read_book(game, path))]
    return max(books, key=lambda book: book.placed, default=nothing)


def path_in_package(game: Quarto) -> Path:
    """The path of the book that comes with ludus."""
    return Path(__file__).parent / _name(game)


def path_in_cache(game: Quarto) -> Path:
    """The path of a book made on this machine."""
    return path_of(_name(game))


def _name(game: Quarto) -> str:
    return "squares.book" if game.squares else "plain.book"


def read_book(game: Quarto, path: Path) -> QuartoBook | None:
    """The book in a file; None if there is no file, or a damaged one, which the log reports."""
    arrays = read_arrays(path, "the oracle of Quarto does without it")
    if arrays is None:
        return None
    return QuartoBook(game, int(arrays["placed"]), arrays["won"], arrays["lost"])


def write_book(book: QuartoBook, path: Path) -> None:
    """Writes a book to a file."""
    write_arrays(path, placed=np.array(book.placed), won=book.won, lost=book.lost)


# ---- making a book


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
    searcher, file = QuartoSearcher(game, table_bits), LayerFile(progress_path(game, placed), "values", OPEN)
    # neighbours in a layer take about the same time: only in random order does the progress tell how long the rest will take
    values = search_layer(layers[-1], lambda state: searcher.value(state, watch.words), file, watch, shuffle=True)
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


def stage(words: Words) -> int:
    """Twice the number of pieces on the board, and 1 more where a piece is in hand."""
    state = load(words)
    return 2 * count(state[1] & BOARD) + int(has(state[1], 36))


def wins_at_once(words: Words) -> int:
    """Whether some placement completes a line; with few pieces on the board, nothing else ends the game."""
    state = load(words)
    for cell in range(16):
        if not has(state[1], cell) and outcome(play(state, cell)) != ONGOING:
            return 1
    return 0
