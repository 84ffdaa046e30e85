"""Whether values are the same, arrays and all that holds them; and whether counts are what chance makes of probabilities."""

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence


def same(one, other):
    """Whether two values, of arrays and all that holds them, are equal to the last bit and type."""
    return data_equivalence(one, other, exact=True)


def close(one, other, relative=1e-9):
    """Whether two documents are equal, but for floats, whose last digits depend on the order in which a processor adds: these agree
    to a relative difference."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[name], other[name], relative) for name in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(close(*pair, relative) for pair in zip(one, other, strict=True))
    if isinstance(one, float) or isinstance(other, float):
        return one == pytest.approx(other, rel=relative, abs=relative)
    return one == other


def fits(counts, probabilities, deviations=4):
    """Whether counts fit positive probabilities: chi-square is within a number of standard deviations of its mean."""
    expected = counts.sum() * np.asarray(probabilities)
    chi_square = ((counts - expected) ** 2 / expected).sum()
    freedom = max(1, len(counts) - 1)
    return abs(chi_square - freedom) < deviations * np.sqrt(2 * freedom)
