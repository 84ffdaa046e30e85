"""Numbers with their intervals: how statistics hand them on, results keep them and tables show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

import numpy as np

from ludus.arena.report.words import MINUS, percent

from .resampling import Floats, bounds, mean_of_defined

Number = float | None
"""A number that results keep: None where it is not defined."""


def decimals(value: Number, digits: int = 2) -> str:
    """A number with so many digits after the point; empty for None."""
    return "" if value is None else f"{round(value, digits) or 0.0:.{digits}f}".replace("-", MINUS)


def share_text(value: Number) -> str:
    """A share in per cent; empty for None."""
    return "" if value is None else percent(value)


def p_text(p: float, equals: str = "") -> str:
    """A p-value, below 0.001 as a bound, else after a sign, if one is given."""
    return "< 0.001" if p < 0.001 else f"{equals}{p:.3f}" if p < 0.1 else f"{equals}{p:.2f}"


def mean_of_known(values: Iterable[Number]) -> Number:
    """The mean of the numbers that are known; None without any."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


class Interval(NamedTuple):
    """A mean with its 95 % interval."""

    mean: Number
    low: Number
    high: Number

    @classmethod
    def of(cls, mean: float, resampled: Floats) -> Interval:
        """That of a mean with its resamples (B,)."""
        return cls(float(mean), *bounds(resampled))

    @property
    def is_above_zero(self) -> bool:
        """Whether all of the interval is above zero."""
        return self.low is not None and self.low > 0

    @property
    def is_below_zero(self) -> bool:
        """Whether all of the interval is below zero."""
        return self.high is not None and self.high < 0

    def text(self, digits: int = 2) -> str:
        """The mean with the interval; empty where it is not defined."""
        return "" if self.mean is None else f"{decimals(self.mean, digits)} ({self.span(digits)})"

    def span(self, digits: int = 2) -> str:
        """The interval alone; empty where it is not defined."""
        return "" if self.low is None else f"{decimals(self.low, digits)} to {decimals(self.high, digits)}"


class BothIntervals(NamedTuple):
    """A mean with its interval by resamples of trainers, and of seeds within them, and by resamples of seeds alone."""

    of_trainers: Interval
    of_seeds: Interval

    @property
    def mean(self) -> Number:
        """The mean."""
        return self.of_trainers.mean

    def text(self) -> str:
        """The mean with the interval by trainers."""
        return self.of_trainers.text()


class Resampled(NamedTuple):
    """A number with its resamples.

    Args:
        value: the number.
        of_trainers: the same in each resample of trainers, and of seeds within them (B,).
        of_seeds: the same in each resample of seeds alone, within each trainer (B,).
    """

    value: float
    of_trainers: Floats
    of_seeds: Floats

    def minus(self, other: Resampled) -> Resampled:
        """The difference, in each resample too."""
        return Resampled(self.value - other.value, self.of_trainers - other.of_trainers, self.of_seeds - other.of_seeds)

    @property
    def intervals(self) -> BothIntervals:
        """The number with its intervals."""
        return BothIntervals(Interval.of(self.value, self.of_trainers), Interval.of(self.value, self.of_seeds))


def mean_of_resampled(games: Sequence[Resampled]) -> Resampled:
    """The mean over games, in each resample too, of those in which it is defined; nan if it is not defined in a game at all."""
    value = fmean(game.value for game in games)
    resampled = [mean_of_defined(draws) for draws in zip(*(game[1:] for game in games), strict=True)]
    return Resampled(value, *(np.full_like(draws, np.nan) if np.isnan(value) else draws for draws in resampled))
