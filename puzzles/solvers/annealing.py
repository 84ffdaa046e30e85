"""Simulated annealing: steps to answers near the current one, to worse ones too while the temperature is high.

A step that costs d in worth is taken with the probability exp(-d / T). The temperature T falls from `hot` to `cold`, by the same
factor at each call that is left when the attempt begins. Source: Kirkpatrick, Gelatt, Vecchi: Optimization by simulated annealing,
Science 220 (1983).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import Annotated, ClassVar

import numpy as np

from ...core.numbers import Range
from ..problems.puzzle import Puzzle
from .solver import SearchSolver, Tally

TRIALS = 20
"""The number of random answers to begin with, and of steps from which the first temperature is estimated."""


@dataclass(frozen=True)
class Annealing(SearchSolver[Puzzle]):
    """Simulated annealing.

    Args:
        hot: the first temperature, in units of worth; none: the mean change of worth in twenty steps from the best of twenty
            random answers.
        cold: the last temperature, as a share of the first.
    """

    hot: Annotated[float, Range(above=0)] | None = None
    cold: Annotated[float, Range(above=0, below=1)] = 1e-3

    name: ClassVar[str] = "annealing"

    def attempt(self, tally: Tally, seed: int) -> None:
        draw = np.random.default_rng(seed)
        tally.count_generations(1)
        first = self.puzzle.draw_answers(draw, TRIALS)
        worths = tally.worths(first)
        answer, worth, hot = first[worths.argmax()], float(worths.max()), self.hot
        if hot is None:
            neighbours = np.array([self.puzzle.neighbour(answer, draw) for _ in range(TRIALS)])
            hot = float(np.abs(tally.worths(neighbours) - worth).mean()) or 1.0
        while True:
            tally.counts["generations"] += 1
            temperature = hot * self.cold ** ((tally.calls - tally.attempt_start) / (self.calls - tally.attempt_start))
            other = self.puzzle.neighbour(answer, draw)
            reached = tally.worth(other)
            if reached >= worth or draw.random() < exp((reached - worth) / temperature):
                answer, worth = other, reached
