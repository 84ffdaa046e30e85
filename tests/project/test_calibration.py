"""The calibration: a cell of each kind, whose numbers are those of exact grades, and what pages show of all."""

from collections import Counter

import pytest

from benchmarks.exploiting import calibration
from benchmarks.exploiting.policies import classic, deterministic, stochastic
from ludus.agents import make_policy
from ludus.arena import grade_exact

(SHALLOW,) = classic("tictactoe", "minimax:depth=1")


def test_there_are_enough_policies_and_no_name_twice():
    certain, drawn = [*deterministic()], [*stochastic()]
    assert len(certain) >= 100
    assert len(drawn) >= 40
    assert len(certain) + len(drawn) >= 150
    assert {known.game for known in certain} == {*calibration.POSITIONS}
    for policies in (certain, drawn):
        assert set(Counter(known.name for known in policies).values()) == {1}


def test_a_lost_game_of_a_frozen_policy_stands_beside_its_exact_grade(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(calibration, "BUDGETS", (4, 400))
    rows = [calibration.Loss.of("tictactoe", row) for row in calibration.look_for_loss(SHALLOW)]
    exact = grade_exact("minimax:depth=1", "tictactoe", freeze=True)
    assert [(row.best, row.positions) for row in rows] == [(seat.exploitability, seat.positions) for seat in exact.seats]
    assert [row.results[-1] for row in rows] == [row.best for row in rows]
    assert all((row.asked is None) == (row.best != 1) for row in rows)


def test_of_a_policy_with_too_many_positions_the_exact_result_is_not_known():
    best, asked = calibration.exact_result(calibration.hold(make_policy("greedy", "tictactoe")), 0, 10)
    assert best is None
    assert 0 < asked <= 10


def test_the_page_shows_what_was_measured():
    rows = {known.name: [[1, 9000, 8, 1, 1, 1], [None, 9000, 100, 0, 1, 1]] for known in deterministic()}
    rows[next(deterministic()).name] = [[0, 9000, None, 0, 0, 0], [-1, 9000, None, None, -1, -1]]
    figures = calibration.show(rows)
    seats = 2 * len([*deterministic()])
    assert (figures["beatable"], figures["unbeatable"], figures["within"]) == (f"{seats - 2}", "2", f"{(seats - 2) // 2}")
    assert "| quixo 4x4 | 54 | 54 | 27 | 9,000 | 100 | 100 | 1e-06 |" in figures["losses"]
