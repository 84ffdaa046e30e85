"""Whether values are the same, arrays and all that holds them; and whether counts are what chance makes of probabilities."""

import numpy as np
from gymnasium.utils.env_checker import data_equivalence


def same(one, other):
    """Whether two values, of arrays and all that holds them, are equal to the last bit and type."""
    return data_equivalence(one, other, exact=True)


def fits(counts, probabilities, deviations=4):
    """Whether counts fit positive probabilities: chi-square is within a number of standard deviations of its mean."""
    expected = counts.sum() * np.asarray(probabilities)
    chi_square = ((counts - expected) ** 2 / expected).sum()
    freedom = max(1, len(counts) - 1)
    return abs(chi_square - freedom) < deviations * np.sqrt(2 * freedom)
