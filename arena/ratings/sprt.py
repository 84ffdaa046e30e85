"""A sequential test of two policies: after each opening, do the results tell which of two hypotheses is true?

Both games of an opening are one observation with 0, ½, 1, 1½ or 2 points, since they are not independent (the pentanomial model of
Fishtest). A hypothesis fixes the expected share of points; how often each of the five comes up is not known. So the test compares
the greatest likelihoods that the results can have under either hypothesis, and stops where the logarithm of their ratio reaches
one of A. Wald's bounds (Annals of Mathematical Statistics 16 (1945), 117–186). That is the generalised test of X. Li, J. Liu and
Z. Ying (Sequential Analysis 33 (2014), 539–563). The greatest likelihood at a given mean is M. Van den Bergh's:
The generalized maximum likelihood ratio for the expectation value of a distribution. Fishtest, cutechess and fastchess decide by
the same ratio ("logistic" Elo), and the tests compare with what Fishtest published.

The test looks at the openings in their order, and its first crossing counts, so that no decision depends on how many games are
played at the same time. docs/arena.md has its error rates in simulated matches, and how many games it saves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from msgspec import to_builtins
from numpy.typing import NDArray

from ...games.display import TextTable
from ..matches.games import Pairing
from ..planning.plan import Sprt
from .score import SHARES, Score

Floats = NDArray[np.float64]

EMPTY = 1e-3
"""How often a result counts that has not come up yet, as at Fishtest: it might come up, so no hypothesis is impossible."""
STEPS, PRECISE = 100, 1e-9
"""The most steps towards a greatest likelihood, of which five are usual; and the step after which none follows."""
AT_ONCE = 4096
"""For how many openings the ratio is computed at a time."""


@dataclass(frozen=True)
class SprtResult:
    """What a sequential test says of a pair.

    Args:
        sprt: the test.
        decision: "H0" or "H1", the hypothesis that is accepted, or "undecided".
        llr: the log-likelihood ratio at the decision; without one, after the last opening.
        games: after how many games that is.
        pairs: how many openings until then gave each of SHARES (5,).
        reason: why a tournament plays no more games of an undecided pair; empty where it does, or where that is not known.
    """

    sprt: Sprt
    decision: Literal["H0", "H1", "undecided"]
    llr: float
    games: int
    pairs: tuple[int, ...]
    reason: str = ""

    @classmethod
    def of(cls, score: Score, sprt: Sprt) -> SprtResult:
        """The result of a pair's openings, in the order of their numbers up to the first that is missing; ValueError where the
        score does not say what each opening gave."""
        if (numbered := score.evidence.numbered) is None:
            raise ValueError(f"of {score.pairing}, it is not known what each opening gave; a test needs games of one seed")
        numbers, shares = numbered[np.argsort(numbered[:, 0])].T
        return cls.after(shares[numbers == np.arange(len(numbers))], sprt)

    @classmethod
    def after(cls, shares: NDArray[np.int64], sprt: Sprt) -> SprtResult:
        """The result after some openings.

        Args:
            shares: what each gave, as an index of SHARES (N,).
            sprt: the test.
        """
        counts, llr = np.zeros(len(SHARES), np.int64), 0.0
        low, high = sprt.bounds
        for start in range(0, len(shares), AT_ONCE):
            each = counts + count_shares(shares[start : start + AT_ONCE])
            ratios = log_likelihood_ratio(each, sprt)
            crossing = int(first_crossing(ratios, sprt))
            counts, llr = (row[min(crossing, len(each) - 1)] for row in (each, ratios))
            if crossing < len(each):
                break
        return cls(
            sprt=sprt,
            decision="H0" if llr <= low else "H1" if llr >= high else "undecided",
            llr=float(llr),
            games=2 * int(counts.sum()),
            pairs=tuple(counts.tolist()),
        )

    @property
    def is_decided(self) -> bool:
        """Whether a hypothesis is accepted."""
        return self.decision != "undecided"

    def describe(self) -> str:
        """The decision in words, from the first policy's side."""
        ahead = {"H0": f"{self.sprt.elo0:g} Elo or less ahead", "H1": f"{self.sprt.elo1:g} Elo or more ahead"}
        return ": ".join(filter(None, (self.decision, ahead.get(self.decision, self.reason))))

    def document(self) -> dict[str, Any]:
        """The result for JSON."""
        low, high = self.sprt.bounds
        return {
            **to_builtins(self.sprt),
            "decision": self.decision,
            "reason": self.reason,
            "llr": self.llr,
            "low": low,
            "high": high,
            "games": self.games,
            "pairs": list(self.pairs),
        }


