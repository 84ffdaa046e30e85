"""What all statistics of the study share: interquartile means, and the bootstrap that draws trainers, and seeds within them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
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
    times = draw_trainers(len(names)) if clusters else np.ones((RESAMPLES, len(names)), int)
    counts = np.zeros((RESAMPLES, len(trainers)), np.float32)
    for number, name in enumerate(names):
        members = [row for row, trainer in enumerate(trainers) if trainer == name]
        own = sorted({seeds[row] for row in members})
        drawn = random.multinomial(times[:, number] * len(own), np.full(len(own), 1 / len(own)))
        counts[:, members] = drawn[:, [own.index(seeds[row]) for row in members]]
    return counts


def draw_trainers(count: int) -> NDArray[np.int64]:
    """How often each trainer is drawn in each resample (B, count). All games have the same trainers, and so the same draws."""
    return np.random.default_rng(SEED).multinomial(count, np.full(count, 1 / count), RESAMPLES)


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
