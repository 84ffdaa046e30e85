"""`Samples`: the positions that a network learns from, such as the window of a trainer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.files.named_arrays import Arrays, check_arrays
from ....games.game import Game

PRUNINGS = ("oldest", "random")


@dataclass(frozen=True)
class Samples:
    """Positions with their targets, one a row.

    Args:
        states: the positions (N, W), uint64.
        policies: the policy of search, or of the oracle, of sum 1 (N, A), float16.
        values: the value for the player to move (N,), float32.
        endings: the positions that their games ended in (N, W), uint64; the positions themselves where no game was played.
    """

    states: NDArray[np.uint64]
    policies: NDArray[np.float16]
    values: NDArray[np.float32]
    endings: NDArray[np.uint64]

    @classmethod
    def none(cls, game: Game) -> Samples:
        """No samples."""
        states = np.zeros((0, game.num_words), np.uint64)
        return cls(states, np.zeros((0, game.num_actions), np.float16), np.zeros(0, np.float32), states.copy())

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: Any) -> Samples:
        return Samples(*(getattr(self, name)[rows] for name in NAMES))

    def concatenate(self, *others: Samples) -> Samples:
        """These samples, and others after them."""
        every = (self, *others)
        return Samples(*(np.concatenate([getattr(part, name) for part in every]) for name in NAMES))

    def prune(self, most: int, how: str, draws: np.random.Generator) -> Samples:
        """At most `most` of these samples; the "oldest" go, or "random" ones."""
        surplus = len(self) - most
        if surplus <= 0:
            return self
        if how == "oldest":
            return self[surplus:]
        return self[np.sort(draws.choice(len(self), most, replace=False, shuffle=False))]

    def permute(self, game: Game, which: NDArray[np.int64]) -> Samples:
        """The samples, each under a symmetry of the game, by number (N,)."""
        policies = np.empty_like(self.policies)
        np.put_along_axis(policies, game.symmetries.actions[which].astype(np.int64), self.policies, axis=1)
        return Samples(game.permuted(self.states, which), policies, self.values, game.permuted(self.endings, which))

    def arrays(self, prefix: str = "") -> Arrays:
        """The arrays, by names with a prefix."""
        return {prefix + name: getattr(self, name) for name in NAMES}

    @classmethod
    def of(cls, game: Game, arrays: Mapping[str, NDArray[Any]]) -> Samples:
        """The samples of such arrays; ValueError where they do not fit this game, or have different lengths."""
        check_arrays(arrays, cls.none(game).arrays(), NAMES)
        if len({len(array) for array in arrays.values()}) > 1:
            raise ValueError("the arrays of samples have different lengths")
        return cls(**arrays)


NAMES = tuple(field.name for field in fields(Samples))
