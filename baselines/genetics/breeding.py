"""Breeding of one generation: who has offspring, how two genomes are crossed, and who stays. The operators are DEAP's.

The roulette wheel is DEAP's too, draw for draw, but it is spun here: DEAP walks along the wheel for each parent, which takes
seconds a generation where thousands of parents are drawn from thousands.

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
    """

    row: int
    fitness: Points


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
        if self.scheme in ("rank", "roulette") and points.any():
            return _spun(ranks_of(points) if self.scheme == "rank" else points, count)
        contenders = contenders_of(points)
        if self.scheme == "tournament":
            chosen = tools.selTournament(contenders, count, self.tournament)
        elif not points.any():
            chosen = tools.selRandom(contenders, count)  # on a wheel where nobody has a share, everybody has the same
        else:
            chosen = random.sample(tools.selStochasticUniversalSampling(contenders, count), count)
        return [contender.row for contender in chosen]


def _spun(shares: NDArray[np.float64], count: int) -> list[int]:
    """So many rows, each as likely as its share, in random order."""
    rows = np.argsort(-shares, kind="stable")
    ends, total = np.cumsum(shares[rows]), sum(shares.tolist())
    chosen: list[int] = []
    while len(chosen) < count:  # nobody is found where a sum of shares is rounded below where the wheel stopped
        stops = np.searchsorted(ends, [random.random() * total for _ in range(count - len(chosen))], side="right")
        chosen += rows[stops[stops < len(rows)]].tolist()
    return chosen


def ranks_of(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """How many are not fitter than each (N,); of equals, the one that comes first ranks higher."""
    ranks = np.empty(len(points))
    ranks[np.argsort(-points, kind="stable")] = np.arange(len(points), 0, -1)
    return ranks


def contenders_of(points: NDArray[np.float64]) -> list[Contender]:
    """All of a generation with these points."""
    return [Contender(row, Points(reached)) for row, reached in enumerate(points.tolist())]


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


class Pairing(NamedTuple):
    """How offspring comes about with two rates: pairs of parents are crossed or not, and then each child is mutated or not.

    Args:
        selection: how parents are drawn.
        crossing: with which probability a pair is crossed; else its children are copies of it.
        crossover: one of CROSSOVERS.
        share: what the crossover is given.
        mutation: with which probability a child is mutated.
        mutate: a mutation, in place.
    """

    selection: Selection
    crossing: float
    crossover: str
    share: float
    mutation: float
    mutate: Callable[[Genome], None]

    def __call__(self, genes: NDArray[Any], points: NDArray[np.float64], count: int) -> NDArray[Any]:
        """So many children (count, L) of genomes (N, L), by Python's global generator."""
        children: list[Genome] = [genes[row].tolist() for row in self.selection(points, count + count % 2)]
        for place in range(0, count, 2):
            if random.random() < self.crossing:
                pair = CROSSOVERS[self.crossover](children[place], children[place + 1], self.share)
                children[place], children[place + 1] = pair
        for child in children[:count]:
            if random.random() < self.mutation:
                self.mutate(child)
        return np.array(children[:count], genes.dtype)
