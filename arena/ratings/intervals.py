"""The interval of a probability that was estimated from a count, E. B. Wilson's score interval; and Elo from a share of points.

E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of the American Statistical
Association 22 (1927), 209–212. Unlike the normal approximation it holds for small counts, and for none and all.
"""

from __future__ import annotations

from math import inf, log10, sqrt
from statistics import NormalDist
from typing import NamedTuple


class Rating(NamedTuple):
    """A number of Elo points with its bounds; these are nan if none were requested."""

    elo: float
    low: float
    high: float

    @property
    def interval(self) -> tuple[float, float]:
        """Its bounds."""
        return self.low, self.high


def wilson(count: float, total: int, confidence: float = 0.95) -> tuple[float, float]:
    """The bounds of a probability, given that `count` of `total` independent trials had this outcome.

    Args:
        count: how many trials had the outcome.
        total: how many trials there were; with 0 the bounds are 0 and 1.
        confidence: how often the bounds are to contain the true probability, more than 0 and less than 1.

    Raises:
        ValueError: the count is below 0 or above the total, or the confidence is out of its range.
    """
    if not 0 <= count <= total:
        raise ValueError(f"count is {count}; of {total} trials it must be from 0 to {total}")
    z = NormalDist().inv_cdf(tails(confidence)[1])
    if total == 0:
        return 0.0, 1.0
    middle = (count + z**2 / 2) / (total + z**2)
    spread = z / (total + z**2) * sqrt(count * (total - count) / total + z**2 / 4)
    # exact at the ends, without an error of rounding
    return 0.0 if count == 0 else middle - spread, 1.0 if count == total else middle + spread


def tails(confidence: float) -> tuple[float, float]:
    """The part of a distribution below the lower bound of an interval, and that below its upper bound: 0.025 and 0.975 for 0.95.
    ValueError where the confidence is not between 0 and 1."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}; it must be more than 0 and less than 1, such as 0.95")
    return (1 - confidence) / 2, (1 + confidence) / 2


def elo_of_points(share: float) -> float:
    """The Elo difference at which this share of the points is expected: infinite for none and all.

    A. E. Elo, The Rating of Chessplayers, Past and Present (1978).
    """
    if not 0 < share < 1:
        return -inf if share <= 0 else inf
    return 400 * log10(share / (1 - share))
