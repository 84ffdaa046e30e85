"""The ten settings that the project behind the portfolio puzzle tried, and the generations that its genetic algorithm took.

They lie apart from the solver, which needs DEAP: the pages are made from them without it.
"""

from __future__ import annotations

from typing import NamedTuple


class OriginalSettings(NamedTuple):
    """Settings of `GeneticPortfolio` that the original project tried.

    Args:
        population, crossing, mutation, carry: the settings.
        generations: the mean generations of its three runs until the rules were kept; None if a thousand were not enough.
    """

    population: int
    crossing: float
    mutation: float
    carry: int
    generations: float | None

    @property
    def spec(self) -> str:
        """The solver with these settings."""
        return "genetic:preset=original," + ",".join(f"{name}={getattr(self, name)}" for name in self._fields[:4])


ORIGINAL_SETTINGS = (
    OriginalSettings(population=700, crossing=0.6, mutation=0.1, carry=70, generations=76),
    OriginalSettings(population=700, crossing=0.4, mutation=0.1, carry=70, generations=63),
    OriginalSettings(population=700, crossing=0.4, mutation=0.01, carry=70, generations=389),
    OriginalSettings(population=3000, crossing=0.6, mutation=0.1, carry=300, generations=43.7),
    OriginalSettings(population=700, crossing=0.0, mutation=0.1, carry=100, generations=29),
    OriginalSettings(population=700, crossing=0.7, mutation=0.0, carry=100, generations=None),
    OriginalSettings(population=300, crossing=0.7, mutation=0.1, carry=30, generations=319),
    OriginalSettings(population=300, crossing=0.4, mutation=0.1, carry=70, generations=70.7),
    OriginalSettings(population=300, crossing=0.4, mutation=0.01, carry=30, generations=380.7),
    OriginalSettings(population=10, crossing=0.7, mutation=0.1, carry=2, generations=None),
)
"""The ten settings of the original, on 400 real stocks."""
