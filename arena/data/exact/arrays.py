"""`ManyPositions`: positions with exact values as arrays, ready to train on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....core.files.named_arrays import Arrays, check_arrays
from ....core.numbers import short_repr
from ....games.game import Game, StateArray


@dataclass(frozen=True, eq=False, repr=False)
class ManyPositions(Sequence[Any]):
    """Positions with the value of every action, one a row; a sequence of dicts, as a data loader takes them.

    Args:
        game: the game and variant.
        states: the words of each position (N, W), uint64.
        planes: what the player to move sees (N, C, H, W), int8.
        masks: 1 for each legal action (N, A), int8.
        values: 1 won, 0 drawn, -1 lost for the player to move (N,), int8.
        distances: plies to the end with perfect play; -1 in draws, and where they are not known (N,), int16.
        move_values: the value of each action for who takes it; 2 where it is not legal (N, A), int8.
        move_distances: the plies to the end, the action counted; -1 as above, and where it is not legal (N, A), int16.
        move_scores: the score of each action; 0 where it is not legal (N, A), int16. None where scores are not known.
        plies: plies from the start of the game (N,), int16.
        strata: the number of each position's stratum in `STRATA`, positions that are equally hard (N,), int8.
        test: whether a position is for testing (N,), bool.
    """

    game: Game
    states: StateArray
    planes: NDArray[np.int8]
    masks: NDArray[np.int8]
    values: NDArray[np.int8]
    distances: NDArray[np.int16]
    move_values: NDArray[np.int8]
    move_distances: NDArray[np.int16]
    move_scores: NDArray[np.int16] | None
    plies: NDArray[np.int16]
    strata: NDArray[np.int8]
    test: NDArray[np.bool_]

    @classmethod
    def from_arrays(cls, game: Game, arrays: Mapping[str, Any]) -> ManyPositions:
        """The positions of arrays by their names; ValueError where names, types or shapes are others. What they hold is not
        checked."""
        states = arrays.get("states")
        count = len(states) if isinstance(states, np.ndarray) and states.ndim else 0
        row, table = (count,), (count, game.num_actions)
        wanted = {
            "states": np.empty((count, game.num_words), np.uint64),
            "planes": np.empty((count, *game.shape), np.int8),
            "masks": np.empty(table, np.int8),
            "values": np.empty(row, np.int8),
            "distances": np.empty(row, np.int16),
            "move_values": np.empty(table, np.int8),
            "move_distances": np.empty(table, np.int16),
            "move_scores": np.empty(table, np.int16),
            "plies": np.empty(row, np.int16),
            "strata": np.empty(row, np.int8),
            "test": np.empty(row, np.bool_),
        }
        check_arrays(arrays, wanted, comes=("move_scores",))
        known: dict[str, Any] = {"move_scores": None, **arrays}
        return cls(game=game, **known)

    @property
    def arrays(self) -> Arrays:
        """The arrays by their names."""
        return {name: array for name, array in vars(self).items() if isinstance(array, np.ndarray)}

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        tests = int(self.test.sum())
        return f"<{len(self):,} positions of {self.game}: {len(self) - tests:,} for training and {tests:,} for testing>"

    def __getitem__(self, row: Any) -> Any:
        """A position as a dict of its arrays and numbers, or the positions of a slice."""
        if isinstance(row, slice):
            return self.select(np.arange(len(self))[row])
        if not -len(self) <= row < len(self):
            raise IndexError(f"there are {len(self):,} positions, numbered from 0; no position {row}")
        return {name: array[row] for name, array in self.arrays.items()}

    def select(self, rows: ArrayLike) -> ManyPositions:
        """Some of the positions, by their numbers or a mask."""
        chosen = np.asarray(rows)
        return ManyPositions.from_arrays(self.game, {name: array[chosen] for name, array in self.arrays.items()})

    def split(self, name: str) -> ManyPositions:
        """The positions for `train` or for `test`; ValueError for another name."""
        if name not in ("train", "test"):
            raise ValueError(f"there is no split {short_repr(name)}; positions are for train or for test")
        return self.select(self.test == (name == "test"))
