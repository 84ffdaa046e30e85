"""What the project that the portfolio grew from tried: ten settings, and how many generations its genetic algorithm took."""

from __future__ import annotations

from typing import NamedTuple


class Tried(NamedTuple):
    """Settings that the original tried.

    Args:
        population: how many portfolios there are.
        crossing: with which probability a pair is crossed.
        mutation: with which a child is mutated.
        carry: how many of the best go on unchanged.
        generations: how many it took until the rules were kept, the mean of three runs; None: a thousand were too few.
    """

    population: int
    crossing: float
    mutation: float
    carry: int
    generations: float | None

    @property
    def spec(self) -> str:
        """The solver with these settings."""
        rates = f"crossing={self.crossing},mutation={self.mutation}"
        return f"genetic:preset=original,population={self.population},{rates},carry={self.carry}"


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
