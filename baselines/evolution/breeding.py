"""Breeding of one generation: how parents are selected, and how children are made of them. Most operators are DEAP's.

All of it draws from Python's global generator. DEAP is imported where it is used: settings can be read without it.

Source: Fortin, De Rainville, Gardner, Parizeau, Gagné: DEAP: evolutionary algorithms made easy, JMLR 13 (2012).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.bounds import Bounded, Count, OneOf, Share
from ...core.numbers import Range

SELECTIONS = ("tournament", "roulette", "rank", "universal")
CROSSOVERS = ("uniform", "one_point", "two_point", "subset")


@dataclass(frozen=True)
class BreedingSettings(Bounded):
    """How a population breeds.

    Args:
        population: the number of genomes in a generation.
        offspring: the number of children in each.
        mutation: the probability that a child is its parent with a mutation; otherwise it has two parents.
        selection: how parents are selected: tournament, the fittest of a few that are drawn uniformly; roulette, in proportion to
            their fitness; rank, in proportion to their rank, 1 for the worst, 2 for the next; universal, roulette by one turn of a
            wheel with as many pointers as there are parents to select.
        tournament: the number of genomes in a tournament.
        crossover: how two genomes are crossed: uniform, each gene is swapped with the probability `share`; one_point and
            two_point, all genes after a random point, or between two; subset, a random number of genes, from one to all, at random
            places; blend, where genes are numbers, each is drawn from between both, or beyond either by `share` of their distance.
        share: see crossover.
    """

    population: Annotated[int, Range(2)] = 1000
    offspring: Count = 100
    mutation: Share = 0.3
    selection: Annotated[str, OneOf(*SELECTIONS)] = "tournament"
    tournament: Count = 10
    crossover: Annotated[str, OneOf(*CROSSOVERS)] = "uniform"
    share: Share = 0.5


Genome = list[Any]
"""A genome while it is bred: its genes in order."""
Mutate = Callable[[Genome], None]
"""Mutates a genome in place."""


class Points(float):
    """A fitness as DEAP reads it: it can be compared, and has `values`."""

    @property
    def values(self) -> tuple[Points]:
        """The fitness."""
        return (self,)


class Contender(NamedTuple):
    """The row of a genome, and its fitness."""

    row: int
    fitness: Points


def select(settings: BreedingSettings, points: NDArray[np.float64], count: int) -> list[int]:
    """Selects `count` parents with replacement, by their fitness (N,), none negative: their rows, in random order."""
    from deap import tools

    if settings.selection in ("rank", "roulette") and points.any():
        rows = np.argsort(-points, kind="stable")
        shares = points[rows] if settings.selection == "roulette" else np.arange(len(rows), 0, -1)
        return random.choices(rows.tolist(), shares.tolist(), k=count)
    contenders = [Contender(row, Points(fitness)) for row, fitness in enumerate(points.tolist())]
    if settings.selection == "tournament":
        chosen = tools.selTournament(contenders, count, settings.tournament)
    elif not points.any():  # all shares of the wheel are 0
        chosen = tools.selRandom(contenders, count)
    else:
        chosen = random.sample(tools.selStochasticUniversalSampling(contenders, count), count)
    return [contender.row for contender in chosen]


def cross(settings: BreedingSettings, first: Genome, second: Genome) -> None:
    """Crosses two genomes in place; see `BreedingSettings.crossover`."""
    from deap import tools

    match settings.crossover:
        case "uniform":
            tools.cxUniform(first, second, settings.share)
        case "blend":
            tools.cxBlend(first, second, settings.share)
        case "subset":
            for gene in random.sample(range(len(first)), random.randint(1, len(first))):
                first[gene], second[gene] = second[gene], first[gene]
        case "one_point" if len(first) > 1:
            tools.cxOnePoint(first, second)
        case "two_point" if len(first) > 1:
            tools.cxTwoPoint(first, second)
        case _:  # a single gene, where there is no point to cut at
            pass


def breed(
    settings: BreedingSettings,
    mutate: Mutate,
    genes: NDArray[Any],
    points: NDArray[np.float64],
    count: int,
    crossing: float | None = None,
) -> NDArray[Any]:
    """Makes children (count, L) of genomes (N, L), whose fitness (N,) is never negative.

    Args:
        settings: how parents are selected and crossed, and how often children are mutated.
        mutate: the mutation.
        genes, points: the genomes and their fitness.
        count: the number of children.
        crossing: the probability with which a pair of parents is crossed, before each of its two children is mutated or not. None:
            a child is either mutated or a cross.
    """
    if crossing is None:
        parents = [genes[row].tolist() for row in select(settings, points, 2 * count)]
        children: list[Genome] = parents[::2]
        for child, other in zip(children, parents[1::2], strict=True):
            if random.random() < settings.mutation:
                mutate(child)
            else:
                cross(settings, child, other)
    else:
        children = [genes[row].tolist() for row in select(settings, points, count + count % 2)]
        for child, other in zip(children[::2], children[1::2], strict=True):
            if random.random() < crossing:
                cross(settings, child, other)
        children = children[:count]
        for child in children:
            if random.random() < settings.mutation:
                mutate(child)
    return np.array(children, genes.dtype)
