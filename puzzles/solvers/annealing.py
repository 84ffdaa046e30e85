"""Simulated annealing: steps to answers beside the present one, worse ones too as long as it is hot.

A step that costs d in worth is taken with the probability exp(-d / T); the temperature T falls from `hot` to `cold`, by the same
share at each call that is left when the attempt begins. Source: Kirkpatrick, Gelatt, Vecchi: Optimization by simulated annealing,
Science 220 (1983).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import Annotated, ClassVar

import numpy as np

from ...envs.settings.numbers import Range
from ..problems.puzzle import Answers, Puzzle
from .solver import Searcher, Tally

TRIED = 20
"""So many answers are drawn to begin with, and so many steps tried to find out what is hot."""


@dataclass(frozen=True)
class Annealing(Searcher[Puzzle]):
    """Simulated annealing.

    Args:
        hot: the temperature at the beginning, in units of worth; none: what twenty steps from the best of twenty answers drawn at
            random change, in the mean.
        cold: that at the end, as a share of the first.

    Raises:
        ValueError: a temperature that is not above 0, or a share that is not below 1.
    """

    hot: Annotated[float, Range(above=0)] | None = None
    cold: Annotated[float, Range(above=0, below=1)] = 1e-3

    name: ClassVar[str] = "annealing"

    def search(self, tally: Tally, seed: int) -> None:
        draw = np.random.default_rng(seed)
        tally.count_generations(1)
        first = self.puzzle.drawn(draw, TRIED)
        worths = tally.worths(first)
        answer, worth = first[worths.argmax()], float(worths.max())
        hot = self.hot or self._step(answer, worth, tally, draw) or 1.0
        while True:
            tally.counts["generations"] += 1
            temperature = hot * self.cold ** ((tally.calls - tally.begun) / (self.calls - tally.begun))
            other = self.puzzle.near(answer, draw)
            reached = tally.worth(other)
            if reached >= worth or draw.random() < exp((reached - worth) / temperature):
                answer, worth = other, reached

    def _step(self, answer: Answers, worth: float, tally: Tally, draw: np.random.Generator) -> float:
        """How much a step from an answer changes what it is worth, in the mean."""
        beside = np.array([self.puzzle.near(answer, draw) for _ in range(TRIED)])
        return float(np.abs(tally.worths(beside) - worth).mean())
