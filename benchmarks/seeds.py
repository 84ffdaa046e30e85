"""The seeds of a line of trained runs, and what its runs say together: median, interquartile mean with its interval, worst run.

The interquartile mean is that of the runs without the lowest and the highest quarter: of ten runs without the two lowest and the
two highest. Its interval of 95 % is a bootstrap that draws the runs of each game anew. Source: R. Agarwal and others: Deep
reinforcement learning at the edge of the statistical precipice, NeurIPS 2021.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from .study.resampling import RESAMPLES, Interval, bounds, iqm

MINUTE = 60
"""A line has ten seeds where a run takes this many processor seconds or less, and five where it takes longer."""
MARK = "†"
"""Stands behind the worst run where runs have collapsed: they end no better than random play."""
HEADS = ("median", "interquartile mean (95 %)", "worst of these")
"""The heads of `Summary.cells`."""


def seeds_of(seconds: float) -> range:
    """The seeds of a line whose runs take this many processor seconds."""
    return range(1, 11) if seconds <= MINUTE else range(1, 6)


class Summary(NamedTuple):
    """What the runs of a line say together.

    Args:
        median, mean: the median and the interquartile mean of all runs.
        low, high: the interval of the interquartile mean.
        worst: the worst run.
        collapsed: how many runs are no better than the floor.
    """

    median: float
    mean: float
    low: float
    high: float
    worst: float
    collapsed: int = 0

    @property
    def interval(self) -> Interval:
        """The interquartile mean with its interval."""
        return Interval(self.mean, self.low, self.high)

    def cells(self, write: Callable[[float], str]) -> list[str]:
        """The cells of a table, for HEADS, in which `write` writes the numbers."""
        mean, low, high = write(self.mean), write(self.low), write(self.high)
        marked = f" {MARK} ({self.collapsed})" if self.collapsed else ""
        return [write(self.median), mean if low == high else f"{mean} ({low} to {high})", write(self.worst) + marked]


def summarise(
    games: Sequence[Sequence[float]], *, worst: Callable[[Sequence[float]], float] = min, floor: float | None = None
) -> Summary:
    """What runs say together.

    Args:
        games: a number for each run, by game (G, N).
        worst: takes the worst of numbers: min where more is better, or max.
        floor: the number of random play, if runs that are no better are to be counted.
    """
    runs = np.array(games, np.float64)
    number = np.random.default_rng(0).integers(runs.shape[1], size=(RESAMPLES, *runs.shape))
    low, high = bounds(iqm(np.take_along_axis(runs[None], number, axis=2).reshape(RESAMPLES, -1)))
    return Summary(
        median=float(np.median(runs)),
        mean=float(iqm(runs.ravel())),
        low=low,
        high=high,
        worst=worst(runs.ravel().tolist()),
        collapsed=0 if floor is None else sum(worst([run, floor]) == run for run in runs.ravel().tolist()),
    )
