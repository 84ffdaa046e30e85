"""`gym.make("ludus/BitString-v0", order=2)`: an action is a whole string, a step is a call of the black box.

Both the reward and the observation are the worth of the string: a black box reveals nothing else. An episode ends with the
perfect string, or after `calls` steps (truncated).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ...core.numbers import whole
from ..problems.bitstring import BitString
from .env import Info, PuzzleEnv

Bits = NDArray[np.int8]
Value = NDArray[np.float64]


class BitStringEnv(PuzzleEnv[Value, Bits]):
    """A black box over bit strings as an environment.

    An action is a string (L,) of zeros and ones, int8; an observation is the value of the last string (1,), float64, 0 before the
    first. `info["calls"]` counts the strings, `info["best"]` is the highest value so far.

    Args:
        puzzle, render_mode, settings: see `PuzzleEnv`.
        calls: the maximum number of steps of an episode.
    """

    name: ClassVar[str] = "bitstring"
    puzzle: BitString

    def __init__(self, puzzle: Any = None, *, calls: int = 30_000, render_mode: str | None = None, **settings: Any) -> None:
        super().__init__(puzzle, render_mode=render_mode, **settings)
        self.observation_space = spaces.Box(-1.0, 1.0, (1,), np.float64)
        self.action_space = spaces.MultiBinary(self.puzzle.bits)
        self._limit = whole(calls, "calls", 1)

    def step(self, action: Any) -> tuple[Value, float, bool, bool, Info]:
        """Calls the black box.

        Raises:
            ValueError: the action is not a string of the puzzle's length.
            gymnasium.error.ResetNeeded: before the first reset, or after the end.
        """
        self._need_reset()
        self._value = self.puzzle.worth(action)
        self._calls += 1
        self._best = max(self._best, self._value)
        perfect = self._value >= BitString.best
        truncated = not perfect and self._calls == self._limit
        self._over = perfect or truncated
        return self._observation(), self._value, perfect, truncated, self._info()

    def _begin(self) -> None:
        self._calls, self._value, self._best = 0, 0.0, -1.0

    def _observation(self) -> Value:
        return np.array([self._value])

    def _info(self) -> Info:
        return {"calls": self._calls, "best": self._best}

    def _line(self) -> str:
        return f"{self._calls} calls, best value {self._best:.6g}"