def table_of(game: str, results: Mapping[Pairing, SprtResult]) -> TextTable:
    """The tests of a game's pairs, all of the same hypotheses, as a table."""
    test = next(iter(results.values())).sprt
    low, high = test.bounds
    rows = [
        [pairing.a, pairing.b, result.describe(), f"{result.llr:+.2f}", f"{result.games:,}"] for pairing, result in results.items()
    ]
    title = f"{game}: sequential test of {test}; bounds {low:.2f} and {high:.2f}"
    return TextTable(title, ["policy", "against", "decision", "ratio", "after games"], rows, left=3)


def count_shares(shares: NDArray[np.int64]) -> NDArray[np.int64]:
    """After each of some openings, how many gave each of SHARES (…, N, 5); they are given as indices of SHARES (…, N)."""
    return np.cumsum(np.eye(len(SHARES), dtype=np.int64)[shares], -2)


def first_crossing(ratios: Floats, sprt: Sprt) -> NDArray[np.int64]:
    """The number of the first ratio, of each N (…, N), that reaches a bound (…,); N where none does."""
    low, high = sprt.bounds
    crossed = (ratios <= low) | (ratios >= high)
    return np.where(crossed.any(-1), crossed.argmax(-1), ratios.shape[-1])


def log_likelihood_ratio(counts: NDArray[Any], sprt: Sprt) -> Floats:
    """The logarithm of the greatest likelihood under H1 by that under H0 (…,), given how many openings gave each of SHARES (…,
    5)."""
    some = np.where(counts > 0, counts, EMPTY)
    total = some.sum(-1)
    parts = [part / total for part in np.moveaxis(some, -1, 0)]  # five arrays are faster than rows of five numbers
    mean0, mean1 = sprt.points
    factor0, factor1 = _fit_mean(parts, mean0), _fit_mean(parts, mean1)
    terms = zip(parts, SHARES, strict=True)
    ratio = sum(p * np.log((1 + factor0 * (x - mean0)) / (1 + factor1 * (x - mean1))) for p, x in terms)
    return np.asarray(total * ratio)


def _fit_mean(parts: list[Floats], mean: float) -> Floats:
    """Lagrange's multiplier t of the most likely distribution of a given mean: it has p / (1 + t (x - mean)) where the data has p.

    It is the zero of the sum of p (x - mean) / (1 + t (x - mean)), which falls as t rises. Newton's steps look for it between
    bounds that close in: at either bound an outermost result would have all the weight.

    Args:
        parts: the shares of the results, 0 to 1 for each of SHARES, none of them 0.
        mean: the mean, more than 0 and less than 1.
    """
    low, high = (parts[-1] - 1) / (1 - mean), (1 - parts[0]) / mean
    factor = np.zeros_like(low)
    for _ in range(STEPS):
        slopes = [(x - mean) / (1 + factor * (x - mean)) for x in SHARES]
        value = sum(p * slope for p, slope in zip(parts, slopes, strict=True))
        low, high = np.where(value > 0, factor, low), np.where(value > 0, high, factor)
        after = factor + value / sum(p * slope * slope for p, slope in zip(parts, slopes, strict=True))
        after = np.where((low < after) & (after < high), after, (low + high) / 2)
        step, factor = np.abs(after - factor).max(initial=0), after
        if step < PRECISE:
            break
    return factor
