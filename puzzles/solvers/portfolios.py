"""The genetic algorithm for portfolios: how genes become weights, and a fitness of its own.

By default it begins with portfolios of a few stocks, repairs each child so that enough stocks are held, and selects by worth.
`preset=original` has the rules of the project that this puzzle comes from: it begins with a uniform number for each of 400 stocks,
sets weights below a tenth of an even share to 0, draws one weight anew to mutate, and selects by a sum over stocks:

    max(0, Σ weight · (return - risk - 5 · max(risk - most_risk, 0)))

Crossed children that are not mutated are not repaired, so that their weights need not add up to 1. They are selected so, and
the search ends if such a child keeps the rules; the result is the portfolio that it becomes when divided by its sum. In the
original a stock is held if its weight is not 0, which means 1 / 4000 or more: solve `portfolio:smallest=0.00025` with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.bounds import OneOf
from ..problems.portfolio import Portfolio
from ..problems.puzzle import Answers
from .genetic import GeneticSolver
from .solver import Enough, Tally, Watch

PENALTY = 5.0
"""The weight of the risk above the limit in the original's fitness."""


@dataclass(frozen=True)
class GeneticPortfolio(GeneticSolver[Portfolio]):
    """A genetic algorithm for portfolios.

    Args:
        start: what it begins with: sparse, portfolios of a few stocks each, where every stock is in one; dense, a
            uniform number for each stock.
        repair: how children become portfolios: held, as many stocks as the rules require are held; threshold, weights below
            a tenth of an even share become 0, and the rest is divided by its sum; mutated, as with threshold, but mutated
            children only: the others stay unrepaired, and the search ends if one of them reaches `goal`.
        change: how an answer is mutated: money goes from one stock to another; or the weight of one stock becomes a
            uniform number before the repair.
        fitness: what parents are selected by: worth; or original, return minus risk minus five times the risk of a stock above
            the limit, summed over stocks by weight, and at least 0.
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

    def tally(self, watch: Watch | None) -> Tally:
        return Tally(self.puzzle, self.calls, None if self.repair == "mutated" else self.goal, watch, self.patience)

    def worths(self, answers: Answers, tally: Tally) -> NDArray[np.float64]:
        if self.repair != "mutated":
            return super().worths(answers, tally)
        worths = tally.worths(cut_small_weights(answers))  # the result of the search must be a portfolio, its weights add up to 1
        if self.goal is not None and self.puzzle.worths(answers).max() >= self.goal:
            raise Enough
        return worths

    def draw_population(self, draw: np.random.Generator) -> Answers:
        if self.start == "sparse":
            return super().draw_population(draw)
        return self.portfolios(draw.random((self.population, self.puzzle.length)))

    def mend(self, answers: Answers) -> Answers:
        return answers if self.repair == "mutated" else self.portfolios(answers)

    def portfolios(self, answers: Answers) -> Answers:
        """Portfolios of genomes (B, L)."""
        return super().mend(answers) if self.repair == "held" else cut_small_weights(answers)

    def mutate_answer(self, answer: Answers, draw: np.random.Generator) -> Answers:
        if self.change == "money":
            return super().mutate_answer(answer, draw)
        # a uniform weight means the same in each answer only if all add up to 1; a crossed child may not, in the original even here
        other = self.mend(answer[None])[0].copy()
        other[draw.integers(len(other))] = draw.random()
        return self.portfolios(other[None])[0]

    def points(self, answers: Answers, worths: NDArray[np.float64]) -> NDArray[np.float64]:
        return worths if self.fitness == "worth" else merits(self.puzzle, answers)


def cut_small_weights(weights: Answers) -> Answers:
    """Weights (B, L), with 0 for those below a tenth of an even share, divided by their sum."""
    kept = np.where(weights < weights.sum(axis=1, keepdims=True) / (10 * weights.shape[1]), 0.0, weights)
    return kept / kept.sum(axis=1, keepdims=True)


def merits(puzzle: Portfolio, answers: Answers) -> NDArray[np.float64]:
    """The original's fitness of portfolios (B,)."""
    _, risk, earned = puzzle.table
    return np.maximum(answers @ (earned - risk - PENALTY * np.maximum(risk - puzzle.most_risk, 0)), 0)
