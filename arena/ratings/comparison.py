"""`compare`: which of two policies makes more points against the same opponent; `compare_all`: the same of each two of several;
`p_values_of_pairs`: which policies that met each other differ.

Where both met the same openings, these are compared one by one, by the mean of their differences (means.py): what an opening gives
to both policies drops out. Otherwise the interval is put together from those of both scores, by method 10 of R. G. Newcombe,
Statistics in Medicine 17 (1998), 873–890, which G. Y. Zou and A. Donner, Statistics in Medicine 27 (2008), 1693–1702, extend to
any means.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import several, short_repr
from ..matches.games import Pairing
from .intervals import tails
from .means import mean_interval, p_of_at_most, search_crossing
from .score import POINTS, Score

DIFFERENCES = np.linspace(0, 1, 9)
"""The differences of two openings' shares of the points, from -1 to 1, moved to 0 to 1."""

LEVEL = 0.05
"""Two policies differ if the p-value of their being equal is below."""
MOST_NAMED = 6
"""How many pairs a sentence names."""


@dataclass(frozen=True)
class PointsComparison:
    """How far the points of one policy are ahead of another's, against the same opponent.

    Args:
        game, a, b, against: the game, both policies, and their opponent.
        difference: a's share of the points less b's, with its bounds `low` and `high`.
        p_value: of the hypothesis that both expect the same points, two-sided.
        p_adjusted: the same where several policies are compared, by S. Holm's correction; else equal to `p_value`.
        is_paired: whether both met the same openings, which were compared one by one.
    """

    game: str
    a: str
    b: str
    against: str
    difference: float
    low: float
    high: float
    p_value: float
    p_adjusted: float
    is_paired: bool

    def __str__(self) -> str:
        how = "opening by opening" if self.is_paired else "from different openings"
        points = f"{100 * self.difference:+.1f} % of the points ({100 * self.low:+.1f} to {100 * self.high:+.1f})"
        adjusted = "" if self.p_adjusted == self.p_value else f", {self.p_adjusted:.2g} with Holm's correction"
        names = f"{self.a} compared with {self.b}, against {self.against} in {self.game}"
        return f"{names}: {points}, {how}; p {self.p_value:.2g}{adjusted}"


def compare(score_a: Score, score_b: Score, *, confidence: float = 0.95) -> PointsComparison:
    """Compares the points of two policies against the same opponent.

    Args:
        score_a, score_b: their scores. With the same seed and number of games both meet the same openings; with the same suite also
            with other seeds.
        confidence: how often the bounds are to contain the true difference, more than 0 and less than 1.

    Raises:
        ValueError: the scores are of different games or opponents, one has no games, or the confidence is out of its range.
    """
    tails(confidence)
    for score in (score_a, score_b):
        if not isinstance(score, Score):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"scores are compared, such as `evaluate` gives; {short_repr(score)} is not one")
    game, _, against = score_a.pairing
    if (game, against) != (score_b.pairing.game, score_b.pairing.b):
        raise ValueError(
            f"one score is of {score_a.pairing}, the other of {score_b.pairing}; give those of one game and one opponent"
        )
    if not (score_a.games and score_b.games):
        raise ValueError("a score has no games; there is nothing to compare")
    paired = _paired_differences(score_a, score_b)
    low, high, p = _compare_apart(score_a, score_b, confidence) if paired is None else _compare_paired(*paired, confidence)
    return PointsComparison(
        game=game,
        a=score_a.pairing.a,
        b=score_b.pairing.a,
        against=against,
        difference=score_a.points - score_b.points,
        low=low,
        high=high,
        p_value=p,
        p_adjusted=p,
        is_paired=paired is not None,
    )


def compare_all(scores: Iterable[Score], *, confidence: float = 0.95) -> list[PointsComparison]:
    """Compares each two of several policies against the same opponent, with p-values that allow for their number.

    Where no two policies differ, one of the `p_adjusted` is below 0.05 in at most 5 % of all cases: S. Holm, Scandinavian Journal
    of Statistics 6 (1979), 65–70. Each interval still stands for itself.

    Args:
        scores, confidence: as for `compare`.

    Raises:
        ValueError: as for `compare`.
    """
    compared = [compare(a, b, confidence=confidence) for a, b in combinations(scores, 2)]
    adjusted = adjust_p_values([comparison.p_value for comparison in compared])
    return [replace(comparison, p_adjusted=p) for comparison, p in zip(compared, adjusted, strict=True)]


def adjust_p_values(p_values: list[float]) -> list[float]:
    """Holm's p-values: the smallest times their number, the next times one less, and so on, none below the one before."""
    adjusted, least = [0.0] * len(p_values), 0.0
    for rank, number in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = adjusted[number] = min(1.0, max(least, (len(p_values) - rank) * p_values[number]))
    return adjusted


