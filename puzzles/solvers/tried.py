"""The ten settings that the project behind the portfolio puzzle tried, and the generations that its genetic algorithm took."""

from __future__ import annotations

from typing import NamedTuple


class Tried(NamedTuple):
    """Settings of `GeneticPortfolio` by their names, and the mean generations of three runs until the rules were kept.

    None if a thousand generations were not enough.
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


TRIED = (
    Tried(700, 0.6, 0.1, 70, 76),
    Tried(700, 0.4, 0.1, 70, 63),
    Tried(700, 0.4, 0.01, 70, 389),
    Tried(3000, 0.6, 0.1, 300, 43.7),
    Tried(700, 0.0, 0.1, 100, 29),
    Tried(700, 0.7, 0.0, 100, None),
    Tried(300, 0.7, 0.1, 30, 319),
    Tried(300, 0.4, 0.1, 70, 70.7),
    Tried(300, 0.4, 0.01, 30, 380.7),
    Tried(10, 0.7, 0.1, 2, None),
)
"""The ten settings of the original, on 400 real stocks."""
