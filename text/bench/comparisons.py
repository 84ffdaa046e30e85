"""Another prompt, another face of a game, or another model, beside the first one: what differs, question by question.

The p-value of paired differences comes from exchanging their signs: exact, without draws. Where two conditions are equal, a
difference is as likely to be positive as negative. So all choices of signs are equally likely,
and the p-value is the share of them whose sum is as far from 0 as the observed one (R. A. Fisher, The Design of Experiments, 1935).
Answers to the same question often lose the same, so many choices have the very same sum; half of these count. This *mid-p* is
uniform where nothing differs, as closely as steps can be, while counting all of them finds too little: H. O. Lancaster, Journal of
the American Statistical Association 56 (1961), 223–234; M. W. Fagerland, S. Lydersen and P. Laake, The McNemar test for binary
matched-pairs data, BMC Medical Research Methodology 13 (2013), 91.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...arena.ratings.comparison import LEVEL, adjust_p_values
from .estimates import AnswerColumns, Estimate, GroupSums, difference_in_words, estimate, number, sum_by_group, sum_kept

Kind: TypeAlias = Literal["variant", "disguise", "model"]
KINDS: tuple[Kind, Kind] = ("variant", "disguise")
"""What a model is compared with itself in."""
NULL = "null"
"""The variant that has the first one's bytes again: what it changes is chance."""
FINENESS = 32
"""The smallest weight of a game in a test over several; weights are whole numbers."""


@dataclass(frozen=True, kw_only=True)
class BenchComparison:
    """A variant of the prompt, a disguise or a model beside the first one, on questions of both: same position, same repeat.

    Args:
        model, game: as in `ModelMeasures`.
        kind: "variant", "disguise" or "model".
        name, first: the two that are compared.
        measure: the measure of `name`.
        difference: that measure less the measure of `first` on the same questions; its `answers` are pairs.
        legal_first: the share of legal moves at the first try, less that of `first`.
        p: of the hypothesis that nothing differs, by exchanging the signs of the groups' differences.
        p_adjusted: the same after Holm's correction, over all that a model was asked besides the first one, or over all pairs of
            models; equal to `p` for "null".
    """

    model: str
    game: str
    kind: Kind
    name: str
    first: str
    measure: Estimate
    difference: Estimate
    legal_first: float
    p: float
    p_adjusted: float

    @property
    def is_null(self) -> bool:
        """Whether it compares the same bytes."""
        return self.kind == "variant" and self.name == NULL

    def sentence(self, null: BenchComparison | None = None) -> str:
        """The comparison as a sentence to quote, beside the null variant of the same model and game, if it was asked; empty if the
        measure is not defined."""
        if self.difference.interval is None:
            return ""
        point, low, high = self.difference.interval
        size, bounds = number(abs(point)), f"({difference_in_words(low)} to {difference_in_words(high)})"
        if self.is_null:
            return f"'{self.name}', the same prompt again, differs by {size} {bounds}, by chance; p {equal_sign(self.p)}."
        differs = f"{size} {'higher' if point > 0 else 'lower'} than" if round(point, 2) else "level with"
        noise = None if null is None or null.difference.point is None else number(abs(null.difference.point))
        floor = "" if noise is None else f", {'more' if float(size) > float(noise) else 'no more'} than the null variant's {noise}"
        shows = "" if self.p_adjusted < LEVEL else ": no difference is shown"
        return f"'{self.name}' is {differs} '{self.first}' {bounds}{floor}; p {equal_sign(self.p_adjusted)} after Holm{shows}."


def p_in_words(p: float) -> str:
    """A p-value, as 0.012; a very small one as its order."""
    return f"{p:.2g}" if p >= 1e-4 else "< 0.0001"


def equal_sign(p: float) -> str:
    """A p-value after the letter, as = 0.012 or < 0.0001."""
    words = p_in_words(p)
    return words if words[0] == "<" else f"= {words}"


