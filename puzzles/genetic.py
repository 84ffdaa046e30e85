"""Genetic algorithms, one for any puzzle and others for strings and portfolios; breeding is that of baselines/evolution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import deap  # noqa: F401  # pyright: ignore[reportUnusedImport]  its operators breed
import numpy as np
from numpy.typing import NDArray

from ..baselines.evolution.breeding import SELECTIONS, BreedingSettings, breed, cross, select
from ..baselines.evolution.contest import seed_global_random
from ..core.bounds import Count, OneOf, Share
from ..core.numbers import Range
from .bitstring import BitString
from .portfolio import Portfolio
from .puzzle import Answers
from .solver import Enough, P, SearchSolver, Tally, Watch


class RankedAnswers(NamedTuple):
    """Answers with their fitness, the fittest first.

    Args:
        genes: its answers (N, L).
        points: their fitness (N,).
    """

    genes: Answers
    points: NDArray[np.float64]


@dataclass(frozen=True)
class GeneticSolver(BreedingSettings, SearchSolver[P]):
    """A genetic algorithm for any puzzle.

    In each generation parents are selected, and have children, each a mutated parent (an answer near it) or a cross of two,
    repaired where it breaks a rule. The best of the children and of `elites` parents are the next generation.

    Args:
        crossing: the probability that a pair of parents is crossed; each of its two children is then mutated or not. None: a
            child that is not mutated is a cross.
        elites: the number of parents that may stay; none: all.
        carry: the number of the best parents that stay, however good the children are, which make up the rest of the population.
            It replaces `elites` and `offspring`.
        generations: the number of generations; none: until there are no calls left.
    """

    population: Annotated[int, Range(2)] = 100
    offspring: Count = 100
    mutation: Share = 0.5
    selection: Annotated[str, OneOf(*SELECTIONS)] = "rank"
    tournament: Count = 2
    crossing: Share | None = None
    elites: Annotated[int, Range(0)] | None = 10
    carry: Annotated[int, Range(0)] | None = None
    generations: Count | None = None

    name: ClassVar[str] = "genetic"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.carry is not None and self.carry >= self.population:
            raise ValueError(f"carry is {self.carry}; it must be less than the population of {self.population}")
        if not self.population - self.num_children <= self.num_survivors <= self.population:
            raise ValueError(
                f"elites is {self.elites}; with the {self.offspring} children they must fill a population of {self.population}"
                " and be no more than it"
            )

    @property
    def num_survivors(self) -> int:
        """The number of parents that may stay."""
        return self.carry if self.carry is not None else self.population if self.elites is None else self.elites

    @property
    def num_children(self) -> int:
        """The number of children in a generation."""
        return self.offspring if self.carry is None else self.population - self.carry

    def search(self, tally: Tally, seed: int) -> None:
        draw = np.random.default_rng(seed)
        tally.count_generations(self.population)
        with seed_global_random(seed):
            genes = self.draw_population(draw)
            parents = self._rank(genes, self.evaluate(genes, tally))
            while tally.counts["generations"] != self.generations:
                tally.counts["generations"] += 1
                children = self.breed_children(parents, draw)
                genes = np.concatenate([children, parents.genes[: self.num_survivors]])
                points = np.concatenate([self.evaluate(children, tally), parents.points[: self.num_survivors]])
                parents = self._rank(genes, points)

    def draw_population(self, draw: np.random.Generator) -> Answers:
        """The answers that a population begins with (N, L)."""
        return self.puzzle.draw_answers(draw, self.population)

    def breed_children(self, parents: RankedAnswers, draw: np.random.Generator) -> Answers:
        """The children of a population."""

        def mutate(genome: list[Any]) -> None:
            genome[:] = self.mutate_answer(np.array(genome, self.puzzle.dtype), draw).tolist()

        points = parents.points - parents.points[-1]  # selection in proportion to fitness needs points of 0 or more
        return self.mend(breed(self, mutate, parents.genes, points, self.num_children, self.crossing))

    def mend(self, answers: Answers) -> Answers:
        """Repairs answers (B, L) that breeding left invalid."""
        return self.puzzle.mend(answers)

    def mutate_answer(self, answer: Answers, draw: np.random.Generator) -> Answers:
        """A mutated answer."""
        return self.puzzle.neighbour(answer, draw)

    def evaluate(self, answers: Answers, tally: Tally) -> NDArray[np.float64]:
        """The fitness of answers (B,), a call each."""
        return tally.worths(answers)

    def _rank(self, genes: Answers, points: NDArray[np.float64]) -> RankedAnswers:
        """The fittest of some answers; of equals the first, so that children come before parents."""
        rows = np.argsort(-points, kind="stable")[: self.population]
        return RankedAnswers(genes[rows], points[rows])


@dataclass(frozen=True)
class GeneticString(GeneticSolver[BitString]):
    """A genetic algorithm for bit strings.

    Args:
        by: what strings are selected by: fitness, their worth; or ones, their number of ones, for comparison: then the puzzle is
            no longer a black box, and where the perfect string is hidden the search goes astray.
    """

    by: Annotated[str, OneOf("fitness", "ones")] = "fitness"

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        # the calls were not published: after 15,000, strings of order 1 are worth what was reported
        "original": {"population": 100, "calls": 15_000},
    }

    def evaluate(self, answers: Answers, tally: Tally) -> NDArray[np.float64]:
        worths = tally.worths(answers)
        return worths if self.by == "fitness" else answers.sum(axis=1).astype(np.float64)


@dataclass(frozen=True)
class LocalSearch(GeneticString):
    """An evolutionary local search for the bit string: a few strings, and children near them.

    A child begins as a copy of a parent; its bits are *reordered*, one bit is flipped, and it is *crossed* with a second parent.
    Reordering keeps the number of ones. A reordered copy of a good string, crossed with that string, moves many bits at once and
    has nearly the same number of ones, somewhat more or fewer. So the search is fast where the perfect string is all ones, and
    slow where it is `hidden`; there, annealing and probe do better.

    Args:
        reorder: the probability of the first step, that a child's bits are reordered.
        mutation: the probability of the second step, that one of its bits is flipped.
        crossing: the probability of the third step, that it is crossed with a second parent.
    """

    population: Annotated[int, Range(2)] = 2
    offspring: Count = 1
    mutation: Share = 0.1
    selection: Annotated[str, OneOf(*SELECTIONS)] = "tournament"
    share: Share = 0.6
    crossing: Share = 1.0
    elites: Annotated[int, Range(0)] | None = None
    reorder: Share = 1.0

    name: ClassVar[str] = "local"
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "original": {
            "population": 300,
            "offspring": 30,
            "generations": 1000,
            "calls": 300 + 1000 * 30,
            "tournament": 300,
            "mutation": 1.0,
            "crossover": "subset",
        },
    }

    def breed_children(self, parents: RankedAnswers, draw: np.random.Generator) -> Answers:
        chosen = [parents.genes[row] for row in select(self, parents.points - parents.points[-1], 2 * self.num_children)]
        return np.array([self.child(*pair, draw) for pair in zip(chosen[::2], chosen[1::2], strict=True)])

    def child(self, parent: Answers, other: Answers, draw: np.random.Generator) -> Answers:
        """A child (L,) of two parents (L,); crossover draws from Python's global generator."""
        child = parent.copy()
        if draw.random() < self.reorder:
            child[:] = draw.permutation(child)
        if draw.random() < self.mutation:
            child[draw.integers(len(child))] ^= True
        if draw.random() < self.crossing:
            genome = child.tolist()
            cross(self, genome, other.tolist())  # changes `genome`
            child[:] = genome
        return child


