# type: ignore
"""What a report says in sentences."""

import re
from dataclasses import replace

from ludus.text.bench.findings import findings
from ludus.text.bench.measures import measure

from ...helpers.text.benched import an_answer, answers_of, noisy


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
