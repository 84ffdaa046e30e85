"""`Mixture`: opponents that share the games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.numbers import short_repr
from ..games.game import Game
from .pool import Pool, list_members


class Mixture(Pool):
    """Opponents that share the games, equally or by weights.

    Args:
        game: the game or its spec.
        policies: 1 or more, each a spec, a policy, a function, a model, a torch module, or a pool; in a dict, by their names.
            A torch module plays with its current weights: one that is still trained changes the opponent too.
        weights: how likely each is drawn, up to a factor: 0 or more, not all 0; None for equal shares.
        name: what it is called where it is a member of another pool.

    Raises:
        ValueError: one of them is not a policy of this game; the weights are not one number a policy.
    """

    def __init__(
        self,
        game: str | Game,
        policies: Sequence[Any] | Mapping[str, Any],
        weights: Sequence[float] | None = None,
        *,
        name: str = "mixture",
    ) -> None:
        super().__init__(game, name)
        for title, policy in list_members(policies, "a mixture"):
            self._members.append(self._member(policy, title))
        self._weights = np.ones(len(self._members)) if weights is None else np.array(weights, np.float64)
        fits = self._weights.shape == (len(self._members),) and np.isfinite(self._weights).all() and (self._weights >= 0).all()
        if not fits or not self._weights.any():
            count = len(self._members)
            raise ValueError(f"weights are {short_repr(weights)}; there must be {count}, each 0 or more, and not all 0")

    @property
    def weights(self) -> NDArray[np.float64]:
        return self._weights