PENALTY = 5.0
"""The weight of the risk above the limit in the original's fitness."""


@dataclass(frozen=True)
class GeneticPortfolio(GeneticSolver[Portfolio]):
    """A genetic algorithm for portfolios.

    `preset=original` is the algorithm of the project that this puzzle comes from. It begins with a uniform number for each stock, a
    mutation draws one weight anew, and small weights are cut before the rest is divided by its sum. Its crossed children that are
    not mutated are not repaired, so that their weights need not add up to 1. They are selected so, and the search ends if such a
    child keeps the rules; the result is the portfolio that it becomes when divided by its sum. In the original a stock is held if
    its weight is not 0, which means 1 / 4000 or more: solve `portfolio:smallest=0.00025` with it.

    Args:
        repair: how children become portfolios: held, as many stocks as the rules require are held; or as in the original, for
            mutated children only (mutated), or for all of them (threshold), which is another reading of its description.
    """

    repair: Annotated[str, OneOf("held", "threshold", "mutated")] = "held"

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
            "repair": "mutated",
        },
    }

    def tally(self, watch: Watch | None) -> Tally:
        # where children are not repaired, `evaluate` compares them with the goal itself
        return Tally(self.puzzle, self.calls, None if self.repair == "mutated" else self.goal, watch, self.patience)

    def evaluate(self, answers: Answers, tally: Tally) -> NDArray[np.float64]:
        if self.repair == "held":
            return super().evaluate(answers, tally)
        # the result of the search must be a portfolio, whose weights add up to 1
        tally.worths(cut_small_weights(answers) if self.repair == "mutated" else answers)
        if self.repair == "mutated" and self.goal is not None and self.puzzle.worths(answers).max() >= self.goal:
            raise Enough
        return original_fitness(self.puzzle, answers)

    def draw_population(self, draw: np.random.Generator) -> Answers:
        if self.repair == "held":
            return super().draw_population(draw)
        return cut_small_weights(draw.random((self.population, self.puzzle.length)))

    def mend(self, answers: Answers) -> Answers:
        if self.repair == "held":
            return super().mend(answers)
        return answers if self.repair == "mutated" else cut_small_weights(answers)

    def mutate_answer(self, answer: Answers, draw: np.random.Generator) -> Answers:
        if self.repair == "held":
            return super().mutate_answer(answer, draw)
        # a uniform weight means the same in each answer only if all add up to 1; a crossed child may not, in the original even here
        other = self.mend(answer[None])[0].copy()
        other[draw.integers(len(other))] = draw.random()
        return cut_small_weights(other[None])[0]


def cut_small_weights(weights: Answers) -> Answers:
    """Weights (B, L), with 0 for those below a tenth of an even share, divided by their sum."""
    cut = np.where(weights < weights.sum(axis=1, keepdims=True) / (10 * weights.shape[1]), 0.0, weights)
    return cut / cut.sum(axis=1, keepdims=True)


def original_fitness(puzzle: Portfolio, answers: Answers) -> NDArray[np.float64]:
    """The original's fitness of portfolios (B,), the mean of stocks by weight, at least 0: the return, less the risk, less PENALTY
    times the risk above the limit."""
    _, risk, earned = puzzle.table
    return np.maximum(answers @ (earned - risk - PENALTY * np.maximum(risk - puzzle.most_risk, 0)), 0)
