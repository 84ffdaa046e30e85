"""The book: the values of all positions with few pieces, up to symmetry.

It lists the positions with a piece in hand that are won, and those that are lost, for the player to move; the others with as many
pieces on the board, or fewer, are drawn. A position is stored as a number of 32 bits, made from its canonical form:

    bit 0-15     the pieces on its occupied cells, four bits each, the first cell's in the lowest bits
        16-31    the occupied cells

A file holds the arrays of a book (../files.py). One for each variant comes with ludus; a larger one that `build_book` has made
lies in the cache.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...games.game import StateArray
from ...games.kernels.arrays import Keys, States
from ...games.kernels.bits import has, u64
from ...games.kernels.rules import load
from ...games.quarto.rules import BOARD, Quarto, piece_on
from ..files import path_of, read_arrays, write_arrays
from .symmetry import Movements, canonical_state, movements_of

MOST_PLACED = 4
"""The most pieces on the board of a position that fits in a number of 32 bits."""


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
