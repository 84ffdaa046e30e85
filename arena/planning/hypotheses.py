"""`Sprt`: two hypotheses about the strength of a policy against another, and how often a test may err between them."""

from __future__ import annotations

import math
from typing import Annotated

from msgspec import Struct

from ...core.bounds import Bounded
from ...core.numbers import Range

MOST_TESTED = 1_000_000
"""The most games of a pair that is tested: what each of its openings gave is kept."""
FURTHEST = 2000
"""The largest Elo difference of a hypothesis."""

EloDifference = Annotated[float, Range(-FURTHEST, FURTHEST)]
ErrorRate = Annotated[float, Range(above=0, below=0.5)]


class Sprt(Bounded, Struct, frozen=True, forbid_unknown_fields=True):
    """A sequential probability ratio test: games are played until they tell which of two hypotheses about a pair is true.

    Elo is logistic: a policy that is d points ahead is expected to make 1 / (1 + 10^(-d/400)) of the points, a draw being half a
    point. arena/ratings/sprt.py has the method and its sources.

    Args:
        elo0: the hypothesis H0: the first policy of the pair is so many points ahead of the second, or fewer.
        elo1: the hypothesis H1: it is so many points ahead, or more. What lies between the two may be called either way.
        alpha: how often H1 may be accepted where the difference is elo0.
        beta: how often H0 may be accepted where the difference is elo1.

    Raises:
        ValueError: a number is out of its range, or elo0 is not less than elo1.
    """

    elo0: EloDifference = 0.0
    elo1: EloDifference = 10.0
    alpha: ErrorRate = 0.05
    beta: ErrorRate = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.elo0 >= self.elo1:
            raise ValueError(f"elo0 is {self.elo0:g} and elo1 {self.elo1:g}; elo0 must be the smaller one, as in 0 and 10")

    @property
    def points(self) -> tuple[float, float]:
        """The share of the points that each hypothesis expects."""
        return 1 / (1 + 10 ** (-self.elo0 / 400)), 1 / (1 + 10 ** (-self.elo1 / 400))

    @property
    def bounds(self) -> tuple[float, float]:
        """A. Wald's bounds of the log-likelihood ratio: at the lower one H0 is accepted, at the upper one H1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def __str__(self) -> str:
        return f"Elo {self.elo0:g} against {self.elo1:g}, alpha {self.alpha:g}, beta {self.beta:g}"
