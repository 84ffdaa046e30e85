"""`Samples`: the positions that a network learns from; the window of a trainer is such."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....envs.games.game import Game

PRUNINGS = ("oldest", "random")


@dataclass(frozen=True)
class Samples:
    """Positions of self-play with their targets, one a row.

    Args:
        states: the positions (N, W), uint64.
        policies: the policy of search, of sum 1 (N, A), float16.
        values: the value for the player to move (N,), float32.
    """

    states: NDArray[np.uint64]
    policies: NDArray[np.float16]
    values: NDArray[np.float32]

    @classmethod
    def none(cls, game: Game) -> Samples:
        """No samples."""
        return cls(np.zeros((0, game.num_words), np.uint64), np.zeros((0, game.num_actions), np.float16), np.zeros(0, np.float32))

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: Any) -> Samples:
        return Samples(self.states[rows], self.policies[rows], self.values[rows])

    def followed_by(self, *others: Samples) -> Samples:
        """These samples, and then others."""
        every = (self, *others)
        return Samples(*(np.concatenate([getattr(part, name) for part in every]) for name in NAMES))

    def pruned(self, most: int, how: str, draws: np.random.Generator) -> Samples:
        """At most a number of these samples.

        Args:
            most: the number.
            how: which samples go: the "oldest", or "random" ones.
            draws: the source of randomness.
        """
        surplus = len(self) - most
        if surplus <= 0:
            return self
        if how == "oldest":
            return self[surplus:]
        return self[np.sort(draws.choice(len(self), most, replace=False, shuffle=False))]

    def turned(self, game: Game, which: NDArray[np.int64]) -> Samples:
        """Each sample under the symmetry `which` (N,)."""
        policies = np.empty_like(self.policies)
        np.put_along_axis(policies, game.symmetries.actions[which].astype(np.int64), self.policies, axis=1)
        return Samples(game.permuted(self.states, which), policies, self.values)

    def arrays(self, prefix: str) -> dict[str, NDArray[Any]]:
        """The arrays, by names with a prefix."""
        return {prefix + name: getattr(self, name) for name in NAMES}

    @classmethod
    def of(cls, game: Game, arrays: Mapping[str, NDArray[Any]], prefix: str) -> Samples:
        """The samples of such arrays.

        Raises:
            KeyError: an array is missing.
            ValueError: the arrays do not fit this game.
        """
        found, none = cls(*(arrays[prefix + name] for name in NAMES)), cls.none(game)
        for name in NAMES:
            here, wanted = getattr(found, name), getattr(none, name)
            if here.dtype != wanted.dtype or here.shape[1:] != wanted.shape[1:] or len(here) != len(found):
                raise ValueError(
                    f"{prefix + name} is an array {here.shape} of {here.dtype}, which does not fit positions of {game}"
                )
        return found


NAMES = tuple(field.name for field in fields(Samples))
