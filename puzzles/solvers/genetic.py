"""A genetic algorithm for any puzzle, on one island or several; selection, crossover and survival are those of baselines/genetics.

In each generation parents are drawn, and have children, each a mutated parent (an answer beside it) or a cross of two, mended
where it breaks a rule. With `crossing`, a rate of its own, pairs are crossed or not, and then each child is mutated or not. The
`elites` best parents and all children compete; the best, as many as there were, are the next generation. With `carry` that many
parents go on whatever the children are worth. Every `migration` generations the best of each island goes to the next, where it
replaces the last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Annotated, Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...baselines.genetics.breeding import Breeding, Pairing, Selection, survivors
from ...baselines.genetics.settings import SELECTIONS, BreedingSettings
from ...baselines.runs.global_random import drawn_from
from ...envs.settings.bounds import Count, OneOf, Share
from ...envs.settings.numbers import Range
from ..problems.puzzle import Answers
from .solver import P, Searcher, Tally

Breeder: TypeAlias = Callable[[Answers, NDArray[np.float64], int], Answers]
"""Makes so many children of answers (N, L) with these points (N,)."""


class Island(NamedTuple):
    """A population, the fittest first.

    Args:
        genes: its answers (N, L).
        points: by which they are selected (N,).
    """

    genes: Answers
    points: NDArray[np.float64]


@dataclass(frozen=True)
class Genetic(BreedingSettings, Searcher[P]):
    """A genetic algorithm.

    Args:
        crossing: with which probability a pair of parents is crossed; its two children are then mutated or not, each for itself.
            None: a child that is not mutated is crossed.
        elites: how many parents may stay; none: all.
        carry: so many of the best parents stay whatever the children are worth, who make up the rest of the population. It takes
            the place of `elites` and `offspring`.
        islands: how many populations there are, each of `population` answers, and
        migration: after how many generations the best of each goes to the next.
        generations: how many there are; none: until the calls are spent.

    Raises:
        ValueError: a setting out of its range.
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
        if not self.population - self.children <= self.staying <= self.population:
            raise ValueError(
                f"elites is {self.elites}; with the {self.offspring} children they must fill a population of {self.population}"
                " and be no more than it"
            )

    @property
    def staying(self) -> int:
        """How many parents may stay."""
        return self.carry if self.carry is not None else self.population if self.elites is None else self.elites

    @property
    def children(self) -> int:
        """How many children a generation has."""
        return self.offspring if self.carry is None else self.population - self.carry

    def search(self, tally: Tally, seed: int) -> None:
        draw = np.random.default_rng(seed)
        breeder = self.breeder(draw)
        tally.count_generations(self.population * self.islands)
        with drawn_from(seed):
            islands = [self._fittest(self.drawn(draw), tally) for _ in range(self.islands)]
            for generation in count(1):
                tally.counts["generations"] += 1
                islands = [self._next(island, breeder, tally) for island in islands]
                if len(islands) > 1 and generation % self.migration == 0:
                    guests = [islands[-1], *islands[:-1]]
                    islands = [self._with_guest(island, guest) for island, guest in zip(islands, guests, strict=True)]
                if generation == self.generations:
                    return

    def breeder(self, draw: np.random.Generator) -> Breeder:
        """How children are made of parents."""

        def mutate(genome: list[Any]) -> None:
            genome[:] = self.mutated(np.array(genome, self.puzzle.dtype), draw).tolist()

        selection = Selection(self.selection, self.tournament)
        if self.crossing is None:
            return Breeding(selection, self.mutation, self.crossover, self.share, mutate)
        return Pairing(selection, self.crossing, self.crossover, self.share, self.mutation, mutate)

    def drawn(self, draw: np.random.Generator) -> Answers:
        """The answers that a population begins with (N, L)."""
        return self.puzzle.drawn(draw, self.population)

    def mended(self, answers: Answers) -> Answers:
        """Answers (B, L) that breeding left as answers must not be, as they must."""
        return self.puzzle.mended(answers)

    def mutated(self, answer: Answers, draw: np.random.Generator) -> Answers:
        """A mutated answer."""
        return self.puzzle.near(answer, draw)

    def points(self, answers: Answers, worths: NDArray[np.float64]) -> NDArray[np.float64]:
        """By what answers are selected (B,)."""
        return worths

    def _fittest(self, answers: Answers, tally: Tally, elites: Island | None = None) -> Island:
        """The island of the fittest of some answers, which are asked about, and of elites."""
        points = self.points(answers, tally.worths(answers))
        if elites:
            answers, points = np.concatenate([answers, elites.genes]), np.concatenate([points, elites.points])
        rows = survivors(points, self.population)
        return Island(answers[rows], points[rows])

    def _next(self, island: Island, breeder: Breeder, tally: Tally) -> Island:
        """The next generation."""
        children = self.mended(breeder(island.genes, island.points - island.points[-1], self.children))
        return self._fittest(children, tally, Island(island.genes[: self.staying], island.points[: self.staying]))

    def _with_guest(self, island: Island, guest: Island) -> Island:
        """The island with the best of another in the place of its last."""
        genes = np.concatenate([guest.genes[:1], island.genes[:-1]])
        points = np.concatenate([guest.points[:1], island.points[:-1]])
        rows = np.argsort(-points, kind="stable")
        return Island(genes[rows], points[rows])
