"""Rank correlations of policies: Kendall's τ-b, in resamples too, and Spearman's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..intervals import Resampled
from ..policies import MeasuredPolicy
from ..resampling import Floats, draw_counts

Signs = NDArray[np.float32]
"""For each two policies the sign of the difference of their values (N, N)."""
Draws = NDArray[np.float32]
"""How often each policy is drawn in each resample (B, N)."""


def draw_policies(policies: Sequence[MeasuredPolicy], seed: Sequence[int]) -> tuple[Draws, Draws]:
    """How often each policy is drawn in each resample of trainers, and of seeds within them, and of seeds alone."""
    trainers, seeds = [policy.trainer for policy in policies], [policy.cell.seed for policy in policies]
    random = np.random.default_rng(seed)
    return draw_counts(trainers, seeds, random), draw_counts(trainers, seeds, random, clusters=False)


def tau_of(measure: Floats, good: Floats, of_trainers: Draws, of_seeds: Draws) -> Resampled:
    """τ-b of a measure with what it should say, both more if better (N,), and in the resamples of trainers and of seeds alone."""
    x, y = signs_of(measure), signs_of(good)
    return Resampled(float(kendall(x, y)[0]), kendall(x, y, of_trainers), kendall(x, y, of_seeds))


def signs_of(values: Floats) -> Signs:
    """For each two policies the sign of the difference of their values (N, N)."""
    return np.sign(values[:, None] - values).astype(np.float32)


def kendall(x: Signs, y: Signs, counts: Draws | None = None) -> Floats:
    """Kendall's τ-b of policies that count so many times in each resample (B,), or once (1,); nan where one does not vary."""
    counts = np.ones((1, len(x)), np.float32) if counts is None else counts
    together, in_x, in_y = (np.einsum("bn,bn->b", counts @ pairs, counts, dtype=np.float64) for pairs in (x * y, abs(x), abs(y)))
    with np.errstate(invalid="ignore", divide="ignore"):
        return together / np.sqrt(in_x * in_y)


def spearman(x: Floats, y: Floats) -> float:
    """Spearman's rank correlation; nan where one of them does not vary."""
    a, b = (ranks(values) - (len(values) - 1) / 2 for values in (x, y))
    size = np.sqrt((a @ a) * (b @ b))
    return float(a @ b / size) if size else float("nan")


def ranks(values: Floats) -> Floats:
    """Ranks from 0; equal values share the mean of theirs."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    stops = np.cumsum(counts)
    return ((stops - counts + stops - 1) / 2)[which]
