"""Settings of breeding; breeding.py, which does it, needs DEAP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

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
