"""The opening book of Othello on 8×8: what deep searches say of positions in the first plies.

It lists positions, of symmetric ones one, with their values for the player to move in units of the patterns. Where a position and
all that can follow it are listed, an action is chosen from it. tools/othello_book.py makes it.
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

PLACE = Path(__file__).with_name("book.npz")
CLOSE = UNITS
"""An action is as good as the best one if it is worth at most so many units less: a disc."""


@dataclass(frozen=True, eq=False)
class Book:
    """Values of positions in the opening.

    Args:
        values: by what `names_of` calls the positions.
        discs: the most discs of a position from which an action can be chosen.
    """

    values: Mapping[bytes, int]
    discs: int

    def actions(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """For each unfinished state one of the best actions, by the key; -1 where the book does not know all that follow (B,)."""
        actions = np.full(len(states), -1, np.int64)
        for row in np.flatnonzero(np.bitwise_count(states[:, 0] | states[:, 1]) <= self.discs):
            legal = EIGHT_BY_EIGHT.legal_actions(states[row])
            after = EIGHT_BY_EIGHT.plays(np.repeat(states[row][None], len(legal), axis=0), legal)
            found = [self.values.get(name) for name in names_of(after)]
            if None not in found:
                same = EIGHT_BY_EIGHT.players(after) == EIGHT_BY_EIGHT.player(states[row])
                worth = np.where(same, 1, -1) * np.array(found, np.int64)
                close = np.flatnonzero(worth >= worth.max() - CLOSE)
                actions[row] = legal[close[int(uniforms(keys[row : row + 1])[0] * len(close))]]
        return actions


def names_of(states: StateArray) -> list[bytes]:
    """A name for each state, the same for symmetric ones."""
    cells = EIGHT_BY_EIGHT.symmetries.cells
    turned = [EIGHT_BY_EIGHT.permuted(states, np.full(len(states), number)) for number in range(len(cells))]
    return [min(names) for names in zip(*([state.tobytes() for state in those] for those in turned), strict=True)]


@cache
def shipped() -> Book:
    """The book of this package."""
    with np.load(PLACE) as found:
        return of_arrays(found["positions"], found["values"])


def of_arrays(positions: StateArray, values: NDArray[np.integer]) -> Book:
    """The book of positions (N, 3) and their values (N,)."""
    known = dict(zip(names_of(positions), values.tolist(), strict=True))
    return Book(known, int(np.bitwise_count(positions[:, 0] | positions[:, 1]).max(initial=0)) - 1)
