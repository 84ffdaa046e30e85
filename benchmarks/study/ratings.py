"""Ratings beside that of perfect play: how many policies are rated above it, and what these lose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist, median
from typing import NamedTuple

import numpy as np

from ludus.arena.ratings.comparison import adjust_p_values

from ..common import table
from .policies import CLASSIC, policies_of_game, title
from .resampling import Number, decimals
from .standing import Elo, ratings

DRAWN = ("tictactoe", "quixo_4")
"""The games of the figure."""
CERTAIN = 0.05
"""The largest p-value, after Holm's correction, of a policy that stands above perfect play."""


class RatedPoint(NamedTuple):
    """A policy in the figure.

    Args:
        trainer: its trainer.
        elo: its rating.
        lost: the value that it loses a game to perfect play.
        searches: whether it is a network with search.
    """

    trainer: str
    elo: Elo
    lost: Number
    searches: bool


@dataclass(frozen=True)
class RatingsFinding:
    """The ratings of a game.

    Args:
        perfect: that of perfect play.
        trained: how many trained policies are rated.
        above: how many of these are rated above perfect play.
        losing: how many of those above lose value.
        most_lost: the most value that one of these loses a game.
        certain: how many are above it after Holm's correction.
        error: the median standard error of a rating.
        points: those of the figure, in its games.
    """

    perfect: Elo
    trained: int
    above: int
    losing: int
    most_lost: float
    certain: int
    error: float
    points: list[RatedPoint]


def find_ratings(game: str) -> RatingsFinding:
    """The ratings of a game beside that of perfect play."""
    elo = ratings(game)
    perfect = elo["perfect", ""]
    points = [
        RatedPoint(policy.trainer, elo[policy.cell.name, policy.name], policy.lost, policy.searches)
        for policy in policies_of_game(game)
        if policy.trainer != CLASSIC and policy.cell.level
    ]
    above = [point for point in points if point.elo.elo > perfect.elo]
    p_values = adjust_p_values([p_of_above(point.elo, perfect) for point in points])
    return RatingsFinding(
        perfect=perfect,
        trained=len(points),
        above=len(above),
        losing=sum(bool(point.lost) for point in above),
        most_lost=max((point.lost or 0.0 for point in above), default=0.0),
        certain=sum(p < CERTAIN for p in p_values),
        error=median(point.elo.error for point in points),
        points=points if game in DRAWN else [],
    )


def p_of_above(rating: Elo, perfect: Elo) -> float:
    """How probable a rating so far above perfect play's is if they are equal: two-sided, of normal errors; 1 if it is not above."""
    ahead = (rating.elo - perfect.elo) / np.hypot(rating.error, perfect.error)
    return 2 * (1 - NormalDist().cdf(ahead)) if ahead > 0 else 1.0


def show_ratings(games: Mapping[str, RatingsFinding]) -> dict[str, str]:
    """Policies rated above perfect play."""
    lines = [
        [
            title(game),
            f"{finding.trained:,}",
            f"{finding.perfect.elo:.0f}",
            f"{finding.error:.0f}",
            f"{finding.above:,}",
            str(finding.losing),
            decimals(finding.most_lost) if finding.losing else "",
            str(finding.certain),
        ]
        for game, finding in games.items()
    ]
    heads = ["game", "trained", "Elo of `perfect`", "error", "above it", "of these losing", "most value lost", "clearly above"]
    return {
        "above": table(heads, lines),
        "above.all": str(sum(finding.above for finding in games.values())),
        "above.losing": str(sum(finding.losing for finding in games.values())),
        "above.lost": decimals(max(finding.most_lost for finding in games.values())),
        "above.certain": str(sum(finding.certain for finding in games.values())),
    }
