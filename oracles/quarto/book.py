"""The book: the values of all positions with few pieces, up to symmetry.

It lists the positions with a piece in hand that are won, and those that are lost, for the player to move; the others with as many
pieces on the board, or fewer, are drawn. A position is stored as a number of 32 bits, made from its canonical form:

    bit 0-15     the pieces on its occupied cells, four bits each, the first cell's in the lowest bits
        16-31    the occupied cells
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...games.game import StateArray
from ...games.kernels.arrays import Keys, States, Words
from ...games.kernels.bits import count, has, u64
from ...games.kernels.rules import ONGOING, load, outcome, play
from ...games.quarto.rules import BOARD, Quarto, piece_on
from ..book import Book, Results, Search
from .search import QuartoSearcher
from .symmetry import Movements, canonical, canonical_state, movements_of, successors

MOST_PLACED = 4
"""The most pieces on the board of a position that fits in a number of 32 bits."""
MOST_SUCCESSORS = 240


@dataclass(frozen=True, eq=False)
class QuartoBook(Book[Quarto]):
    """The values of positions with a piece in hand and at most `placed` on the board.

    Args:
        game: the variant.
        placed: the most pieces on the board; -1 in an empty book.
        won: the numbers of the positions won for the player to move, rising (uint32).
        lost: the numbers of the positions lost, rising (uint32).
    """

    kind: ClassVar[str] = "values"
    unknown: ClassVar[int] = 2
    usual: ClassVar[int] = MOST_PLACED
    most: ClassVar[int] = MOST_PLACED
    # neighbours in a layer take about the same time: only in random order does the progress tell how long the rest will take
    shuffled: ClassVar[bool] = True

    won: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))
    lost: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))

    def value(self, state: StateArray) -> int:
        """1, 0 or -1 for the player to move in an unfinished position with a piece in hand and few enough pieces on the board."""
        number = numbers_of(self.game, state[None])[0]
        return int(_contains(self.won, number)) - int(_contains(self.lost, number))

    @classmethod
    def stem(cls, game: Quarto) -> str:
        return "squares" if game.squares else "plain"

    @classmethod
    def from_arrays(cls, game: Quarto, arrays: dict[str, NDArray[Any]]) -> QuartoBook:
        return cls(game, int(arrays["placed"]), arrays["won"], arrays["lost"])

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"placed": np.array(self.placed), "won": self.won, "lost": self.lost}

    @classmethod
    def layers(cls, game: Quarto) -> Iterator[StateArray]:
        """For 0, 1, 2… pieces on the board, all positions (N, 2) with a piece in hand and no line, up to symmetry, by number."""
        layer = canonical(game, game.play(game.start, 16)[None])
        while True:
            yield layer
            after = np.empty((MOST_SUCCESSORS * len(layer), 2), np.uint64)
            after = after[: game.kernel(successors)(layer, movements_of(game), after)]
            _, first = np.unique(numbers_of(game, after), return_index=True)
            layer = np.ascontiguousarray(after[first])

    @classmethod
    def search(cls, game: Quarto, table_bits: int | None) -> Search:
        return QuartoSearcher(game, table_bits or 24).value

    @classmethod
    def results_before(cls, game: Quarto, layer: StateArray, following: StateArray, results: Results) -> Results:
        numbers, values = numbers_of(game, following), np.empty(len(layer), np.int8)
        after = np.empty((MOST_SUCCESSORS, 2), np.uint64)
        for i, state in enumerate(layer):
            if game.kernel(wins_at_once)(state):
                values[i] = 1
            else:
                count = game.kernel(successors)(layer[i : i + 1], movements_of(game), after)
                values[i] = -results[np.searchsorted(numbers, numbers_of(game, after[:count]))].min(initial=1)
        return values

    @classmethod
    def from_layers(cls, game: Quarto, layers: list[StateArray], results: list[Results]) -> QuartoBook:
        numbers, values = np.concatenate([numbers_of(game, layer) for layer in layers]), np.concatenate(results)
        return cls(game, len(layers) - 1, np.sort(numbers[values == 1]), np.sort(numbers[values == -1]))


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
