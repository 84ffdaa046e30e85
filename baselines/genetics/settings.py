"""What whoever breeds can be told, checked; the breeding itself is in breeding.py, which needs DEAP."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

from ...envs.settings.specs import check_between

SELECTIONS = ("tournament", "roulette", "rank", "universal")


@dataclass(frozen=True)
class BreedingSettings:
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

    population: int = 1000
    offspring: int = 100
    mutation: float = 0.3
    selection: str = "tournament"
    tournament: int = 10
    crossover: str = "uniform"
    share: float = 0.5

    crossovers: ClassVar[tuple[str, ...]] = ("uniform", "one_point", "two_point", "subset")

    def __post_init__(self) -> None:
        check_between(self, 2, inf, "population")
        check_between(self, 1, inf, "offspring", "tournament")
        check_between(self, 0, 1, "mutation", "share")
        if self.selection not in SELECTIONS:
            raise ValueError(f"selection is {self.selection!r}; there are: {', '.join(SELECTIONS)}")
        if self.crossover not in self.crossovers:
            raise ValueError(f"crossover is {self.crossover!r}; there are: {', '.join(self.crossovers)}")
