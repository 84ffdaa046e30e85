"""`gym.make("ludus/Portfolio-v0")`: one action, the weights of all stocks, and the episode is over.

Weights are divided by their sum. The reward is the worth of the portfolio: its return if it keeps the rules, otherwise minus what
it lacks.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ..problems.portfolio import Portfolio
from .env import Info, PuzzleEnv

Table = NDArray[np.float64]


class PortfolioEnv(PuzzleEnv[Table, NDArray[np.float64]]):
    """A portfolio as an environment.

    An observation is the risk and the return of each stock (L, 2), float64; an action the weight of each (L,), from 0 to 1, not
    all 0. `info["feasible"]` says whether the last portfolio kept the rules, `info["weights"]` what it was.
    """

    name: ClassVar[str] = "portfolio"
    puzzle: Portfolio

    def __init__(self, puzzle: Any = None, *, render_mode: str | None = None, **settings: Any) -> None:
        super().__init__(puzzle, render_mode=render_mode, **settings)
        table = self._observation()
        self.observation_space = spaces.Box(table.min(), table.max(), table.shape, np.float64)
        self.action_space = spaces.Box(0.0, 1.0, (self.puzzle.length,), np.float64)

    def step(self, action: Any) -> tuple[Table, float, bool, bool, Info]:
        """Buys a portfolio.

        Raises:
            ValueError: a weight is not from 0 to 1, all are 0, or their number is not that of the stocks.
            gymnasium.error.ResetNeeded: before the first reset, or after the end.
        """
        self._need_reset()
        weights = self.puzzle.shares(action)
        if weights.max() > 1:
            raise ValueError(f"the weight of stock {weights.argmax()} is {weights.max()}; it must be from 0 to 1")
        if not weights.any():
            raise ValueError("all weights are 0; at least one must be more than 0")
        self._weights = weights / weights.sum()
        self._worth = float(self.puzzle.worths(self._weights[None])[0])
        self._over = True
        return self._observation(), self._worth, True, False, self._info()

    def _begin(self) -> None:
        self._weights, self._worth = np.zeros(self.puzzle.length), -1.0

    def _observation(self) -> Table:
        return np.stack([self.puzzle.table.risk, self.puzzle.table.earned], axis=1)

    def _info(self) -> Info:
        return {"feasible": self._worth >= self.puzzle.least, "weights": self._weights.copy()}

    def _line(self) -> str:
        return self.puzzle.describe(self._weights) if self._weights.any() else "nothing is bought yet"
