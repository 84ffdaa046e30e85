"""Numbers about answers with their intervals: the measure, and shares of answers.

The measure is 1 less the value that the answers lost over what random legal play loses in the same positions, a ratio of sums: 0
for random legal play, 1 for perfect play, less than 0 for what is worse than random. Positions that share a symmetry are one group,
and groups are resampled (arena/ratings/means.py). One more group is added for each bound, as N. Gaffke does for means
(arena/ratings/means.py): one in which everything was lost for the lower bound, one in which nothing was for the upper. So an
interval does not shrink to nothing where no answer lost anything, and holds the truth often enough where few did.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...arena.ratings.intervals import tails
from ...arena.ratings.means import RESAMPLES, draw_weights, resample_ratio
from ...core.words import MINUS
from .answers import BenchAnswer

Floats = NDArray[np.float64]
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A number and its 95 % interval, from a sample of groups.

    Args:
        point: the number; None where it is not defined: without answers, or a measure where random play loses nothing.
        low, high: the bounds; None like it.
        answers: how many answers it is made of.
        groups: how many groups these are about.
    """

    point: float | None
    low: float | None
    high: float | None
    answers: int
    groups: int

    @property
    def interval(self) -> tuple[float, float, float] | None:
        """The number and its bounds; None where it is not defined."""
        return None if self.point is None or self.low is None or self.high is None else (self.point, self.low, self.high)

    def words(self, form: Callable[[float], str] | None = None) -> str:
        """The number with its bounds, as 0.71 (0.65 to 0.77); empty where it is not defined."""
        point, low, high = map(form or number, self.interval or (0.0, 0.0, 0.0))
        return f"{point} ({low} to {high})" if self.interval else ""


def number(of: float) -> str:
    """A measure with two digits; one below 0 with a minus."""
    return f"{of:.2f}".replace("-0.00", "0.00").replace("-", MINUS)


def difference_in_words(difference: float, digits: int = 2) -> str:
    """A difference with its sign, as +0.04 or −0.07."""
    rounded = round(difference, digits)
    return f"{rounded:+.{digits}f}".replace("-", MINUS) if rounded else f"{0:.{digits}f}"


class AnswerColumns(NamedTuple):
    """Answers as columns (N,), those of one group side by side.

    Args:
        model, game, disguise, variant, asks: texts, as in `BenchAnswer`.
        repeat, number, group: whole numbers, as there.
        lost: the value lost.
        floor: what a random legal move loses.
        most: what an answer loses at most, that of a game lost.
        legal: 1 for a legal move at the first try, else 0.
    """

    model: NDArray[Any]
    game: NDArray[Any]
    disguise: NDArray[Any]
    variant: NDArray[Any]
    asks: NDArray[Any]
    repeat: NDArray[np.int64]
    number: NDArray[np.int64]
    group: NDArray[np.int64]
    lost: Floats
    floor: Floats
    most: Floats
    legal: Floats

    @classmethod
    def of(cls, answers: Sequence[BenchAnswer]) -> AnswerColumns:
        """The columns of answers, in an order that does not depend on theirs."""

        def column(name: str, kind: Any) -> NDArray[Any]:
            return np.array([getattr(answer, name) for answer in answers], kind)

        columns = cls(
            **{name: column(name, np.str_) for name in ("model", "game", "disguise", "variant", "asks")},
            **{name: column(name, np.int64) for name in ("repeat", "number", "group")},
            lost=column("value_lost", np.float64),
            floor=column("random_loses", np.float64),
            most=1.0 + column("value", np.float64),
            legal=column("legal_first", np.float64),
        )
        return columns.rows(np.lexsort((columns.repeat, columns.number, columns.group)))

    def rows(self, chosen: NDArray[Any]) -> AnswerColumns:
        """Some of the rows, by their numbers or by a mask."""
        return self._make(column[chosen] for column in self)

    def of_games(self) -> list[AnswerColumns]:
        """The rows of each game that is among them, in alphabetical order."""
        return [self.rows(self.game == game) for game in np.unique(self.game)]


class GroupSums(NamedTuple):
    """A ratio in one game, by group.

    Args:
        parts, wholes: the sums above and below the line (G,).
        least, most: what one more group would add above the line, at worst and at best.
        answers: the number of answers that these are sums of.
    """

    parts: Floats
    wholes: Floats
    least: float
    most: float
    answers: int


def sum_kept(answers: AnswerColumns) -> GroupSums:
    """The sums of the measure in one game: what random play loses less what the answers lost, over what random play loses."""
    kept, floor, nothing_kept = sum_by_group(
        answers.group, answers.floor - answers.lost, answers.floor, answers.floor - answers.most
    )
    return GroupSums(kept, floor, nothing_kept.mean(), floor.mean(), len(answers.lost))


def sum_legal(answers: AnswerColumns) -> GroupSums:
    """The sums of the share of answers that have a legal move at the first try, in one game."""
    legal, count = sum_by_group(answers.group, answers.legal, np.ones(len(answers.legal)))
    return GroupSums(legal, count, 0.0, count.mean(), len(answers.legal))


def sum_by_group(groups: NDArray[np.int64], *columns: Floats) -> list[Floats]:
    """The sum of each column (N,) in each group (G,)."""
    _, numbers = np.unique(groups, return_inverse=True)
    return [np.bincount(numbers, column).astype(np.float64) for column in columns]


def mean_of_ratios(games: Sequence[GroupSums]) -> float | None:
    """The mean of a ratio over the games where something is below the line; None if there is none."""
    ratios = [float(sums.parts.sum() / sums.wholes.sum()) for sums in games if sums.wholes.any()]
    return float(np.mean(ratios)) if ratios else None


def estimate(games: Sequence[GroupSums], seed: int) -> Estimate:
    """The mean of a ratio over games, which weigh equally, with its interval; games where nothing is below the line are left out.

    Args:
        games: the sums of each.
        seed: draws the resamples; those of different games are independent.
    """
    games, point = [sums for sums in games if sums.wholes.any()], mean_of_ratios(games)
    answers, groups = sum(sums.answers for sums in games), sum(len(sums.parts) for sums in games)
    if point is None:
        return Estimate(None, None, None, answers, groups)
    lows, highs = np.zeros(RESAMPLES), np.zeros(RESAMPLES)
    for number, (parts, wholes, least, most, _) in enumerate(games):
        wholes = np.append(wholes, wholes.mean())
        weights = _weights(len(wholes), seed, number)
        lows += resample_ratio(weights, np.append(parts, least), wholes) / len(games)
        highs += resample_ratio(weights, np.append(parts, most), wholes) / len(games)
    below, above = tails(CONFIDENCE)
    return Estimate(
        point, min(point, float(np.quantile(lows, below))), max(point, float(np.quantile(highs, above))), answers, groups
    )


@lru_cache(maxsize=32)
def _weights(clusters: int, seed: int, game: int) -> Floats:
    """The weights of the clusters of a game; the same ones for every model and prompt, so that their intervals go together."""
    return draw_weights(clusters, np.random.default_rng((seed, game)))
