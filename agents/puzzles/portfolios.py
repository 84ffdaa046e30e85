"""The genetic algorithm for portfolios, with what only portfolios have: how genes become weights, and a fitness of their own.

The defaults begin with portfolios of a few stocks, mend each child so that enough stocks are held, and select by worth.
`preset=original` has the rules of the project that this puzzle grew from: it begins with a uniform number for each of 400 stocks,
makes what is below a tenth of an even share 0, draws one weight anew to mutate, and selects by a sum over stocks:

    max(0, Σ weight · (return - risk - 5 · max(risk - most_risk, 0)))

Crossed children are divided by their sums, too, so that every answer is a portfolio. A stock is held there if anything of it is
left, which is a weight of 1 / 4000 or more: solve `portfolio:smallest=0.00025` with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...envs.puzzles import Answers
from ...envs.puzzles.portfolio import Portfolio
from .genetic import Genetic

CHOICES = {
    "start": ("sparse", "dense"),
    "repair": ("held", "threshold"),
    "change": ("money", "weight"),
    "fitness": ("worth", "original"),
}
PENALTY = 5.0
"""How many times the risk above the limit counts in the original's fitness."""


@dataclass(frozen=True)
class GeneticPortfolio(Genetic[Portfolio]):
    """A genetic algorithm for portfolios.

    Args:
        start: what it begins with: sparse, portfolios of a few stocks each, where every stock is in one; dense, a
            uniform number for each stock.
        repair: how children become portfolios: held, so many stocks as the rules want are held; threshold, what is below
            a tenth of an even share becomes 0, and the rest is divided by its sum.
        change: what a mutation changes: money, which goes from one stock to another; weight, that of one stock, which becomes
            a uniform number before the repair.
        fitness: what parents are selected by: worth; or original, return less risk less five times the risk that a stock has
            above the limit, summed over stocks by weight, and 0 at least.

    Raises:
        ValueError: a setting out of its range.
    """

    start: str = "sparse"
    repair: str = "held"
    change: str = "money"
    fitness: str = "worth"

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "original": {
            "population": 700,
            "carry": 70,
            "crossing": 0.6,
            "mutation": 0.1,
            "crossover": "one_point",
            "generations": 1000,
            "calls": 10_000_000,
            "goal": Portfolio.least,
            "start": "dense",
            "repair": "threshold",
            "change": "weight",
            "fitness": "original",
        },
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise ValueError(f"{name} is {getattr(self, name)!r}; there are: {', '.join(choices)}")

    def drawn(self, draw: np.random.Generator) -> Answers:
        if self.start == "sparse":
            return super().drawn(draw)
        return self.mended(draw.random((self.population, self.puzzle.length)))

    def mended(self, answers: Answers) -> Answers:
        return super().mended(answers) if self.repair == "held" else thresholded(answers)

    def mutated(self, answer: Answers, draw: np.random.Generator) -> Answers:
        if self.change == "money":
            return super().mutated(answer, draw)
        other = self.mended(answer[None])[0]  # a crossed one is no portfolio yet, and weights are as large as their sum
        other[draw.integers(len(other))] = draw.random()
        return other

    def points(self, answers: Answers, worths: NDArray[np.float64]) -> NDArray[np.float64]:
        return worths if self.fitness == "worth" else merits(self.puzzle, answers)


def thresholded(weights: Answers) -> Answers:
    """Weights (B, L), those below a tenth of an even share made 0, and then made 1 in all."""
    kept = np.where(weights < weights.sum(axis=1, keepdims=True) / (10 * weights.shape[1]), 0.0, weights)
    return kept / kept.sum(axis=1, keepdims=True)


def merits(puzzle: Portfolio, answers: Answers) -> NDArray[np.float64]:
    """The original's fitness of portfolios (B,)."""
    _, risk, earned = puzzle.table
    return np.maximum(answers @ (earned - risk - PENALTY * np.maximum(risk - puzzle.most_risk, 0)), 0)
