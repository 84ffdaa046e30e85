"""H3: where errors are: by the plies that a win takes, by how often a position came up in training, and by ply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .policies import MeasuredPolicy
from .resampling import Floats, bounds, draw_seeds

FEW = 50
"""Positions of a group, over all seeds, of which no share is given."""


class Mistakes(NamedTuple):
    """How often policies of a kind err in each group of positions.

    Args:
        least: the least number of plies, or of times, of each group (G,).
        counts: positions and errors of each seed in each group (S, G, 2).
    """

    least: tuple[int, ...]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, policies: Sequence[MeasuredPolicy], what: str) -> Mistakes | None:
        """Those of policies at the largest budget by "by_distance" or "by_frequency"; None where none are known."""
        rows = [getattr(policy, what) for policy in policies if getattr(policy, what)]
        if not rows:
            return None
        table = np.array(rows, np.int64)
        return cls(tuple(table[0, :, 0].tolist()), table[..., 1:])

    @property
    def rates(self) -> Floats:
        """The share of errors in each group (G,); nan of too few positions."""
        return rates_of(self.counts.sum(0))

    def slope(self) -> tuple[float, float, float] | None:
        """By how much the share rises from a group to the next, with its 95 % interval; None with fewer than two groups."""
        if np.isfinite(self.rates).sum() < 2:
            return None
        drawn = draw_seeds(len(self.counts), np.random.default_rng(0))
        return float(slope_of(self.counts.sum(0))), *bounds(np.array([slope_of(some) for some in self.counts[drawn].sum(1)]))


def rates_of(counts: NDArray[np.int64]) -> Floats:
    """The share of errors in each group, from positions and errors (G, 2); nan of too few positions."""
    return np.where(counts[:, 0] >= FEW, counts[:, 1] / np.maximum(counts[:, 0], 1), np.nan)


def slope_of(counts: NDArray[np.int64]) -> float:
    """The slope of the share of errors over the group's number, weighted by positions (G, 2); nan with fewer than two groups."""
    rates = rates_of(counts)
    known = np.isfinite(rates)
    if known.sum() < 2:
        return float("nan")
    groups, weights = np.flatnonzero(known), counts[known, 0]
    away = groups - np.average(groups, weights=weights)
    return float((weights * away * rates[known]).sum() / (weights * away**2).sum())


def lost_by_ply(policies: Sequence[MeasuredPolicy]) -> Mapping[int, float]:
    """The share of the value lost to perfect play, over both seats and all policies, that is lost by each ply, at least.

    What a sample shows is a part of the whole, and no ply's: it is lost after the plies that are known exactly.
    """
    whole = sum(2 * policy.lost for policy in policies if policy.lost)  # over both seats, of which `lost` is the mean
    longest = max((len(seat) for policy in policies for seat in policy.by_ply), default=0)
    total = np.zeros(longest)
    for policy in policies:
        for seat in policy.by_ply:
            total[: len(seat)] += seat
    return dict(enumerate((total.cumsum() / whole).tolist())) if whole else {}
