"""The calibration: a cell of each kind, whose numbers are those of exact grades, and what pages show of all; symmetric policies."""

from collections import Counter
from functools import partial

import pytest

from benchmarks.exploiting import calibration
from benchmarks.exploiting.policies import Known, blend, classic, deterministic, draw_table, stochastic
from benchmarks.speed.grading import Oriented
from ludus.agents import make_policy
from ludus.arena import grade_exact
from ludus.games.registry import make_game

(SHALLOW,) = classic("tictactoe", "minimax:depth=1")
DRAWN = Known("nim", "table 2 at 0.3", partial(draw_table, "nim", 2, 0.3))


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


def test_what_is_found_against_a_stochastic_policy_is_not_above_its_exploitability(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(calibration, "BUDGETS", (20, 2_000))
    monkeypatch.setattr(calibration, "ENOUGH", 1.1)
    best, positions, few, every = calibration.look_for_gain(DRAWN)
    exact = grade_exact(DRAWN.make(), "nim")
    assert (best, positions) == (round(exact.exploitability, 4), sum(seat.positions for seat in exact.seats))
    assert every == [positions, best, best]
    assert few[0] <= 20
    assert few[2] <= few[1] <= 1


def test_an_opponent_that_is_measured_again_is_worth_what_its_graph_says():
    policy = blend("nim", "nim_sum", 0.5)
    exact = grade_exact(policy, "nim")
    assert calibration.worth_of(policy, calibration.hold(exact.best_response)) == pytest.approx(exact.exploitability)
    best, worth, games, repetitions, above = calibration.measure_again(DRAWN, 10, 5)
    assert worth <= best + 1e-4
    assert (games, repetitions) == (10, 5)
    assert above <= 1


def test_a_policy_that_looks_at_one_of_all_symmetric_positions_has_the_same_grade_without_symmetries(
    monkeypatch: pytest.MonkeyPatch,
):
    policy = Oriented(make_game("quixo:size=3"), inner=make_policy("mcts:simulations=4", "quixo:size=3"), seed=0)
    together = grade_exact(policy, "quixo:size=3")
    monkeypatch.setattr(Oriented, "symmetric", False)
    apart = grade_exact(policy, "quixo:size=3")
    assert together.best_response.table.symmetric
    assert not apart.best_response.table.symmetric
    for name in ("exploitability", "value_lost_per_game", "value_lost", "optimal_position_rate", "win_rate_vs_random"):
        assert getattr(together, name) == pytest.approx(getattr(apart, name), abs=1e-10)


def test_the_page_and_the_plot_show_what_was_measured():
    rows = {name: [0.5, 0.4, 10, 2000, 100] for name in calibration.cells() if name.startswith("measured")}
    rows |= {name: [0.5, 0.4, 100, 0] for name in calibration.cells() if name.startswith("found")}
    rows |= {known.name: [[1, 9000, 8, 1, 1, 1], [None, 9000, 100, 0, 1, 1]] for known in deterministic()}
    rows |= {f"{known.name}, drawn": [0.5, 9000, [100, 0.2, -0.1], [999, 0.4, 0.3], [9000, 0.5, 0.5]] for known in stochastic()}
    first = next(deterministic()).name
    rows[first] = [[0, 9000, None, 0, 0, 0], [-1, 9000, None, None, -1, -1]]
    figures = calibration.show(rows)
    seats = 2 * len([*deterministic()])
    assert (figures["beatable"], figures["unbeatable"], figures["within"]) == (f"{seats - 2}", "2", f"{(seats - 2) // 2}")
    assert (figures["beaten"], figures["first"]) == (f"{seats // 2 - 1}",) * 2
    assert "| stochastic: the lower bound | 53 | 0 % (0 to 0) | 60 % (60 to 60) | 100 % (100 to 100) |" in figures["shares"]
    assert figures["bounds"].count("95.0 %") == len(calibration.REPEATED)
    assert calibration.drawing(rows).startswith("<svg")
