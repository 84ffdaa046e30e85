"""A genetic algorithm for any puzzle, on one island or several; selection, crossover and survival are those of agents/genetics.

In each generation parents are drawn, and have children, each a mutated parent (an answer beside it) or a cross of two, mended
where it breaks a rule. The `elites` best parents and all children compete; the best, as many as there were, are the next
generation. Every `migration` generations the best of each island goes to the next, where it replaces the last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.puzzles import Answers
from ..genetics.breeding import Breeding, Selection, survivors
from ..genetics.global_random import drawn_from
from ..genetics.settings import BreedingSettings
from .solver import P, Searcher, Tally


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
        elites: how many parents may stay.
        islands: how many populations there are, each of `population` answers, and
        migration: after how many generations the best of each goes to the next.
        generations: how many there are; none: until the calls are spent.

    Raises:
        ValueError: a setting out of its range.
    """

    population: int = 100
    offspring: int = 100
    mutation: float = 0.5
    selection: str = "rank"
    tournament: int = 2
    elites: int = 10
    islands: int = 1
    migration: int = 20
    generations: int | None = None

    name: ClassVar[str] = "genetic"

    def __post_init__(self) -> None:
        BreedingSettings.__post_init__(self)
        Searcher.__post_init__(self)
        if not self.population - self.offspring <= self.elites <= self.population or self.elites < 0:
            raise ValueError(
                f"elites is {self.elites}; with the {self.offspring} children they must fill a population of {self.population}"
                " and be no more than it"
            )
        if self.islands < 1 or self.migration < 1 or (self.generations is not None and self.generations < 1):
            raise ValueError(
                f"islands is {self.islands}, migration {self.migration}, generations {self.generations}; each must be 1 or more"
            )

    def search(self, tally: Tally, seed: int) -> None:
        draw = np.random.default_rng(seed)

        def mutate(genome: list[Any]) -> None:
            genome[:] = self.mutated(np.array(genome, self.puzzle.dtype), draw).tolist()

        breeding = Breeding(Selection(self.selection, self.tournament), self.mutation, self.crossover, self.share, mutate)
        tally.counts["generations"] = 0
        with drawn_from(seed):
            islands = [self._fittest(self.puzzle.drawn(draw, self.population), tally) for _ in range(self.islands)]
            while tally.counts["generations"] != self.generations:
                tally.counts["generations"] += 1
                islands = [self._next(island, breeding, tally) for island in islands]
                if len(islands) > 1 and tally.counts["generations"] % self.migration == 0:
                    guests = [islands[-1], *islands[:-1]]
                    islands = [self._with_guest(island, guest) for island, guest in zip(islands, guests, strict=True)]

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

    def _next(self, island: Island, breeding: Breeding, tally: Tally) -> Island:
        """The next generation."""
        children = self.puzzle.mended(breeding(island.genes, island.points - island.points[-1], self.offspring))
        return self._fittest(children, tally, Island(island.genes[: self.elites], island.points[: self.elites]))

    def _with_guest(self, island: Island, guest: Island) -> Island:
        """The island with the best of another in the place of its last."""
        genes = np.concatenate([guest.genes[:1], island.genes[:-1]])
        points = np.concatenate([guest.points[:1], island.points[:-1]])
        rows = np.argsort(-points, kind="stable")
        return Island(genes[rows], points[rows])
