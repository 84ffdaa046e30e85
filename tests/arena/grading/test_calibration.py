# type: ignore
"""Calibration curves: of policies that state what is known of them, beside brute force."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pytest

from ludus.agents.answers import Analysis
from ludus.agents.policy import Policy
from ludus.arena import grade, grade_exact, tournament
from ludus.arena.grading.decisions import decisions_in
from ludus.envs import make_game
from ludus.oracles import make_oracle


@dataclass(frozen=True)
class Stating(Policy):
    """Plays at random, and states values that a function makes of the exact ones."""

    name = "stating"
    stated: object = field(kw_only=True)

    def act(self, states, keys):
        return self.game.masks(states).argmax(axis=1)

    def probabilities(self, states):
        masks = self.game.masks(states)
        return masks / masks.sum(axis=1, keepdims=True)

    def analyse(self, states, keys):
        return Analysis(self.act(states, keys), values=self.stated(make_oracle(self.game).values(states)))


def stating(spec, stated):
    return Stating(make_game(spec), stated=stated)


@pytest.mark.parametrize("spec", ["tictactoe", "nim"])
def test_values_that_are_stated_exactly_have_no_error(spec):
    found = grade_exact(stating(spec, np.float64), spec, calibration=100_000)
    (curve,) = found.calibration
    assert (curve.of, curve.error) == ("values", 0)
    assert curve.positions == sum(seat.positions for seat in found.seats)
    assert [(one.stated, one.exact) for one in curve.bins] == [(one.exact, one.exact) for one in curve.bins]
    assert {round(one.exact, 12) for one in curve.bins} == ({-1, 0, 1} if spec == "tictactoe" else {-1, 1})
    assert abs(sum(one.share for one in curve.bins) - 1) < 1e-12


def test_a_policy_that_always_expects_to_win_is_found_out_as_counted_by_hand():
    """In random play of Nim with 1 and 2: how often each position comes up, in sixths, and its value to the player to move."""
    visits = [(6, 1), (2, 1), (2, -1), (2, 1), (1, 1), (2, 1)]  # 1 2; then 0 2, 1 1, 1 0; then 1 0, 0 1
    times, values = np.array(visits).T
    policy = stating("nim:heaps=1+2", lambda values: np.full(len(values), 0.9))
    (curve,) = grade_exact(policy, policy.game, calibration=99).calibration
    (only,) = curve.bins
    assert (only.low, only.high, only.positions) == (0.8, 1, 6)
    assert (only.share, only.stated) == pytest.approx((1, 0.9))
    assert only.exact == pytest.approx(np.average(values, weights=times))
    assert curve.error == pytest.approx(np.average(abs(0.9 - values), weights=times))


def test_a_sampled_grade_has_the_curve_of_the_positions_of_its_moves():
    policy = stating("tictactoe", lambda values: 0.5 * values)
    found = grade(policy, "tictactoe", games=40, calibration=10_000)
    (curve,) = found.calibration
    shares = {round(one.exact): one.share for one in curve.bins}
    contest = tournament("tictactoe", [policy], 40, against=["random"], opening_plies=0)
    decided = decisions_in(policy.game, [*contest.store.records()], str(policy)).states
    counts = Counter(make_oracle(policy.game).values(decided).tolist())
    assert shares == pytest.approx({value: count / len(decided) for value, count in counts.items()})
    assert curve.error == pytest.approx(0.5 * (1 - shares[0]))


def test_a_calibration_of_what_states_no_values_or_invalid_ones_is_refused():
    with pytest.raises(ValueError, match="greedy states no values of positions"):
        grade_exact("greedy", "nim", calibration=10)
    for wrong in (np.nan, [[0.0]]):
        with pytest.raises(ValueError, match="gives invalid values"):
            grade_exact(stating("nim", lambda values, wrong=wrong: values * np.array(wrong)), "nim", calibration=10)
