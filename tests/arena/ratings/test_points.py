"""The points of a score with their error: against published numbers, exact distributions, and simulated matches."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta

from benchmarks.checks.ratings import chances, score
from ludus.arena import evaluate
from ludus.arena.ratings.intervals import elo_of_points
from ludus.arena.ratings.means import mean_interval, p_of_at_most
from ludus.arena.ratings.score import SHARES

OPENINGS = st.lists(st.sampled_from([0, 0, 1, 2, 7, 300]), min_size=9, max_size=9)


def bits(ones, total):
    """Openings that are won or lost with both games."""
    return np.array([total - ones, 0, 0, 0, ones])


# ---- numbers of others


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(81, 263, 0.2527, 0.3676), (15, 148, 0.0578, 0.1617), (0, 20, 0, 0.1684), (1, 29, 0.0009, 0.1776)],
)
def test_of_zeros_and_ones_the_bounds_are_newcombes_exact_ones(count, total, low, high):
    """R. G. Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 5."""
    assert mean_interval(SHARES, bits(count, total)) == pytest.approx((low, high), abs=5e-5)
    assert mean_interval(SHARES, bits(total - count, total)) == pytest.approx((1 - high, 1 - low), abs=5e-5)


@pytest.mark.parametrize(("ones", "total"), [(1, 1), (3, 5), (700, 1000), (60_000, 100_000)])
def test_of_zeros_and_ones_the_p_value_is_that_of_the_binomial_test(ones, total):
    for mean in (0.1, 0.5, 0.6):
        assert p_of_at_most(mean, SHARES, bits(ones, total)) == pytest.approx(beta.cdf(mean, ones, total - ones + 1), rel=1e-9)


def test_elo_of_points_is_the_logistic_curve():
    assert elo_of_points(10 / 11) == pytest.approx(400)
    assert elo_of_points(0.5) == 0
    assert (elo_of_points(0), elo_of_points(1)) == (-math.inf, math.inf)


# ---- how often the interval contains the truth


@pytest.mark.parametrize("openings", [5, 20, 50])
@pytest.mark.parametrize("elo", [0, 100, 700])
@pytest.mark.parametrize("alike", [0, 0.8])
def test_the_interval_contains_the_true_points_in_94_of_100_matches(openings, elo, alike):
    (probable,) = chances((elo, 0), 40, 0.8, alike).values()
    shares = np.add.outer([1, 0.5, 0], [1, 0.5, 0]).ravel() / 2
    drawn, times = np.unique(np.random.default_rng(0).multinomial(openings, probable, 2000), axis=0, return_counts=True)
    covered = [is_covered(row, probable @ shares) for row in drawn]
    assert np.dot(covered, times) >= 0.94 * 2000


def is_covered(openings, mean):
    """Whether the interval contains a mean, without the search for its bounds."""
    counts = np.bincount(4 - np.add.outer(range(3), range(3)).ravel(), openings, 5)
    return min(p_of_at_most(mean, SHARES, counts), p_of_at_most(1 - mean, 1 - SHARES, counts)) > 0.025


# ---- what holds of every score


@given(OPENINGS)
@settings(max_examples=60)
def test_every_score_has_bounds_around_its_points_and_the_turned_score_has_them_mirrored(openings):
    made = score("a", "b", openings)
    low, high = made.points_interval()
    points = (np.add.outer([1, 0.5, 0], [1, 0.5, 0]).ravel() / 2) @ openings / max(1, sum(openings)) if any(openings) else 0.5
    assert 0 <= low <= points + 1e-6
    assert points - 1e-6 <= high <= 1
    assert made.turned.points_interval() == pytest.approx((1 - high, 1 - low), abs=1e-6)
    assert made.turned.p_value() == pytest.approx(made.p_value(), rel=1e-6)
    if min(abs(low - 0.5), abs(high - 0.5)) > 1e-6:
        assert (low < 0.5 < high) == (made.p_value() > 0.05)


def test_the_games_of_an_opening_are_one_observation():
    alike = score("a", "b", [[50, 0, 0], [0, 0, 0], [0, 0, 50]])
    apart = score("a", "b", [[25, 0, 25], [0, 0, 0], [25, 0, 25]])
    opposed = score("a", "b", [[0, 0, 50], [0, 0, 0], [50, 0, 0]])
    widths = [high - low for low, high in (made.points_interval() for made in (alike, apart, opposed))]
    assert widths[0] / widths[1] == pytest.approx(math.sqrt(2), rel=0.05)
    assert widths[2] < widths[1] / 2


def test_who_won_everything_has_a_lower_bound_only():
    made = evaluate("perfect", "nim", "random", 10, opening_plies=0)
    assert (made.wins, made.points_interval()) == (10, pytest.approx((0.025 ** (1 / 5), 1), abs=1e-6))
    assert made.elo() == pytest.approx((math.inf, elo_of_points(0.025 ** (1 / 5)), math.inf), abs=1e-3)
    assert made.document()["elo"] == [None, made.elo().low, None]
    assert "makes 100.0% of the points (47.8% to 100.0%; Elo above -15)." in str(made)
    assert made.turned.elo() == pytest.approx((-math.inf, -math.inf, -made.elo().low), abs=1e-3)


def test_a_margin_is_harder_to_beat_than_equality_and_easier_not_to_fall_short_of():
    made = score("a", "b", [20, 4, 5, 4, 8, 2, 6, 1, 3])
    assert made.p_value(-0.1) < made.p_value(0) == made.p_value() / 2 < made.p_value(0.1)
    low, _ = made.points_interval(0.9)
    assert made.p_value(low - 0.5) == pytest.approx(0.05, abs=1e-5)
    with pytest.raises(ValueError, match=r"margin is 0.6; it is a share of the points above a half, from -0.5 to 0.5"):
        made.p_value(0.6)


def test_without_games_nothing_is_known():
    nothing = score("a", "b", [0] * 9)
    assert (nothing.points_interval(), nothing.p_value(), nothing.p_value(0.2)) == ((0, 1), 1, 1)
    assert nothing.elo() == pytest.approx((math.nan, -math.inf, math.inf), nan_ok=True)
