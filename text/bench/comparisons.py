"""Another prompt, another face of a game, or another model, beside the first one: what differs, question by question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...arena.ratings.comparison import LEVEL, adjust_p_values
from ...arena.report.words import MINUS
from .estimates import AnswerColumns, Estimate, GroupSums, estimate, sum_by_group, sum_kept
from .permutation import p_of_signs

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
        p: of the hypothesis that nothing differs, by exchanging the signs of the groups' differences (permutation.py).
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
        """The comparison as a sentence to quote; empty if the measure is not defined.

        Args:
            null: the null variant of the same model and game, if it was asked.
        """
        point, low, high = self.difference.point, self.difference.low, self.difference.high
        if point is None or low is None or high is None:
            return ""
        bounds = f"({with_minus(low)} to {with_minus(high)})"
        if self.is_null:
            return f"'{self.name}', the same prompt again, differs by {abs(point):.2f} {bounds}, by chance; p {equal_sign(self.p)}."
        way = "higher" if point > 0 else "lower"
        size = (
            f"is {abs(point):.2f} {way} than '{self.first}' {bounds}"
            if round(point, 2)
            else f"is level with '{self.first}' {bounds}"
        )
        floor = "" if null is None or null.difference.point is None else _beside_null(abs(point), abs(null.difference.point))
        shows = "" if self.p_adjusted < LEVEL else ": no difference is shown"
        return f"'{self.name}' {size}{floor}; p {equal_sign(self.p_adjusted)} after Holm{shows}."


def _beside_null(size: float, noise: float) -> str:
    which = "more" if round(size, 2) > round(noise, 2) else "no more"
    return f", {which} than the null variant's {noise:.2f}"


def with_minus(number: float) -> str:
    """A difference with its sign, as +0.04 or −0.07."""
    return "0.00" if not round(number, 2) else f"{number:+.2f}".replace("-", MINUS)


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


def adjust_comparisons(comparisons: Sequence[BenchComparison]) -> list[BenchComparison]:
    """The comparisons of one model with Holm's correction, for which those of the null variant do not count."""
    adjusted = iter(adjust_p_values([comparison.p for comparison in comparisons if not comparison.is_null]))
    return [comparison if comparison.is_null else replace(comparison, p_adjusted=next(adjusted)) for comparison in comparisons]
