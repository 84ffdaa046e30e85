"""What all statistics of the study share: interquartile means, rank correlations, and the bootstrap that draws trainers, and seeds
within them; and numbers with their intervals, as results keep them and tables show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.core.words import MINUS, percent

Floats = NDArray[np.float64]
Signs = NDArray[np.float32]
"""For each two policies the sign of the difference of their values (N, N)."""
Draws = NDArray[np.float32]
"""How often each policy is drawn in each resample (B, N)."""
Number = float | None
"""A number that results keep: None where it is not defined."""
SEED = 0
"""Of all resamples."""
RESAMPLES = 10_000
TAILS = (0.025, 0.975)


def iqm(values: Floats) -> Floats:
    """Interquartile means over the last axis: a quarter of the values, rounded down, is left out at either end, as rliable does."""
    cut = values.shape[-1] // 4
    return np.sort(values)[..., cut : values.shape[-1] - cut].mean(-1)


def draw_seeds(count: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Seeds drawn with replacement, by number, for each resample (B, count)."""
    return random.integers(count, size=(RESAMPLES, count))


def draw_counts(
    trainers: Sequence[str], seeds: Sequence[int], random: np.random.Generator, *, clusters: bool = True
) -> NDArray[np.float32]:
    """How often each policy is drawn in each resample (B, N). Calls with as many trainers draw the same ones.

    Args:
        trainers, seeds: those of each policy (N).
        random: draws seeds.
        clusters: whether trainers are drawn, and then seeds within each; otherwise seeds within each trainer alone.
    """
    names = sorted({*trainers})
    times = np.ones((RESAMPLES, len(names)), int)
    if clusters:  # all games have the same trainers, and so the same draws
        times = np.random.default_rng(SEED).multinomial(len(names), np.full(len(names), 1 / len(names)), RESAMPLES)
    counts = np.zeros((RESAMPLES, len(trainers)), np.float32)
    for number, name in enumerate(names):
        members = [row for row, trainer in enumerate(trainers) if trainer == name]
        own = sorted({seeds[row] for row in members})
        drawn = random.multinomial(times[:, number] * len(own), np.full(len(own), 1 / len(own)))
        counts[:, members] = drawn[:, [own.index(seeds[row]) for row in members]]
    return counts


def bounds(resampled: Floats) -> tuple[float, float]:
    """The bounds of the 95 % interval of a number, from its resamples (B,); those in which it is not defined are left out."""
    known = resampled[np.isfinite(resampled)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, TAILS)
    return float(low), float(high)


def mean_of_defined(values: Sequence[Any]) -> Any:
    """The mean of numbers, or of arrays entry by entry, where they are defined; nan where none is."""
    table = np.array(values, float)
    known = np.isfinite(table)
    return np.where(known, table, 0).sum(0) / np.where(known.any(0), known.sum(0), np.nan)


def p_value(resampled: Floats) -> float:
    """How probable a number so far from 0 is if the true one is 0, two-sided, from its resamples (B,) where it is defined."""
    known = resampled[np.isfinite(resampled)]
    return min(1.0, 2 * (1 + int(min((known <= 0).sum(), (known >= 0).sum()))) / (1 + len(known)))


# ---- numbers and their intervals


def decimals(value: Number, digits: int = 2) -> str:
    """A number with this many digits after the point; empty for None."""
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

    @classmethod
    def read(cls, row: Sequence[Sequence[Number]]) -> BothIntervals:
        """From a row of the result."""
        return cls(*(Interval(*interval) for interval in row))

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


# ---- rank correlations


def tau_of(measure: Floats, good: Floats, of_trainers: Draws, of_seeds: Draws) -> Resampled:
    """τ-b of a measure with what it should say, both more if better (N,), and in the resamples of trainers and of seeds alone."""
    x, y = signs_of(measure), signs_of(good)
    return Resampled(float(kendall(x, y)[0]), kendall(x, y, of_trainers), kendall(x, y, of_seeds))


def signs_of(values: Floats) -> Signs:
    """For each two policies the sign of the difference of their values (N, N)."""
    return np.sign(values[:, None] - values).astype(np.float32)


def kendall(x: Signs, y: Signs, counts: Draws | None = None) -> Floats:
    """Kendall's τ-b of policies that count this many times in each resample (B,), or once (1,); nan where one does not vary."""
    counts = np.ones((1, len(x)), np.float32) if counts is None else counts
    together, in_x, in_y = (np.einsum("bn,bn->b", counts @ pairs, counts, dtype=np.float64) for pairs in (x * y, abs(x), abs(y)))
    with np.errstate(invalid="ignore", divide="ignore"):
        return together / np.sqrt(in_x * in_y)
