"""The sequential test of two policies: against Fishtest's published ratios, brute force, and simulated matches."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from ludus.arena import Sprt
from ludus.arena.matches.games import Pairing
from ludus.arena.ratings import sprt as module
from ludus.arena.ratings.evidence import Evidence
from ludus.arena.ratings.score import SHARES, Score
from ludus.arena.ratings.sprt import EMPTY, SprtResult, log_likelihood_ratio

COUNTS = st.lists(st.sampled_from([0, 0, 1, 3, 20, 5000]), min_size=5, max_size=5).filter(any)


@pytest.mark.parametrize(
    ("elo0", "elo1", "pairs", "ratio"),
    [
        (-1.0, 3.0, [424, 2948, 5832, 3045, 460], 2.94),  # official-stockfish/Stockfish pull request 2493
        (0.0, 2.0, [1284, 17437, 55536, 18085, 1292], 2.94),
        (-1.5, 0.5, [243, 1665, 3339, 1762, 281], 2.95),  # 2598
        (-1.5, 0.5, [444, 5546, 17841, 5604, 428], 2.63),
        (-0.5, 1.5, [17, 253, 1042, 337, 39], 2.96),  # 2971
        (0.25, 1.75, [11, 407, 3238, 513, 11], 2.93),
        (-0.25, 1.25, [253, 4282, 17604, 4431, 286], 2.94),  # 3209
        (0.25, 1.25, [14, 1030, 14318, 1163, 19], 2.93),  # 3331
    ],
)
def test_the_ratio_is_what_fishtest_published(elo0, elo1, pairs, ratio):
    assert log_likelihood_ratio(np.array(pairs), Sprt(elo0, elo1)) == pytest.approx(ratio, abs=0.005)


def greatest_likelihood(counts, mean):
    """By a general method: the largest log-likelihood of five results with this mean."""

    def weights(logits):
        odds = np.exp(logits - logits.max())
        return odds / odds.sum()

    some = np.where(np.array(counts) > 0, counts, EMPTY)
    best = minimize(
        lambda logits: -some @ np.log(weights(logits)) / some.sum(),
        np.log(some / some.sum()),
        constraints={"type": "eq", "fun": lambda logits: weights(logits) @ SHARES - mean},
        options={"maxiter": 1000, "ftol": 1e-15},
    )
    return -best.fun * some.sum()


@pytest.mark.parametrize("counts", [[1, 2, 3, 4, 5], [10, 0, 7, 0, 30], [3, 40, 60, 35, 9], [30, 1, 1, 1, 1]])
def test_the_ratio_is_that_of_the_greatest_likelihoods(counts):
    test = Sprt(-30, 50)
    brute = greatest_likelihood(counts, test.points[1]) - greatest_likelihood(counts, test.points[0])
    assert log_likelihood_ratio(np.array(counts), test) == pytest.approx(brute, abs=1e-4)


@given(COUNTS, st.sampled_from([-300, -5, 0, 20]), st.sampled_from([1, 10, 400]))
@settings(max_examples=100)
def test_from_the_other_side_the_ratio_is_turned(counts, elo0, gap):
    ratio = log_likelihood_ratio(np.array(counts), Sprt(elo0, elo0 + gap))
    turned = log_likelihood_ratio(np.array(counts[::-1]), Sprt(-elo0 - gap, -elo0))
    assert math.isfinite(ratio)
    assert turned == pytest.approx(-ratio, rel=1e-6, abs=1e-6)


def test_bounds_and_points_are_walds_and_elos():
    assert Sprt(0, 5).bounds == (pytest.approx(math.log(1 / 19)), pytest.approx(math.log(19)))
    assert Sprt(0, 5, 0.01, 0.2).bounds == (pytest.approx(math.log(0.2 / 0.99)), pytest.approx(math.log(80)))
    assert Sprt(0, 400).points == (0.5, pytest.approx(10 / 11))


def test_the_first_crossing_decides_and_no_later_result_changes_it(monkeypatch):
    monkeypatch.setattr(module, "AT_ONCE", 128)
    shares = np.random.default_rng(1).choice(5, 500, p=[0.2, 0.2, 0.2, 0.15, 0.25])
    for test in (Sprt(0, 100), Sprt(0, 30), Sprt(0, 1)):
        low, high = test.bounds
        counts, decision = np.zeros(5, np.int64), "undecided"
        for share in shares:
            counts[share] += 1
            ratio = float(log_likelihood_ratio(counts, test))
            decision = "H0" if ratio <= low else "H1" if ratio >= high else decision
            if decision != "undecided":
                break
        result = SprtResult.after(shares, test)
        assert (result.decision, result.pairs, result.games) == (decision, tuple(counts), 2 * counts.sum())
        assert result.llr == pytest.approx(ratio, abs=1e-9)
        assert result == SprtResult.after(shares[: counts.sum()], test)
    assert decision == "undecided"


def test_openings_count_in_their_order_up_to_the_first_that_is_missing():
    empty = Score.empty(Pairing("nim", "a", "b"), 0)
    some = replace(empty, evidence=Evidence(numbered=np.array([[3, 0], [0, 4], [2, 4], [1, 3], [5, 0]])))
    assert SprtResult.of(some, Sprt()).pairs == (1, 0, 0, 1, 2)
    assert SprtResult.of(empty, Sprt()) == SprtResult(Sprt(), "undecided", 0.0, 0, (0,) * 5)
    with pytest.raises(ValueError, match="of nim: a – b, it is not known what each opening gave"):
        SprtResult.of(replace(empty, evidence=Evidence(numbered=None)), Sprt())


@pytest.mark.parametrize(("settings", "words"), [((5, 5), "elo0 must be the smaller"), ((0, 5, 0.5), "alpha is 0.5; ")])
def test_hypotheses_that_cannot_be_tested_are_refused_in_a_sentence(settings, words):
    with pytest.raises(ValueError, match=words):
        Sprt(*settings)
