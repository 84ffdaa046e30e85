"""`GameLines`: how positions came about. Where their games began, and every move since then."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .game import StateArray


class GameLines(NamedTuple):
    """The lines of B games up to now.

    Args:
        starts: where the games began (B, W), uint64: the start of the game, or the position that they were set up from.
        moves: the actions since then (B, L), int16, -1 after the last: those of both players and of a random opening.
    """

    starts: StateArray
    moves: NDArray[np.int16]

    @classmethod
    def without_moves(cls, states: StateArray) -> GameLines:
        """Positions of which nothing is known but what is on the board: each counts as where its game began."""
        return cls(states, np.zeros((len(states), 0), np.int16))

    @classmethod
    def of(cls, start: StateArray, actions: ArrayLike) -> GameLines:
        """The line of one game, from its first state (W,) and its actions."""
        return cls(start[None], np.array(actions, np.int16)[None])

    @classmethod
    def up_to(cls, starts: StateArray, moves: NDArray[np.int16], lengths: NDArray[np.int64]) -> GameLines:
        """The lines of games of which only the first `lengths` (B,) moves count; what follows them is left out."""
        within = np.arange(int(lengths.max(initial=0))) < lengths[:, None]
        return cls(starts, np.where(within, moves[:, : within.shape[1]], np.int16(-1)))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many moves each line has (B,)."""
        return (self.moves >= 0).sum(axis=1)

    def rows(self, which: NDArray[np.int64] | slice) -> GameLines:
        """Some of the lines."""
        return GameLines(self.starts[which], self.moves[which])
