"""The book: the scores of all positions with few discs, of a position and its mirror image once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...games.connect_four.rules import ConnectFour
from ...games.game import StateArray
from ...games.kernels.arrays import Flags, Keys, Words
from ...games.kernels.rules import ONGOING, Permutation, load, permute
from ..book import Book, Results, Search
from .search import ConnectFourSearcher


@dataclass(frozen=True, eq=False)
class ConnectFourBook(Book[ConnectFour]):
    """The scores of all unfinished positions with at most `placed` discs on the board.

    Args:
        game: the variant.
        placed: the most discs; -1 in an empty book.
        states: the positions, each in its canonical form, rising (N,), uint64.
        scores: their scores for the player to move, as search.py says (N,), int8.
    """

    kind: ClassVar[str] = "scores"
    unknown: ClassVar[int] = 127
    usual: ClassVar[int] = 8
    most: ClassVar[int] = 12
    shuffled: ClassVar[bool] = False  # neighbours have much of what follows in common

    states: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64))
    scores: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, np.int8))

    def score(self, state: StateArray) -> int:
        """The score of an unfinished position with few enough discs for the player to move."""
        cells, actions = (table[1] for table in self.game.symmetries)
        return self.game.kernel(book_score)(np.array(state), cells, actions, self.states, self.scores)

    @property
    def for_page(self) -> bytes:
        """The book as a page reads it: the steps from each position to the next, 8 bytes each, and the scores, a byte each."""
        return self.steps.astype("<u8").tobytes() + self.scores.tobytes()

    @property
    def steps(self) -> NDArray[np.uint64]:
        """The differences of neighbouring positions, which take less room in a file than the positions."""
        return np.diff(self.states, prepend=np.uint64(0))

    @classmethod
    def stem(cls, game: ConnectFour) -> str:
        return f"connect_four-{game.rows}-{game.columns}-{game.line}"

    @classmethod
    def from_arrays(cls, game: ConnectFour, arrays: dict[str, NDArray[Any]]) -> ConnectFourBook:
        return cls(game, int(arrays["discs"]), np.cumsum(arrays["steps"], dtype=np.uint64), arrays["scores"])

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"discs": np.array(self.placed), "steps": self.steps, "scores": self.scores}

    @classmethod
    def layers(cls, game: ConnectFour) -> Iterator[StateArray]:
        """For 0, 1, 2… discs, all unfinished positions (N, 1), of a position and its mirror image the canonical one, rising."""
        layer = game.start[None]
        while True:
            yield layer
            rows, actions = np.nonzero(game.masks(layer))
            after = game.plays(layer[rows], actions)
            after = canonical(game, after[game.outcomes(after) == ONGOING])
            layer = np.unique(after)[:, None]

    @classmethod
    def search(cls, game: ConnectFour, table_bits: int | None) -> Search:
        return ConnectFourSearcher(game, table_bits or 27).score

    @classmethod
    def results_before(cls, game: ConnectFour, layer: StateArray, following: StateArray, results: Results) -> Results:
        rows, actions = np.nonzero(game.masks(layer))
        after = game.plays(layer[rows], actions)
        over = game.outcomes(after) != ONGOING
        replies = np.searchsorted(following[:, 0], canonical(game, after)[:, 0]).clip(max=len(following) - 1)
        left = game.num_cells - int(game.count_discs(layer[:1])[0])
        won = np.where(game.outcomes(after) == 0, 0, (left + 1) // 2)
        best = np.full(len(layer), -cls.unknown, np.int64)
        np.maximum.at(best, rows, np.where(over, won, -results[replies].astype(np.int64)))
        return best.astype(np.int8)

    @classmethod
    def from_layers(cls, game: ConnectFour, layers: list[StateArray], results: list[Results]) -> ConnectFourBook:
        states, scores = np.concatenate(layers)[:, 0], np.concatenate(results)
        order = np.argsort(states)
        return cls(game, len(layers) - 1, states[order], scores[order])


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
