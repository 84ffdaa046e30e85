"""The mean of numbers between 0 and 1 that were drawn independently: its interval and its p-values, also for few of them.

The bounds are N. Gaffke's: Mathematical Methods of Statistics 14 (2005), 451–467. M. Phan, P. S. Thomas and E. Learned-Miller
compare them with others: Towards practical mean bounds for small samples, ICML 2021. They are quantiles of the Bayesian bootstrap
(D. B. Rubin, Annals of Statistics 9 (1981), 130–134) with one more number: a 0 for the lower bound, a 1 for the upper one. So they
need no normal distribution, and do not shrink to nothing where all numbers are equal. If the numbers are 0 or 1, they are the
exact bounds of C. J. Clopper and E. S. Pearson: Biometrika 26 (1934), 404–413.

That they contain the mean at least as often as they say is proven for numbers 0 and 1; for others no exception is known.

Then ratios of sums, as of the value that moves lose over what random moves lose in the same positions. Rows that are alike, as
moves after one opening or positions that share a symmetry, are summed to one cluster, and clusters are weighed anew at random, by
the Bayesian bootstrap.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .intervals import tails

Floats = NDArray[np.float64]

RESAMPLES = 1000
HALVINGS = 24
"""How often an interval is halved in search of a number: to less than 10^-7 of it."""
_STEPS = np.arange(0, 20, 0.1)
"""Where the integral is evaluated: its integrand falls at least as e^-2t."""


def mean_interval(values: Floats, counts: Floats, confidence: float = 0.95) -> tuple[float, float]:
    """The bounds of the mean, given how often each value was drawn; 0 and 1 if nothing was drawn.

    Args:
        values: the different values (V,), from 0 to 1.
        counts: how often each was drawn (V,), not always whole numbers.
        confidence: how often the bounds are to contain the mean, more than 0 and less than 1.

    Raises:
        ValueError: the confidence is out of its range.
    """
    tail, _ = tails(confidence)
    average = float(counts @ values / max(counts.sum(), 1e-300))
    low = search_crossing(lambda mean: p_of_at_most(mean, values, counts) > tail, 0.0, average)
    high = search_crossing(lambda mean: p_of_at_most(1 - mean, 1 - values, counts) <= tail, average, 1.0)
    return low, high if counts.any() else 1.0


def search_crossing(is_above: Callable[[float], bool], low: float, high: float) -> float:
    """The number between `low` and `high` from which on `is_above` is true; `high` if it is true nowhere."""
    if is_above(low):
        return low
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_above(middle) else (middle, high)
    return high


def p_of_at_most(mean: float, values: Floats, counts: Floats) -> float:
    """The p-value of the hypothesis that the true mean is at most `mean`, from 0 to 1: small if the values are larger than that
    explains.

    It is the probability that a mean of the values (V,) and a 0, whose weights are gamma distributed by their counts (V,), is at
    most `mean`.
    """
    drawn = counts > 0
    below, shapes = mean - np.append(values[drawn], 0.0), np.append(counts[drawn], 1.0)
    if below.max() <= 0:
        return float(below.min() == 0)
    return 1.0 if below.min() >= 0 else _chance_above_zero(below, shapes)


def _chance_above_zero(scales: Floats, shapes: Floats) -> float:
    """The probability that a sum of independent gamma variables, of these shapes and scales of both signs, is above 0.

    The inverse of its Laplace transform, integrated along a line through the saddlepoint, where nothing cancels, so that small
    probabilities are as exact as large ones: S. O. Rice, SIAM Journal on Scientific and Statistical Computing 1 (1980), 438–448.
    """
    terms, largest = [*zip(shapes.tolist(), scales.tolist(), strict=True)], 1 / float(scales.max())

    def rises(part: float) -> bool:  # the logarithm of the integrand, which falls before the saddlepoint
        point = part * largest
        return sum(shape * scale / (1 - point * scale) for shape, scale in terms) > 1 / point

    saddle = largest * search_crossing(rises, 1e-12, 1 - 1e-12)
    bend = (shapes * (scales / (1 - saddle * scales)) ** 2).sum() + saddle**-2
    across = np.sinh(_STEPS) / np.sqrt(bend)
    line = saddle + 1j * across
    logarithm = -(np.log(1 - line[:, None] * scales) @ shapes) - np.log(line)
    heights = np.exp(logarithm).real * np.cosh(_STEPS) / np.sqrt(bend)
    return float(min(1.0, _STEPS[1] * (heights.sum() - heights[0] / 2) / np.pi))


def draw_weights(clusters: int, random: np.random.Generator) -> Floats:
    """The weight of each cluster in each resample (RESAMPLES, clusters)."""
    return random.standard_gamma(1.0, (RESAMPLES, clusters))


def resample_ratio(weights: Floats, parts: Floats, wholes: Floats) -> Floats:
    """The ratio of two sums in each resample (RESAMPLES,).

    Args:
        weights: as `draw_weights` gives them.
        parts, wholes: what the clusters add to the sum above and below the line (K,); the one below is more than 0.
    """
    sums = weights @ np.stack([parts, wholes], axis=1)
    return sums[:, 0] / sums[:, 1]
