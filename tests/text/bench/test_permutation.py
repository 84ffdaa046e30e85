"""The p-value of paired differences: the share of all choices of signs, uniform where nothing differs, small where it does."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.text.bench.comparisons import p_of_signs

REPEATED = 1000
"""Comparisons of a model with itself."""


def count_signs(differences, ties):
    """The p-value by counting: every choice of signs, one after the other."""
    observed = abs(sum(differences))
    choices = product((-1, 1), repeat=len(differences))
    sums = [abs(sum(sign * size for sign, size in zip(signs, differences, strict=True))) for signs in choices]
    return (sum(far > observed for far in sums) + ties * sum(far == observed for far in sums)) / len(sums)


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=9).filter(any), st.sampled_from([0.0, 0.5, 1.0]))
def test_it_is_the_share_of_all_choices_of_signs(differences, ties):
    p = p_of_signs(np.array(differences), ties)
    assert p == pytest.approx(max(1e-12, count_signs(differences, ties)), abs=1e-12)


def test_where_nothing_differs_at_all_it_is_1():
    assert p_of_signs(np.zeros(5, np.int64)) == p_of_signs(np.zeros(0, np.int64)) == 1


def differences_of(random, change):
    """What 120 groups of one or two positions lose under another prompt beside the first one: a noisy model, many zeros."""
    worst, sizes = random.integers(1, 3, 240), np.repeat(np.arange(120), 2)
    chance = random.beta(0.4, 2.5, 240)  # most positions are easy
    lost, other = (worst * (random.random(240) < share) for share in (chance, np.minimum(1, chance + change)))
    asked = random.random(240) < 0.8
    return np.bincount(sizes, asked * (other - lost)).astype(np.int64)


def test_it_is_uniform_where_a_model_is_compared_with_itself():
    random = np.random.default_rng(0)
    compared = [differences_of(random, 0) for _ in range(REPEATED)]
    assert 0.5 < np.mean([(differences == 0).mean() for differences in compared]) < 0.95
    middle = np.array([p_of_signs(differences) for differences in compared])
    for level in (0.01, 0.05, 0.1, 0.25, 0.5, 0.75):
        assert abs((middle <= level).mean() - level) < 3.3 * np.sqrt(level * (1 - level) / REPEATED), level
    # the mid-p has steps; where ties are broken at random it has none, and is uniform by the test of Kolmogorov and Smirnov
    random_ties = np.sort([p_of_signs(differences, float(random.random())) for differences in compared])
    distance = np.abs(random_ties - (np.arange(REPEATED) + 0.5) / REPEATED).max() + 0.5 / REPEATED
    assert distance < 1.63 / np.sqrt(REPEATED)  # exceeded once in a hundred


def test_it_finds_what_differs():
    random = np.random.default_rng(1)
    assert np.mean([p_of_signs(differences_of(random, 0.12)) < 0.05 for _ in range(100)]) > 0.8
