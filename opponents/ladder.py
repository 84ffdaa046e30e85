"""`Ladder`: opponents of rising strength; the next one joins when the learner beats the last often enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ..core.bounds import check
from ..core.files.named_arrays import Arrays
from ..core.numbers import Range
from ..games.game import Game
from .pool import Pool, list_members


class Ladder(Pool):
    """Opponents of rising strength. Those that have been reached share the games equally, so that old ones are not forgotten.

    Args:
        game: the game or its spec.
        policies: 1 or more, the weakest first; each as for `Mixture`.
        mastered: the share of the points against the newest opponent at which the next one joins: more than 0, at most 1. A draw
            is half a point.
        enough: the least number of games against it before the next one joins: 1 to 500, since the pool counts about the last
            thousand.
        name: what it is called where it is a member of another pool.

    Raises:
        ValueError: one of them is not a policy of this game; a number is out of its range.
    """

    def __init__(
        self,
        game: str | Game,
        policies: Sequence[Any] | Mapping[str, Any],
        *,
        mastered: float = 0.8,
        enough: int = 200,
        name: str = "ladder",
    ) -> None:
        super().__init__(game, name)
        check(mastered, "mastered", Annotated[float, Range(above=0, most=1)])
        check(enough, "enough", Annotated[int, Range(1, 500)])
        self.mastered, self.enough = mastered, enough
        self.reached = 1
        """The number of opponents that the learner meets so far."""
        for title, policy in list_members(policies, "a ladder"):
            self._members.append(self._member(policy, title))

    @property
    def weights(self) -> NDArray[np.float64]:
        return (np.arange(len(self._members)) < self.reached).astype(np.float64)

    def follow_results(self) -> None:
        last = self._members[self.reached - 1]
        if last.games >= self.enough and last.share >= self.mastered:
            self.reached = min(self.reached + 1, len(self._members))

    def state(self) -> Arrays:
        return {**super().state(), "reached": np.array([self.reached])}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        reached = int(state["reached"][0])
        if not 1 <= reached <= len(self._members):
            raise ValueError(f"the state has reached opponent {reached}; {self.name} has {len(self._members)}")
        super().restore(state)
        self.reached = reached
