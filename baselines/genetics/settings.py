"""What whoever breeds can be told, checked; the breeding itself is in breeding.py, which needs DEAP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ...envs.settings.bounds import Bounded, Count, OneOf, Share
from ...envs.settings.numbers import Range

SELECTIONS = ("tournament", "roulette", "rank", "universal")
CROSSOVERS = ("uniform", "one_point", "two_point", "subset")


@dataclass(frozen=True)
class BreedingSettings(Bounded):
    """How a population breeds.

    Args:
        population: how many genomes a generation has.
        offspring: how many children are bred in each.
        mutation: with which probability a child is its parent with a mutation; else it has two parents.
        selection: how parents are drawn: tournament, the fittest of a few that are drawn evenly; roulette, each as likely as
            it has points; rank, each as likely as its rank, the worst 1, the next 2; universal, roulette by one turn of a wheel
            with many pointers.
        tournament: how many meet in a tournament.
        crossover: how two are crossed: uniform, each gene is the other's with the probability `share`; one_point and
            two_point, all genes behind a point drawn at random, or between two, are; subset, as many genes as a number drawn
            from 1 to all says, at random places, are.
        share: what a crossover takes as its share.
    """

    population: Annotated[int, Range(2)] = 1000
    offspring: Count = 100
    mutation: Share = 0.3
    selection: Annotated[str, OneOf(*SELECTIONS)] = "tournament"
    tournament: Count = 10
    crossover: Annotated[str, OneOf(*CROSSOVERS)] = "uniform"
    share: Share = 0.5
