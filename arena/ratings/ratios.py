"""Ratios of sums, as of the value that moves lose over what random moves lose in the same positions: what they may be by chance.

Rows that are alike, as moves after one opening or positions that share a symmetry, are summed to one cluster. Clusters are weighed
anew at random, by the Bayesian bootstrap: D. B. Rubin, Annals of Statistics 9 (1981), 130–134.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
RESAMPLES = 1000


def draw_weights(clusters: int, random: np.random.Generator) -> Floats:
    """The weight of each cluster in each resample (RESAMPLES, clusters)."""
    return random.standard_gamma(1.0, (RESAMPLES, clusters))


def resample_ratio(weights: Floats, parts: Floats, wholes: Floats) -> Floats:
    """The ratio of two sums in each resample (RESAMPLES,).

    Args:
        weights: as `draw_weights` gives them.
        parts, wholes: what the clusters add to the sum above and below the line (K,); the one below is more than 0.
    """
    sums = weights @ np.stack([parts, wholes], axis=1)
    return sums[:, 0] / sums[:, 1]