def p_values_of_pairs(scores: Iterable[Score]) -> dict[Pairing, float]:
    """For each pair that played, the p-value of the hypothesis that both policies are equal, with Holm's correction for all pairs.

    A policy's games against itself are left out.
    """
    played = [score for score in scores if score.games and score.pairing.a != score.pairing.b]
    return dict(zip((s.pairing for s in played), adjust_p_values([s.p_value() for s in played]), strict=True))


def describe_pairs(scores: Iterable[Score], noun: str = "policies") -> str:
    """A sentence on what plays: how many pairs differ, and which do not, or that so few games cannot show it; else empty."""
    scores = [*scores]
    p_values = p_values_of_pairs(scores)
    most = max((score.independent for score in scores if score.pairing in p_values), default=0)
    each = 1 if any(score.evidence.singles.any() for score in scores) else 2
    if p_values and most < (enough := _enough_games(len(p_values), each)):
        of = f"two {noun}" if len(p_values) == 1 else f"the {noun} of {len(p_values):,} pairs"
        return f"{several(most, 'different game')} a pair cannot show that {of} differ: that takes {enough:,} or more."
    return _describe(p_values)


def _describe(p_values: Mapping[Pairing, float]) -> str:
    alike = [f"{pairing.a} – {pairing.b} (p {p:.2g})" for pairing, p in p_values.items() if p >= LEVEL]
    if len(p_values) < 2:
        return "".join(f"{'The two differ' if p < LEVEL else 'No difference is shown'} (p {p:.2g})." for p in p_values.values())
    how = f"(p < {LEVEL} with Holm's correction)"
    if not alike:
        return f"All {several(len(p_values), 'pair')} differ {how}."
    more = f" and {len(alike) - MOST_NAMED:,} more" if len(alike) > MOST_NAMED else ""
    names = ", ".join(alike[:MOST_NAMED]) + more
    differ = f"{len(p_values) - len(alike):,} of {several(len(p_values), 'pair')} differ {how}"
    return f"{differ}; no difference is shown between {names}."


def _enough_games(pairs: int, each: int) -> int:
    """The fewest games a pair in which one of a number of pairs can differ, after Holm's correction: its policy wins all of them.

    The p-value of n observations that were all won is 2 · 2⁻ⁿ, and each is so many games, two where it is an opening.
    """
    return each * (math.floor(1 + math.log2(pairs / LEVEL)) + 1)


def _paired_differences(a: Score, b: Score) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """The differences of openings, moved to 0 to 1, and how many have each; None if the scores are not of the same openings."""
    if a.suite is not None and a.suite == b.suite:
        return _differences_in_suite(a.evidence.by_opening.sum(1), b.evidence.by_opening.sum(1))
    if a.suite is not None or b.suite is not None:
        return None
    numbered_a, numbered_b = a.evidence.numbered, b.evidence.numbered
    if numbered_a is None or numbered_b is None or len(a.evidence.seeds) != 1 or a.evidence.seeds != b.evidence.seeds:
        return None
    (first, mine), (second, theirs) = (numbered[np.argsort(numbered[:, 0])].T for numbered in (numbered_a, numbered_b))
    if not np.array_equal(first, second):
        return None
    counts = np.zeros(len(DIFFERENCES))
    np.add.at(counts, 4 + mine - theirs, 1)
    return DIFFERENCES, counts * min(a.independent / a.games, b.independent / b.games)


def _differences_in_suite(
    mine: NDArray[np.int64], theirs: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """The same of a suite, from the wins, draws and losses of both by opening (S, 3); all games of one are one observation."""
    if not np.array_equal(mine.sum(1), theirs.sum(1)):
        return None
    played = mine.any(1)
    differences = (mine - theirs)[played] @ POINTS / mine[played].sum(1)
    moved, counts = np.unique((1 + differences) / 2, return_counts=True)
    return moved, counts.astype(np.float64)


def _compare_paired(differences: NDArray[np.float64], counts: NDArray[np.float64], confidence: float) -> tuple[float, float, float]:
    """The bounds and the p-value of the mean difference."""
    low, high = mean_interval(differences, counts, confidence)
    p = 2 * min(p_of_at_most(0.5, differences, counts), p_of_at_most(0.5, 1 - differences, counts))
    return 2 * low - 1, 2 * high - 1, min(1.0, p)


def _compare_apart(a: Score, b: Score, confidence: float) -> tuple[float, float, float]:
    """The bounds and the p-value of a difference of two independent scores; below 10^-7 the p-value is not exact."""

    def bounds(confidence: float) -> tuple[float, float]:
        (low_a, high_a), (low_b, high_b) = a.points_interval(confidence), b.points_interval(confidence)
        down, up = math.hypot(a.points - low_a, high_b - b.points), math.hypot(high_a - a.points, b.points - low_b)
        return a.points - b.points - down, a.points - b.points + up

    def holds_zero(confidence: float) -> bool:
        low, high = bounds(confidence)
        return low <= 0 <= high

    p = 1 - search_crossing(holds_zero, 1e-9, 1 - 1e-9)
    return *bounds(confidence), p
