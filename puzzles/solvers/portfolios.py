"""The genetic algorithm for portfolios, with what only portfolios have: how genes become weights, and a fitness of their own.

The defaults begin with portfolios of a few stocks, mend each child so that enough stocks are held, and select by worth.
`preset=original` has the rules of the project that this puzzle grew from: it begins with a uniform number for each of 400 stocks,
makes what is below a tenth of an even share 0, draws one weight anew to mutate, and selects by a sum over stocks:

    max(0, Σ weight · (return - risk - 5 · max(risk - most_risk, 0)))

Crossed children that are not mutated stay as they are, and their weights need not make 1. They are selected as they are, and
one that keeps the rules as it is ends the search; what is reported is the portfolio that it becomes when divided by its sum. A
stock is held there if anything of it is left, which is a weight of 1 / 4000 or more: solve `portfolio:smallest=0.00025` with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...envs.settings.bounds import OneOf
from ..problems.portfolio import Portfolio
from ..problems.puzzle import Answers
from .genetic import Genetic
from .solver import Enough, Tally

PENALTY = 5.0
"""How many times the risk above the limit counts in the original's fitness."""


@dataclass(frozen=True)
class GeneticPortfolio(Genetic[Portfolio]):
    """A genetic algorithm for portfolios.

    Args:
        start: what it begins with: sparse, portfolios of a few stocks each, where every stock is in one; dense, a
            uniform number for each stock.
        repair: how children become portfolios: held, so many stocks as the rules want are held; threshold, what is below
            a tenth of an even share becomes 0, and the rest is divided by its sum; mutated, the same for mutated children only,
            and what others are worth as they are ends the search at `goal`.
        change: what a mutation changes: money, which goes from one stock to another; weight, that of one stock, which becomes
            a uniform number before the repair.
        fitness: what parents are selected by: worth; or original, return less risk less five times the risk that a stock has
            above the limit, summed over stocks by weight, and 0 at least.

    Raises:
        ValueError: a setting out of its range.
    """

    start: Annotated[str, OneOf("sparse", "dense")] = "sparse"
    repair: Annotated[str, OneOf("held", "threshold", "mutated")] = "held"
    change: Annotated[str, OneOf("money", "weight")] = "money"
    fitness: Annotated[str, OneOf("worth", "original")] = "worth"

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
            "repair": "mutated",
            "change": "weight",
            "fitness": "original",
        },
    }

    def tally(self, watch: Callable[[Tally], object] | None) -> Tally:
        if self.repair != "mutated":
            return super().tally(watch)
        return Uneven(self.puzzle, self.calls, self.goal, watch, self.patience)

    def drawn(self, draw: np.random.Generator) -> Answers:
        if self.start == "sparse":
            return super().drawn(draw)
        return self.portfolios(draw.random((self.population, self.puzzle.length)))

    def mended(self, answers: Answers) -> Answers:
        return answers if self.repair == "mutated" else self.portfolios(answers)

    def portfolios(self, answers: Answers) -> Answers:
        """Portfolios of genomes (B, L)."""
        return super().mended(answers) if self.repair == "held" else thresholded(answers)

    def mutated(self, answer: Answers, draw: np.random.Generator) -> Answers:
        if self.change == "money":
            return super().mutated(answer, draw)
        # weights are as large as their sum, and a crossed child is no portfolio yet
        other = self.mended(answer[None])[0].copy()
        other[draw.integers(len(other))] = draw.random()
        return self.portfolios(other[None])[0]

    def points(self, answers: Answers, worths: NDArray[np.float64]) -> NDArray[np.float64]:
        return worths if self.fitness == "worth" else merits(self.puzzle, answers)


class Uneven(Tally):
    """A tally of genomes whose weights need not make 1: it keeps the portfolios that they become when divided by their sums.

    A genome that as it is would be worth the goal ends the search.
    """

    def __init__(
        self,
        puzzle: Portfolio,
        most: int | None,
        goal: float | None,
        watch: Callable[[Tally], object] | None,
        patience: int | None,
    ) -> None:
        super().__init__(puzzle, most, None, watch, patience)
        self._goal_as_they_are = np.inf if goal is None else goal

    def worths(self, answers: Answers) -> NDArray[np.float64]:
        worths = super().worths(thresholded(answers))
        if self.puzzle.worths(answers).max() >= self._goal_as_they_are:
            raise Enough
        return worths


def thresholded(weights: Answers) -> Answers:
    """Weights (B, L), those below a tenth of an even share made 0, and then made 1 in all."""
    kept = np.where(weights < weights.sum(axis=1, keepdims=True) / (10 * weights.shape[1]), 0.0, weights)
    return kept / kept.sum(axis=1, keepdims=True)


def merits(puzzle: Portfolio, answers: Answers) -> NDArray[np.float64]:
    """The original's fitness of portfolios (B,)."""
    _, risk, earned = puzzle.table
    return np.maximum(answers @ (earned - risk - PENALTY * np.maximum(risk - puzzle.most_risk, 0)), 0)
