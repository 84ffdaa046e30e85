"""Breeding of one generation: how parents are selected, and how children are made of them. Most operators are DEAP's.

All of it draws from Python's global generator.

Source: Fortin, De Rainville, Gardner, Parizeau, Gagné: DEAP: evolutionary algorithms made easy, JMLR 13 (2012).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from deap import tools
from numpy.typing import NDArray

from .settings import BreedingSettings

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
    """Selects so many parents with replacement, by their fitness (N,), none negative: their rows, in random order."""
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
