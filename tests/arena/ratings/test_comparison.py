"""Two scores compared: paired by opening where that is possible, with p-values that allow for several comparisons."""

import re
from dataclasses import replace

import numpy as np
import pytest

from ludus.arena import Score, compare, compare_all, evaluate, tournament
from ludus.arena.matches.games import Pairing
from ludus.arena.ratings.comparison import _describe, adjust_p_values, describe_pairs
from ludus.arena.ratings.evidence import Evidence
from ludus.arena.ratings.score import total
from ludus.arena.report.data import report_of
from ludus.arena.report.page import page


def match(name, quarters, seed=0, game="nim", against="random"):
    """A score of openings that gave these quarters of their points; seat 0's game gives all it can."""
    quarters = np.array(quarters, np.int64)
    openings, plies = np.zeros((3, 3), np.int64), np.zeros((2, 3, 1), np.int64)
    first = np.minimum(quarters, 2)
    lost = 2 - first, 2 - (quarters - first)
    np.add.at(openings, lost, 1)
    for seat in range(2):
        np.add.at(plies, (seat, lost[seat], 0), 1)
    numbered = np.stack([np.arange(len(quarters)), quarters], 1)
    evidence = Evidence(openings=openings, lines=None, seeds=frozenset({seed}), numbered=numbered)
    return Score(Pairing(game, name, against), plies=plies, evidence=evidence)


def test_equal_scores_of_the_same_openings_differ_by_nothing():
    mine = match("a", [4, 0] * 50)
    same, apart = compare(mine, match("b", [4, 0] * 50)), compare(mine, match("b", [4, 0] * 50, seed=1))
    assert (same.is_paired, same.difference, same.p_value) == (True, 0, 1)
    assert (apart.is_paired, apart.difference, apart.p_value) == (False, 0, pytest.approx(1, abs=0.01))
    assert same.low < 0 < same.high < apart.high / 3  # openings drop out


def test_of_two_that_won_everything_from_different_openings_either_may_be_ahead():
    mine = match("a", [4] * 20)
    apart = compare(mine, match("b", [4] * 20, seed=1))
    assert (apart.low, apart.high) == pytest.approx((mine.points_interval()[0] - 1, 1 - mine.points_interval()[0]))


def test_what_every_opening_shows_is_certain_and_p_agrees_with_the_interval():
    for seed in (0, 1):
        clear = compare(match("a", [4, 1] * 50), match("b", [3, 0] * 50, seed=seed))
        assert clear.difference == 0.25
        assert (clear.p_value < 0.05) == (clear.low > 0)
    paired = compare(match("a", [4, 1] * 50), match("b", [3, 0] * 50))
    assert paired.p_value < 1e-6
    assert 0 < paired.low < 0.25 < paired.high


@pytest.mark.parametrize(("seed", "shared", "comparisons"), [(0, 0, 100), (0, 0.8, 100), (1, 0, 20)])
def test_the_interval_contains_the_true_difference_in_94_of_100_comparisons(seed, shared, comparisons):
    """The luck of an opening is shared by both policies in so many of them."""
    rng, likely = np.random.default_rng(0), np.array([0.05, 0.1, 0.15, 0.2, 0.5]).cumsum()
    truth, covered = 2.5 - 3.0, 0
    for _ in range(comparisons):
        luck = rng.random((2, 20))
        luck[1] = np.where(rng.random(20) < shared, luck[0], luck[1])
        first = (np.array([0.1, 0.15, 0.2, 0.25, 0.3]).cumsum()[:-1, None] < luck[0]).sum(0)
        second = (likely[:-1, None] < luck[1]).sum(0)
        result = compare(match("a", first), match("b", second, seed))
        covered += result.low <= truth / 4 <= result.high
    assert covered >= 0.94 * comparisons


def test_matches_of_one_seed_are_paired_also_in_parts_and_in_any_order():
    a, b = (evaluate(policy, "tictactoe", "greedy", 40, seed=3) for policy in ("minimax:depth=2", "random"))
    result = compare(a, b)
    assert result.is_paired
    assert result.difference == a.points - b.points
    mixed = replace(b, evidence=replace(b.evidence, numbered=b.evidence.numbered[::-1]))
    assert compare(a, mixed) == result
    contest = tournament("tictactoe", ["minimax:depth=2", "random"], 40, against=["greedy"], seed=3)
    assert compare(*contest.scores.values()).is_paired
    several = a + evaluate("minimax:depth=2", "tictactoe", "greedy", 40, seed=4)
    assert several.evidence.numbered is None
    assert not compare(several, b).is_paired
    assert total([a], "minimax:depth=2").evidence.numbered is None


# ---- several policies


def test_holms_p_values_are_those_of_r():
    """p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")."""
    assert adjust_p_values([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert adjust_p_values([0.6, 0.7]) == [1, 1]
    assert adjust_p_values([]) == []


def test_each_two_of_several_policies_are_compared_and_their_p_values_adjusted():
    scores = [match(name, quarters) for name, quarters in (("a", [4] * 20), ("b", [2] * 20), ("c", [2, 1] * 10))]
    results = compare_all(scores)
    assert [(result.a, result.b) for result in results] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [result.p_adjusted for result in results] == adjust_p_values([result.p_value for result in results])
    assert "with Holm's correction" in str(results[1])


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (match("b", [4], game="quixo"), "one score is of nim: a – random, the other of quixo: b – random; give those of one game"),
        (match("b", []), "a score has no games"),
    ],
)
def test_what_cannot_be_compared_is_said(other, words):
    with pytest.raises(ValueError, match=words):
        compare(match("a", [4]), other)


def test_pairs_of_a_tournament_have_holm_s_p_values_wherever_it_is_shown():
    contest = tournament("tictactoe", ["random", "greedy", "minimax:depth=2"], 40, self_play=True)
    p_values = contest.p_adjusted("tictactoe")
    scores = [score for score in contest.scores.values() if score.pairing.a != score.pairing.b]
    assert [*p_values] == [score.pairing for score in scores]
    assert [*p_values.values()] == adjust_p_values([score.p_value() for score in scores])
    for pair in contest.document()["pairs"]:
        score = contest.scores[Pairing(pair["game"], pair["a"], pair["b"])]
        assert (pair["p_value"], pair["p_adjusted"]) == (score.p_value(), p_values.get(score.pairing))
    assert describe_pairs(scores) in str(contest)
    html = page(report_of(contest))
    for pairing in contest.scores:
        p_value = f"{p_values[pairing]:.2g}" if pairing in p_values else ""
        assert re.search(f'row">{pairing.a}</th><th>{pairing.b}</th>.*<td>{p_value}</td></tr>', html)


@pytest.mark.parametrize(
    ("p_values", "sentence"),
    [
        ((), ""),
        ((0.001,), "The two differ (p 0.001)."),
        ((0.3,), "No difference is shown (p 0.3)."),
        ((0.01, 0.02), "All 2 pairs differ (p < 0.05 with Holm's correction)."),
        ((0.01, 0.05), "1 of 2 pairs differ (p < 0.05 with Holm's correction); no difference is shown between a1 – b (p 0.05)."),
    ],
)
def test_a_sentence_says_which_pairs_differ(p_values, sentence):
    assert _describe({Pairing("nim", f"a{number}", "b"): p for number, p in enumerate(p_values)}) == sentence