def compare_answers(
    others: AnswerColumns, firsts: AnswerColumns, *, model: str, game: str, kind: Kind, seed: int
) -> BenchComparison | None:
    """Compares the answers of one model under two prompts or faces; None if they share no question in which something can be lost.

    Args:
        others, firsts: the answers under each; those of the second as they are to be compared with.
        model, game, kind: what is compared, for the result.
        seed: draws the resamples.
    """
    pairs = [pair for name in np.unique(others.game) if len((pair := pair_answers(others, firsts, str(name)))[0].lost)]
    pairs = [(other, first) for other, first in pairs if other.floor.any()]
    if not pairs:
        return None
    legal = [float((other.legal - first.legal).mean()) for other, first in pairs]
    p = p_of_signs(weigh_differences(pairs))
    return BenchComparison(
        model=model,
        game=game,
        kind=kind,
        name=str(getattr(others, kind)[0]),
        first=str(getattr(firsts, kind)[0]),
        measure=estimate([sum_kept(other) for other, _ in pairs], seed),
        difference=estimate([sum_differences(*pair) for pair in pairs], seed),
        legal_first=float(np.mean(legal)),
        p=p,
        p_adjusted=p,
    )


def pair_answers(others: AnswerColumns, firsts: AnswerColumns, game: str) -> tuple[AnswerColumns, AnswerColumns]:
    """The answers to the questions of a game that are in both, in the same order."""
    other, first = others.rows(others.game == game), firsts.rows(firsts.game == game)
    runs = 1 + max(columns.repeat.max(initial=0) for columns in (other, first))
    questions = [columns.number * runs + columns.repeat for columns in (other, first)]
    _, mine, theirs = np.intersect1d(*questions, return_indices=True)
    return other.rows(mine), first.rows(theirs)


def sum_differences(other: AnswerColumns, first: AnswerColumns) -> GroupSums:
    """The sums of the difference between two measures, over paired answers of one game."""
    gained, floor, most = sum_by_group(other.group, first.lost - other.lost, other.floor, other.most)
    return GroupSums(gained, floor, -most.mean(), most.mean(), len(other.lost))


def weigh_differences(pairs: Sequence[tuple[AnswerColumns, AnswerColumns]]) -> NDArray[np.int64]:
    """The groups' differences in value lost, of all games: whole numbers, weighed so that games weigh equally in their sum."""
    totals = np.array([other.floor.sum() for other, _ in pairs])
    weights = np.rint(FINENESS * totals.max() / totals)
    sums = [weight * sum_differences(*pair).parts for weight, pair in zip(weights, pairs, strict=True)]
    return np.rint(np.concatenate(sums)).astype(np.int64)


def p_of_signs(differences: NDArray[np.int64], ties: float = 0.5) -> float:
    """The two-sided p-value of the hypothesis that the signs of independent differences (N,) are as likely as the others; 1 if all
    are 0.

    A sum of independent signs has a product of cosines as its Fourier transform, which is transformed back. Of the choices whose
    sum is as far from 0 as the observed one, `ties` count: 1 for a test that never finds too much, a half for the mid-p.
    """
    sizes, counts = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    if not len(sizes):
        return 1.0
    unit = np.gcd.reduce(sizes)
    sizes, observed = sizes // unit, abs(int(differences.sum())) // int(unit)
    largest = int(sizes @ counts)
    angles = 2 * np.pi / (2 * largest + 1) * np.arange(largest + 1)
    transform = np.prod([np.cos(size * angles) ** count for size, count in zip(sizes, counts, strict=True)], axis=0)
    chances = np.fft.irfft(transform, 2 * largest + 1)[: largest + 1]  # of the sums 0, 1, …
    chances[1:] *= 2  # of a sum's distance from 0
    p = chances[observed + 1 :].sum() + ties * chances[observed]
    return float(np.clip(p, 1e-12, 1))  # smaller ones are lost in rounding


def adjust_comparisons(comparisons: Sequence[BenchComparison]) -> list[BenchComparison]:
    """The comparisons of one model with Holm's correction, for which those of the null variant do not count."""
    adjusted = iter(adjust_p_values([comparison.p for comparison in comparisons if not comparison.is_null]))
    return [comparison if comparison.is_null else replace(comparison, p_adjusted=next(adjusted)) for comparison in comparisons]
