"""A genetic algorithm for any puzzle, on one island or several; breeding is that of baselines/genetics.

In each generation parents are selected, and have children, each a mutated parent (an answer near it) or a cross of two, repaired
where it breaks a rule. With `crossing`, a rate of its own, pairs are crossed or not, and then each child is mutated or not. The
`elites` best parents and all children compete; the best of them are the next generation. With `carry`, that number of parents
always stays, however good the children are. Every `migration` generations the best answer of each island goes to the next
island, where it replaces the worst.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...baselines.evolution.generations import seed_global_random
from ...baselines.genetics.breeding import breed
from ...baselines.genetics.settings import SELECTIONS, BreedingSettings
from ...core.bounds import Count, OneOf, Share
from ...core.numbers import Range
from ..problems.puzzle import Answers
from .solver import P, SearchSolver, Tally


class Island(NamedTuple):
    """A population, the fittest first.

    Args:
        genes: its answers (N, L).
        points: their fitness (N,).
    """

    genes: Answers
    points: NDArray[np.float64]


@dataclass(frozen=True)
class GeneticSolver(BreedingSettings, SearchSolver[P]):
    """A genetic algorithm.

    Args:
        crossing: the probability that a pair of parents is crossed; each of its two children is then mutated or not. None: a
            child that is not mutated is a cross.
        elites: the number of parents that may stay; none: all.
        carry: the number of the best parents that stay, however good the children are, which make up the rest of the population.
            It replaces `elites` and `offspring`.
        islands: the number of populations, each of `population` answers.
        migration: the number of generations after which the best answer of each island goes to the next.
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
    islands: Count = 1
    migration: Count = 20
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

    def attempt(self, tally: Tally, seed: int) -> None:
        draw = np.random.default_rng(seed)
        tally.count_generations(self.population * self.islands)
        with seed_global_random(seed):
            islands = [self._fittest(self.draw_population(draw), tally) for _ in range(self.islands)]
            for generation in count(1):
                tally.counts["generations"] += 1
                islands = [self._next(island, draw, tally) for island in islands]
                if len(islands) > 1 and generation % self.migration == 0:
                    guests = [islands[-1], *islands[:-1]]
                    islands = [self._with_guest(island, guest) for island, guest in zip(islands, guests, strict=True)]
                if generation == self.generations:
                    return

    def draw_population(self, draw: np.random.Generator) -> Answers:
        """The answers that a population begins with (N, L)."""
        return self.puzzle.draw_answers(draw, self.population)

    def breed_children(self, parents: Island, draw: np.random.Generator) -> Answers:
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

    def worths(self, answers: Answers, tally: Tally) -> NDArray[np.float64]:
        """The worth of answers (B,)."""
        return tally.worths(answers)

    def points(self, answers: Answers, worths: NDArray[np.float64]) -> NDArray[np.float64]:
        """The fitness of answers (B,)."""
        return worths

    def _fittest(self, answers: Answers, tally: Tally, elites: Island | None = None) -> Island:
        """The island of the fittest of new answers and of elites."""
        points = self.points(answers, self.worths(answers, tally))
        if elites:
            answers, points = np.concatenate([answers, elites.genes]), np.concatenate([points, elites.points])
        rows = np.argsort(-points, kind="stable")[: self.population]
        return Island(answers[rows], points[rows])

    def _next(self, island: Island, draw: np.random.Generator, tally: Tally) -> Island:
        """The next generation."""
        elites = Island(island.genes[: self.num_survivors], island.points[: self.num_survivors])
        return self._fittest(self.breed_children(island, draw), tally, elites)

    def _with_guest(self, island: Island, guest: Island) -> Island:
        """The island with the best of another in the place of its last."""
        genes = np.concatenate([guest.genes[:1], island.genes[:-1]])
        points = np.concatenate([guest.points[:1], island.points[:-1]])
        rows = np.argsort(-points, kind="stable")
        return Island(genes[rows], points[rows])
