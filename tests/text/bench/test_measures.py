# type: ignore
"""The report of a bench: numbers that follow from the answers by hand, their intervals and p-values, and its sentences."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.text.bench.comparisons import p_of_signs
from ludus.text.bench.estimates import GroupSums, estimate
from ludus.text.bench.findings import findings
from ludus.text.bench.measures import ALL_GAMES, measure

from ...helpers.text.benched import an_answer, answers_of, noisy


def test_the_measure_is_one_less_what_was_lost_over_what_random_play_loses():
    report = measure(answers_of([0, 1, 0, 0.0, 0, 0]))
    assert report.of("m").measure.point == pytest.approx(1 - 1 / 3)
    assert {name: of.point for name, of in report.of("m").by_asks.items()} == pytest.approx(
        {"win now": 1, "stop a loss": 0, "quiet": 1}
    )
    assert report.of("m").measure.groups == 6


def test_random_play_measures_0_and_perfect_play_1():
    assert measure(answers_of([0.5] * 8)).of("m").measure.point == 0
    perfect = measure(answers_of([0] * 100)).of("m").measure
    assert perfect.point == perfect.high == 1
    assert 0.8 < perfect.low < 0.97  # a hundred positions do not prove that none is lost


def test_the_same_answers_in_any_order_give_the_same_numbers():
    answers = noisy("m", 0.3) + noisy("m", 0.3, seed=1, variant="null") + noisy("m", 0.3, seed=2, game="nim")
    mixed = [answers[number] for number in np.random.default_rng(0).permutation(len(answers))]
    first, second = (
        measure(answers),
        measure(sorted(mixed, key=lambda answer: (answer.game != "tictactoe", answer.variant == "null"))),
    )
    assert first.measures[0].measure == second.measures[0].measure
    assert first.comparisons == second.comparisons
    assert measure(answers, seed=1).measures[0].measure != first.measures[0].measure


def test_the_interval_resamples_groups_not_answers():
    alone = measure([an_answer(n, value_lost=2.0 * (n < 10), group=n) for n in range(60)]).of("m").measure
    together = measure([an_answer(n, value_lost=2.0 * (n < 10), group=n // 10) for n in range(60)]).of("m").measure
    assert alone.point == pytest.approx(together.point)
    assert together.high - together.low > 1.5 * (alone.high - alone.low)


@pytest.mark.parametrize("errs", [0.02, 0.3])
def test_the_interval_holds_the_truth(errs):
    random, held, floors = np.random.default_rng(0), 0, np.full(60, 0.5)
    for _ in range(200):
        lost = 2.0 * (random.random(60) < errs)
        found = estimate([GroupSums(floors - lost, floors, least=-1.5, most=0.5, answers=60)], seed=0)
        held += found.low <= 1 - 2 * errs / 0.5 <= found.high
    assert held / 200 > 0.93  # plain resampling holds it in two of three cases where errors are rare


def test_a_better_prompt_is_found_and_the_null_variant_is_beside_it():
    answers = noisy("m", 0.4) + noisy("m", 0.4, seed=1, variant="null") + noisy("m", 0.1, seed=2, variant="list")
    null, better = measure(answers).comparisons
    assert null.is_null
    assert null.p > 0.05
    assert better.difference.low > 0
    assert better.p < better.p_adjusted + 1e-12 < 0.01
    assert better.difference.point == pytest.approx(better.measure.point - measure(answers).of("m").measure.point)
    sentence = better.sentence(null)
    assert sentence.startswith(f"'list' is {better.difference.point:.2f} higher than 'plain' (+")
    assert f"more than the null variant's {abs(null.difference.point):.2f}" in sentence


@pytest.mark.parametrize(
    ("p_adjusted", "end"), [(0.04, "p = 0.04 after Holm."), (0.06, "p = 0.06 after Holm: no difference is shown.")]
)
def test_a_sentence_goes_by_holms_correction(p_adjusted, end):
    (compared,) = measure(noisy("m", 0.4) + noisy("m", 0.1, variant="list")).comparisons
    assert replace(compared, p=0.01, p_adjusted=p_adjusted).sentence().endswith(end)


def test_over_several_games_p_counts_choices_of_signs_with_games_weighing_equally():
    random, floors = np.random.default_rng(5), {"nim": 0.5, "tictactoe": 1.0, "quixo:size=3": 0.25}
    first, other = ([], [])
    for game, floor in floors.items():
        first += answers_of(random.integers(0, 3, 4), game=game, random_loses=floor)
        other += answers_of(random.integers(0, 3, 4), game=game, random_loses=floor, variant="list")
    compared = measure(first + other).comparisons[0]
    differences = [(a.value_lost - b.value_lost) / (4 * floors[a.game]) / 3 for a, b in zip(first, other, strict=True)]
    assert (compared.game, compared.difference.point) == (ALL_GAMES, pytest.approx(sum(differences)))
    sums = np.abs([np.dot(signs, differences) for signs in product((-1, 1), repeat=12)])
    observed = abs(sum(differences))
    ties = np.abs(sums - observed) < 1e-9
    assert compared.p == pytest.approx(((sums > observed) & ~ties).mean() + ties.mean() / 2)
    assert 0.01 < compared.p < 0.99


def test_each_repeat_of_a_question_is_compared_with_the_same_one():
    losses = {("plain", 0): [0, 1], ("plain", 1): [1, 1], ("list", 0): [1, 1], ("list", 1): [2, 1]}
    answers = [answer for (variant, run), lost in losses.items() for answer in answers_of(lost, variant=variant, repeat=run)]
    (compared,) = measure(answers).comparisons
    assert (compared.difference.answers, compared.difference.point) == (4, pytest.approx(-2 / (4 * 0.5)))


def test_models_are_compared_on_the_same_questions_and_controls_not_with_each_other():
    answers = noisy("low", 0.5, seed=1) + noisy("high", 0.1, seed=2) + noisy("low too", 0.5, seed=3)
    report = measure(
        answers + answers_of([0] * 120, model="perfect") + answers_of([0.5] * 120, model="random"), controls=["perfect", "random"]
    )
    pairs = {(row.name, row.first): row for row in report.pairs}
    assert len(pairs) == 3 + 2 * 3
    assert all(report.of(name).measure.point <= report.of(first).measure.point for name, first in pairs)
    lower = pairs["low", "high"]
    assert lower.difference.point == pytest.approx(report.of("low").measure.point - report.of("high").measure.point)
    assert lower.p <= lower.p_adjusted < 0.001
    (alike,) = (row for names, row in pairs.items() if set(names) == {"low", "low too"})
    assert alike.p > 0.05
    assert ("random", "perfect") not in pairs


def test_holm_allows_for_what_was_asked_besides_the_first_prompt_and_the_null_variant():
    answers = noisy("m", 0.4, seed=9)
    for seed, (name, errs) in enumerate([("null", 0.4), ("list", 0.3), ("grid", 0.2)]):
        answers += noisy("m", errs, seed=seed, variant=name)
    null, *compared = measure(answers).comparisons
    low, high = sorted(compared, key=lambda row: row.p)
    assert null.p_adjusted == null.p
    assert low.p_adjusted == pytest.approx(min(1, 2 * low.p))
    assert high.p_adjusted == pytest.approx(max(low.p_adjusted, high.p))
    assert 0 < low.p < 0.5


def test_runs_are_measured_one_by_one():
    runs = [[0, 1, 2, 0, 1], [0, 2, 1, 0, 0], [2, 2, 1, 0, 2]]
    answers = [answer for run, lost in enumerate(runs) for answer in answers_of(lost, repeat=run)]
    measures = [1 - np.mean(lost) / 0.5 for lost in runs]
    row = measure(answers).of("m")
    assert row.runs == pytest.approx(measures)
    assert row.between_runs == pytest.approx(np.std(measures, ddof=1))
    assert measure(answers_of(runs[0])).of("m").between_runs is None


def test_tokens_and_faults_are_counted():
    bad = {"move": None, "legal_first": False, "attempts": 2, "faults": ("nothing", "illegal"), "value_lost": 2.0}
    free = [an_answer(n, model="random", tokens_in=n or None, tokens_out=None) for n in range(2)]
    report = measure([*answers_of([0, 0, 0]), an_answer(3, **bad), *free], controls=["random"])
    row, (spent, nothing) = report.of("m"), report.spending
    assert (row.without_move, row.faults) == (1, {"nothing": 1, "illegal": 1})
    assert row.legal_first.point == 0.75
    assert (spent.tokens_in, spent.tokens_out, spent.uncounted) == (400, 40, 0)
    assert nothing.uncounted == 2
    assert report.controls == ("random",)


def test_the_worst_answers_lost_most_where_random_play_loses_least():
    lost = [(1.0, 0.1), (2.0, 0.9), (0.0, 0.1), (2.0, 0.2)]
    answers = [an_answer(number, value_lost=value, random_loses=loses) for number, (value, loses) in enumerate(lost)]
    assert [answer.number for answer in measure(answers).worst] == [3, 1, 0]


# ---- what it says in sentences


def test_the_ranking_stands_first_and_models_go_by_their_names():
    answers = (
        noisy("llm:model=better,url=http://localhost/v1", 0.1) + noisy("llm:model=worse", 0.3) + answers_of([0.5], model="random")
    )
    first, *_ = findings(measure(answers, controls=["random"]))
    assert re.match(r"better measures 0\.\d\d \(.*\), worse .*: 0 is random legal play", first)
    assert "random 0" not in first


def test_models_that_are_not_shown_to_differ_are_named():
    models = noisy("a", 0.4) + noisy("b", 0.4, seed=1) + answers_of([0] * 120, model="perfect")
    _, pairs, *_ = findings(measure(models, controls=["perfect"]))
    assert re.fullmatch(
        r"No difference is shown, question by question and after Holm, between [ab] and [ab] \(p = [\d.]+\)\.", pairs
    )
    report = measure(noisy("a", 0.4) + noisy("b", 0.1))
    found = replace(report, pairs=(replace(report.pairs[0], p=0.01, p_adjusted=0.06),))
    assert any("after Holm, between" in sentence for sentence in findings(found))
    _, pairs, *_ = findings(measure([answer for answer in models if answer.model != "b"], controls=["perfect"]))
    assert pairs == "Each model differs from every control, question by question, with p < 0.05 after Holm."


def test_a_control_that_comes_out_wrong_is_said_to():
    wrong = measure(
        answers_of([0] * 20 + [1], model="perfect") + answers_of([0] * 50, model="random"), controls=["perfect", "random"]
    )
    said = findings(wrong)
    assert any("'perfect' must measure 1 and measures 0.905: something is wrong" in sentence for sentence in said)
    assert any("'random' should measure about 0" in sentence for sentence in said)
    turned = answers_of([0] * 20, model="perfect") + answers_of([2] * 20, model="perfect", disguise="mirrored")
    assert any(
        "must play alike in 'mirrored' and 'none'" in sentence for sentence in findings(measure(turned, controls=["perfect"]))
    )
    right = measure(answers_of([0] * 20, model="perfect") + answers_of([0.5] * 20, model="random"), controls=["perfect", "random"])
    (about,) = (sentence for sentence in findings(right) if "must" in sentence or "should" in sentence)
    assert re.fullmatch(r"The control 'random' measures 0\.00 \(.*\), about 0 as it must\.", about)


def test_a_bad_prompt_and_missing_answers_are_found():
    quiet = [an_answer(number, value_lost=2.0 * (number % 3 == 2 and number % 2)) for number in range(120)]
    said = findings(measure(quiet + noisy("m", 0.8, variant="list") + noisy("m", 0.2, variant="null") + noisy("n", 0, count=100)))
    assert any(sentence.startswith("m: 'list' is") and "lower than 'plain'" in sentence for sentence in said)
    assert "Not all answered all questions: n 100 of 120." in said


# ---- the p-value of paired differences

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
