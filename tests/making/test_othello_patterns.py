"""The numbers of Othello's patterns: mirror images share one, and least squares find the numbers."""

import numpy as np

import ludus
from benchmarks.making import othello_patterns
from benchmarks.making.othello_patterns import RIDGE, Examples, Round, features_of, learn, least_squares, sums_of, totals_of
from ludus.games.evaluation import PLAIN
from ludus.search.patterns.evaluation import LENGTHS, MOVES, SIZE, STAGES, STARTS, mirror_classes, stage_of

from ..helpers.games import positions

OTHELLO = ludus.make_game("othello")


def test_each_place_has_a_number_and_its_mirror_image_the_same():
    same, states = mirror_classes(), positions(OTHELLO, 60)
    assert (same[same] == same).all()
    for family, (start, length) in enumerate(zip(STARTS, LENGTHS, strict=True)):
        different = len(np.unique(same[start : start + 3**length]))
        # what a mirror image leaves as it is: the cells on the axis, and one of each pair
        fixed = {0: 3**5, 1: 3**10, 2: 3**6}.get(family, 3 ** ((length + 1) // 2))
        assert different == (3**length + fixed) // 2
    assert (same[MOVES:] == np.arange(MOVES, SIZE)).all()
    turned = OTHELLO.permuted(states, np.full(len(states), 3))
    np.testing.assert_array_equal(np.sort(features_of(states)), np.sort(features_of(turned)))


def test_least_squares_leave_errors_that_no_number_makes_smaller():
    rng = np.random.default_rng(1)
    features = features_of(positions(OTHELLO, 300)[:200])
    values = rng.normal(0, 10, len(features))
    numbers = least_squares(features, values)
    errors = values - sums_of(features, numbers)
    assert np.std(errors) < 0.7 * np.std(values)
    np.testing.assert_allclose(totals_of(features, errors), RIDGE * numbers, atol=0.3)


def test_a_round_learns_all_stages_the_same_each_time(monkeypatch):
    monkeypatch.setattr(othello_patterns, "STEPS", 2)
    nothing = [list[Examples]() for _ in range(STAGES)]
    (examples, tables), (_, again) = (learn(Round(60, 1, 40, (1, 2)), PLAIN, 1, nothing) for _ in range(2))
    assert [stage_of(int(each.states[0, 0] | each.states[0, 1]).bit_count()) for each in examples] == [*range(STAGES)]
    np.testing.assert_array_equal(again, tables)
