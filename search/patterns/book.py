"""The opening book of Othello on 8×8: values by deep searches of positions in the first plies.

It lists positions, one of those that are symmetric to each other, with their values for the player to move in units of the
patterns. Where the positions after all actions are listed, an action is chosen by their values.
benchmarks/making/othello_book.py makes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...games.game import StateArray
from ...games.kernels.keys import uniforms
from .evaluation import EIGHT_BY_EIGHT, UNITS

FILE = Path(__file__).with_name("book.npz")
CLOSE = UNITS
"""Units: an action is as good as the best one if its value is at most this much lower, which is a disc."""


@dataclass(frozen=True, eq=False)
class PatternBook:
    """Values of positions in the opening.

    Args:
        values: by the names of the positions, as `names_of` gives them.
        discs: the most discs of a position from which an action can be chosen.
    """

    values: Mapping[bytes, int]
    discs: int

    def actions(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """A best action of each unfinished state (B,), drawn by its key; -1 where a position after it is not in the book."""
        actions = np.full(len(states), -1, np.int64)
        for row in np.flatnonzero(np.bitwise_count(states[:, 0] | states[:, 1]) <= self.discs):
            legal = EIGHT_BY_EIGHT.legal_actions(states[row])
            after = EIGHT_BY_EIGHT.plays(np.repeat(states[row][None], len(legal), axis=0), legal)
            values = [self.values.get(name) for name in names_of(after)]
            if None not in values:
                same = EIGHT_BY_EIGHT.players(after) == EIGHT_BY_EIGHT.player(states[row])
                worth = np.where(same, 1, -1) * np.array(values, np.int64)
                close = np.flatnonzero(worth >= worth.max() - CLOSE)
                actions[row] = legal[close[int(uniforms(keys[row : row + 1])[0] * len(close))]]
        return actions


def names_of(states: StateArray) -> list[bytes]:
    """A name for each state, the same for symmetric ones."""
    cells = EIGHT_BY_EIGHT.symmetries.cells
    turned = [EIGHT_BY_EIGHT.permuted(states, np.full(len(states), number)) for number in range(len(cells))]
    return [min(names) for names in zip(*([state.tobytes() for state in those] for those in turned), strict=True)]


@cache
def shipped_book() -> PatternBook:
    """The book of this package."""
    with np.load(FILE) as arrays:
        positions, values = arrays["positions"], arrays["values"]
    most_discs = int(np.bitwise_count(positions[:, 0] | positions[:, 1]).max())
    by_name = dict(zip(names_of(positions), values.tolist(), strict=True))
    return PatternBook(by_name, most_discs - 1)  # the positions after a move have a disc more, and must be listed
