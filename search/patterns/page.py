"""The patterns and the book of Othello on 8×8 as files for a page, smaller than the originals.

Of each pattern and its mirror image one is there, with a number for every two stages, which is the mean of theirs, in steps of
several units: the differences of each number from that of the stages after it, as int8, the last stages first. Most are 0, which
takes little room.

The book has its positions as `least_image` writes them, three words each, and then their values, int16.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...core.files.named_arrays import join_head
from ...games.kernels.arrays import Numbers, Words
from ...games.kernels.rules import load, store
from ..alphabeta.negamax import Workspace, search
from .book import CLOSE, shipped_book
from .evaluation import (
    EIGHT_BY_EIGHT,
    IMAGES,
    LENGTHS,
    MOST,
    MOVES,
    SIZE,
    STAGES,
    Patterns,
    columns_of,
    mirror,
    patterns_from_tables,
    shipped_patterns,
    transpose,
    turn_over,
)

PATTERNS, BOOK = "othello.patterns", "othello.book"
"""The names of the files."""
AT_ONCE, STEP = 2, 5
"""Stages that share numbers; units of a step."""


@cache
def patterns_for_page() -> Patterns:
    """The evaluation with the numbers of the file."""
    return patterns_from_tables(np.repeat(STEP * steps_for_page(), AT_ONCE, axis=0), shipped_patterns().deviations)


def encode_patterns() -> bytes:
    """The file of the patterns."""
    families = [{"numbers": 3**length, "image": image} for length, image in zip(LENGTHS, IMAGES, strict=True)]
    head = {
        "stages": STAGES,
        "atOnce": AT_ONCE,
        "step": STEP,
        "families": [*families, {"numbers": SIZE - MOVES, "image": None}],
    }
    return join_head(head, columns_of(steps_for_page()).tobytes())


def steps_for_page() -> NDArray[np.int8]:
    """The numbers of all stages that share them, in steps (STAGES / AT_ONCE, SIZE)."""
    means = shipped_patterns().tables.reshape(-1, AT_ONCE, SIZE).mean(axis=1)
    most = MOST // STEP
    return np.clip(np.rint(means / STEP), -most, most).astype(np.int8)


def encode_book() -> bytes:
    """The file of the book."""
    book = shipped_book()
    states = np.frombuffer(b"".join(book.values), np.uint64).reshape(len(book.values), -1)
    least = np.empty_like(states)
    for state, image in zip(states, least, strict=True):
        EIGHT_BY_EIGHT.kernel(least_image)(state, image)
    order = np.lexsort(least.T)
    values = np.array([*book.values.values()], "<i2")[order]
    head = {"positions": len(states), "words": states.shape[1], "close": CLOSE}
    return join_head(head, least[order].astype("<u8").tobytes() + values.tobytes())


def search_by_patterns(words: Words, key: np.uint64, deepest: int, workspace: Workspace, result: Numbers) -> int:
    """The search of alpha-beta under a name of its own, to be linked with the evaluation by patterns."""
    return search(words, key, deepest, workspace, result)


def least_image(words: Words, image: Words) -> None:
    """Writes the one of all positions that are symmetric to a position whose words are least, the first ones first."""
    state = load(words)
    own, other, rest = state[0], state[1], state[2]
    best_own, best_other = own, other
    for _ in range(2):
        for _ in range(2):
            for _ in range(2):
                if own < best_own or (own == best_own and other < best_other):
                    best_own, best_other = own, other
                own, other = mirror(own), mirror(other)
            own, other = turn_over(own), turn_over(other)
        own, other = transpose(own), transpose(other)
    store(image, (best_own, best_other, rest))
