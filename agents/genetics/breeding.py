"""Breeding of one generation: who has offspring, how two genomes are crossed, and who stays. The operators are DEAP's.

Source: Fortin, De Rainville, Gardner, Parizeau, Gagné: DEAP: evolutionary algorithms made easy, JMLR 13 (2012).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from deap import tools
from numpy.typing import NDArray

Genome = list[Any]
"""A genome while it is bred: its genes in their order."""


class Points(float):
    """Points as DEAP reads them: they compare, and have `values`."""

    @property
    def values(self) -> tuple[Points]:
        """The points."""
        return (self,)


class Contender(NamedTuple):
    """Who may have offspring.

    Args:
        row: which genome it is.
        fitness: its points.
        rank: how many are not fitter than it; of equals, the one that comes first ranks higher.
    """

    row: int
    fitness: Points
    rank: Points


class Selection(NamedTuple):
    """How parents are drawn, with replacement.

    Args:
        scheme: tournament, the fittest of a few that are drawn evenly; roulette, each as likely as it has points; rank, each
            as likely as its rank, the worst 1, the next 2; universal, roulette by one turn of a wheel with as many pointers as
            there are parents to find.
        tournament: how many meet in a tournament.
    """

    scheme: str
    tournament: int

    def __call__(self, points: NDArray[np.float64], count: int) -> list[int]:
        """The rows of so many parents, in random order, by Python's global generator; points must not be negative."""
        contenders = contenders_of(points)
        if self.scheme == "tournament":
            chosen = tools.selTournament(contenders, count, self.tournament)
        elif not points.any():
            chosen = tools.selRandom(contenders, count)  # on a wheel where nobody has a share, everybody has the same
        else:
            chosen = _spun(contenders, count, self.scheme)
        return [contender.row for contender in chosen]


def _spun(contenders: list[Contender], count: int, scheme: str) -> list[Contender]:
    """So many of the wheel, in random order."""
    if scheme == "universal":
        return random.sample(tools.selStochasticUniversalSampling(contenders, count), count)
    chosen: list[Contender] = []
    while len(chosen) < count:  # DEAP finds nobody where a sum of shares is rounded below where the wheel stopped
        chosen += tools.selRoulette(contenders, count - len(chosen), fit_attr="rank" if scheme == "rank" else "fitness")
    return chosen


def contenders_of(points: NDArray[np.float64]) -> list[Contender]:
    """All of a generation with these points."""
    ranks = np.empty(len(points))
    ranks[np.argsort(-points, kind="stable")] = np.arange(len(points), 0, -1)
    rows = enumerate(zip(points.tolist(), ranks.tolist(), strict=True))
    return [Contender(row, Points(reached), Points(rank)) for row, (reached, rank) in rows]


def survivors(points: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """The rows of the fittest so many, the fittest first; of equals, those that come first."""
    return np.array([contender.row for contender in tools.selBest(contenders_of(points), count)])


def cross_subset(one: Genome, other: Genome) -> tuple[Genome, Genome]:
    """Two genomes after they swap the genes of a random subset: first its size is drawn, from 1 to all, then its places."""
    for place in random.sample(range(len(one)), random.randint(1, len(one))):
        one[place], other[place] = other[place], one[place]
    return one, other


CROSSOVERS: dict[str, Callable[[Genome, Genome, float], tuple[Genome, Genome]]] = {
    "uniform": tools.cxUniform,
    "one_point": lambda one, other, _: tools.cxOnePoint(one, other) if len(one) > 1 else (one, other),
    "two_point": lambda one, other, _: tools.cxTwoPoint(one, other) if len(one) > 1 else (one, other),
    "subset": lambda one, other, _: cross_subset(one, other),
    "blend": tools.cxBlend,
}
"""How two genomes are crossed, given a share: uniform, each gene is the other's with that probability; one_point and two_point,
all genes behind a point, or between two, are; subset, a random number of genes at random places are; blend, for numbers, each is
drawn between both, or beyond either by the share of their distance."""


class Breeding(NamedTuple):
    """How offspring comes about.

    Args:
        selection: how parents are drawn.
        mutation: with which probability a child is its parent with a mutation; else it has two parents.
        crossover: one of CROSSOVERS.
        share: what the crossover is given.
        mutate: a mutation, in place.
    """

    selection: Selection
    mutation: float
    crossover: str
    share: float
    mutate: Callable[[Genome], None]

    def __call__(self, genes: NDArray[Any], points: NDArray[np.float64], count: int) -> NDArray[Any]:
        """So many children (count, L) of genomes (N, L), by Python's global generator."""
        parents: Sequence[int] = self.selection(points, 2 * count)
        children: list[Genome] = []
        for mother, father in zip(parents[::2], parents[1::2], strict=True):
            child: Genome = genes[mother].tolist()
            if random.random() < self.mutation:
                self.mutate(child)
            else:
                child, _ = CROSSOVERS[self.crossover](child, genes[father].tolist(), self.share)
            children.append(child)
        return np.array(children, genes.dtype)
