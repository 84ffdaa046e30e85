"""`gym.make("ludus/SetCover-v0", items=20)`: an action takes a set, until all items are covered.

The reward is minus the cost of the set, so that an episode's rewards add up to the worth of its cover. A set that covers nothing
new is illegal: taking it ends the episode, and costs as much as all sets together, more than any cover.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ...envs.views import action_number
from ..problems.setcover import SetCover
from .env import Info, PuzzleEnv

Observation = dict[str, NDArray[np.int8]]


class SetCoverEnv(PuzzleEnv[Observation, np.int64]):
    """Set covering as an environment.

    An observation is `Dict(observation, action_mask)`: which items are missing (N,), and which sets cover one of them (S,), both
    int8; when all are covered the mask is all ones. `info["action_mask"]` is a copy, `info["cost"]` what has been paid.
    """

    name: ClassVar[str] = "setcover"
    puzzle: SetCover

    def __init__(self, puzzle: Any = None, *, render_mode: str | None = None, **settings: Any) -> None:
        super().__init__(puzzle, render_mode=render_mode, **settings)
        parts = {"observation": self.puzzle.items, "action_mask": self.puzzle.length}
        self.observation_space = spaces.Dict({name: spaces.Box(0, 1, (size,), np.int8) for name, size in parts.items()})  # pyright: ignore[reportAttributeAccessIssue]
        self.action_space = spaces.Discrete(self.puzzle.length)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Takes a set.

        Raises:
            AssertionError: the action is not in the action space.
            gymnasium.error.ResetNeeded: before the first reset, or after the end.
        """
        chosen = action_number(action, self.puzzle.length)
        self._need_reset()
        illegal = not (self._missing & self.puzzle.member[chosen]).any()
        cost = float(self.puzzle.costs.sum() if illegal else self.puzzle.costs[chosen])
        self.taken[chosen] = True
        self._missing &= ~self.puzzle.member[chosen]
        self._cost += cost
        self._over = illegal or not self._missing.any()
        return self._observation(), -cost, self._over, False, self._info() | {"illegal": illegal}

    def action_masks(self) -> NDArray[np.bool_]:
        """The sets that cover something missing (S,), in the form of sb3-contrib; all ones when nothing is missing."""
        return (
            np.any(self.puzzle.member[:, self._missing], axis=1) if self._missing.any() else np.ones(self.puzzle.length, np.bool_)
        )

    def _begin(self) -> None:
        self.taken = np.zeros(self.puzzle.length, np.bool_)
        self._missing = np.ones(self.puzzle.items, np.bool_)
        self._cost = 0.0

    def _observation(self) -> Observation:
        return {"observation": self._missing.astype(np.int8), "action_mask": self.action_masks().astype(np.int8)}

    def _info(self) -> Info:
        return {"action_mask": self.action_masks().astype(np.int8), "cost": self._cost}

    def _line(self) -> str:
        missing = int(self._missing.sum())
        return f"{self.puzzle.describe(self.taken)}; {missing} of {self.puzzle.items} items missing, cost {self._cost:g}"
