"""Whether counts are what chance makes of probabilities."""

import numpy as np


def fits(counts, probabilities, deviations=4):
    """Whether counts fit positive probabilities: chi-square is within a number of standard deviations of its mean."""
    expected = counts.sum() * np.asarray(probabilities)
    chi_square = ((counts - expected) ** 2 / expected).sum()
    freedom = max(1, len(counts) - 1)
    return abs(chi_square - freedom) < deviations * np.sqrt(2 * freedom)
