"""Rank correlations, discordant pairs and power laws, each with a 95 % interval by bootstrap over runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
RESAMPLES = 1000
TAILS = (0.025, 0.975)
SEED = 0


def ranks(values: Floats) -> Floats:
    """Ranks from 0; equal values share the mean of theirs."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    stops = np.cumsum(counts)
    return ((stops - counts + stops - 1) / 2)[which]


def spearman(x: Floats, y: Floats) -> float:
    """Spearman's rank correlation; nan where one of them does not vary."""
    a, b = (ranks(values) - (len(values) - 1) / 2 for values in (x, y))
    size = np.sqrt((a @ a) * (b @ b))
    return float(a @ b / size) if size else float("nan")


def discordant(x: Floats, y: Floats) -> float:
    """Of the pairs that differ in both, the share that x orders the other way round than y; nan without such pairs."""
    signs = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    differing = np.count_nonzero(signs)
    return float(np.count_nonzero(signs < 0) / differing) if differing else float("nan")


def least_squares(inputs: Floats, outputs: Floats) -> tuple[Floats, float]:
    """The slopes of a plane through points (K,), and the share of the variance that it explains.

    Args:
        inputs: the coordinates (N, K); one that does not vary has the slope nan.
        outputs: the heights (N,).
    """
    slopes = np.full(inputs.shape[1], np.nan)
    varying = np.ptp(inputs, axis=0) > 0
    design = np.column_stack([np.ones(len(inputs)), inputs[:, varying]])
    found = np.linalg.lstsq(design, outputs, rcond=None)[0]
    slopes[varying] = found[1:]
    total = float(((outputs - outputs.mean()) ** 2).sum())
    left = float(((outputs - design @ found) ** 2).sum())
    return slopes, 1 - left / total if total else float("nan")


def bounds(clusters: Sequence[object], statistic: Callable[[NDArray[np.int64]], Floats | float]) -> list[tuple[float, float]]:
    """The 95 % bounds of statistics of rows, when whole clusters of rows are drawn again.

    Args:
        clusters: what each row belongs to (N,): rows of one run are not independent.
        statistic: from the numbers of rows, some of them several times, to one number or several.
    """
    groups: dict[object, list[int]] = {}
    for row, cluster in enumerate(clusters):
        groups.setdefault(cluster, []).append(row)
    members, random = [np.array(rows) for rows in groups.values()], np.random.default_rng(SEED)
    drawn = [
        np.atleast_1d(statistic(np.concatenate([members[one] for one in random.integers(len(members), size=len(members))])))
        for _ in range(RESAMPLES)
    ]
    return [_between(column) for column in np.array(drawn, np.float64).T]


def _between(found: Floats) -> tuple[float, float]:
    """The bounds of resampled numbers; nan where hardly any could be computed."""
    known = found[np.isfinite(found)]
    if len(known) < len(found) / 2:
        return float("nan"), float("nan")
    low, high = np.quantile(known, TAILS)
    return float(low), float(high)
