"""How well a count tells the probability behind it: E. B. Wilson's score interval.

E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of the American Statistical
Association 22 (1927), 209–212. Unlike the interval of the school book it is sound for small counts, and for none and all.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist


def wilson(count: float, total: int, confidence: float = 0.95) -> tuple[float, float]:
    """Between which bounds a probability lies, `count` of `total` independent trials having come out so.

    Args:
        count: how many came out so.
        total: how many there were; of 0 one learns nothing, and the bounds are 0 and 1.
        confidence: how often the bounds are to hold the truth, more than 0 and less than 1.

    Raises:
        ValueError: the count is below 0 or above the total, or the confidence is out of its range.
    """
    if not 0 <= count <= total:
        raise ValueError(f"of {total} trials none to {total} can have come out so, not {count}")
    z = NormalDist().inv_cdf(tails(confidence)[1])
    if total == 0:
        return 0.0, 1.0
    middle = (count + z**2 / 2) / (total + z**2)
    spread = z / (total + z**2) * sqrt(count * (total - count) / total + z**2 / 4)
    # exact at the ends, where rounding would leave a hair
    return 0.0 if count == 0 else middle - spread, 1.0 if count == total else middle + spread


def tails(confidence: float) -> tuple[float, float]:
    """The part of a distribution below the lower bound of an interval, and that below its upper bound: 0.025 and 0.975 for 0.95.

    Raises:
        ValueError: the confidence is not between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence is more than 0 and less than 1, as 0.95 is, not {confidence}")
    return (1 - confidence) / 2, (1 + confidence) / 2
