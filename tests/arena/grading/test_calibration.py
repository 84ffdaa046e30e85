# type: ignore
"""Calibration curves: of policies that state what is known of them, beside brute force."""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

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


def random_visits(game):
    """How often each position comes up in a game of random play, by brute force."""
    found, layer = Counter(), {game.start.tobytes(): Fraction(1)}
    while layer:
        found.update(layer)
        later = Counter()
        for place, share in layer.items():
            state = np.frombuffer(place, np.uint64)
            actions = game.legal_actions(state)
            for action in actions:
                after = game.play(state, action)
                if game.outcome(after) is None:
                    later[after.tobytes()] += share / len(actions)
        layer = later
    return found


@pytest.mark.parametrize("spec", ["tictactoe", "nim"])
def test_values_that_are_stated_exactly_have_no_error(spec):
    found = grade_exact(stating(spec, np.float64), spec, calibration=100_000)
    (curve,) = found.calibration
    assert (curve.of, curve.error) == ("values", 0)
    assert curve.positions == sum(seat.positions for seat in found.seats)
    assert [(one.stated, one.exact) for one in curve.bins] == [(one.exact, one.exact) for one in curve.bins]
    assert {round(one.exact, 12) for one in curve.bins} == ({-1, 0, 1} if spec == "tictactoe" else {-1, 1})
    assert abs(sum(one.share for one in curve.bins) - 1) < 1e-12


def test_a_policy_that_always_expects_to_win_is_found_out_as_brute_force_says():
    game = make_game("nim:heaps=1+2+3")
    visits = random_visits(game)
    values = make_oracle(game).values(np.array([np.frombuffer(place, np.uint64) for place in visits])).tolist()
    truth = sum(share * value for share, value in zip(visits.values(), values, strict=True)) / sum(visits.values())
    (curve,) = grade_exact(stating(game.spec, lambda values: np.full(len(values), 0.9)), game, calibration=1000).calibration
    (only,) = curve.bins
    assert (only.low, only.high, only.positions, only.share) == (0.8, 1, len(visits), 1)
    assert abs(only.stated - 0.9) < 1e-12
    assert abs(only.exact - float(truth)) < 1e-9
    won, lost = (sum(share for share, value in zip(visits.values(), values, strict=True) if value == result) for result in (1, -1))
    assert abs(curve.error - float((won * Fraction(1, 10) + lost * Fraction(19, 10)) / (won + lost))) < 1e-9


def test_a_sampled_grade_has_the_curve_of_the_positions_of_its_moves():
    policy = stating("tictactoe", lambda values: 0.5 * values)
    found = grade(policy, "tictactoe", games=40, calibration=10_000)
    (curve,) = found.calibration
    contest = tournament("tictactoe", [policy], 40, against=["random"], opening_plies=0)
    decided = decisions_in(policy.game, [*contest.store.records()], str(policy)).states
    counts = Counter(make_oracle(policy.game).values(decided).tolist())
    shares = {round(one.exact): one.share for one in curve.bins}
    assert shares == pytest.approx({value: count / len(decided) for value, count in counts.items()})
    assert curve.error == pytest.approx(0.5 * (1 - shares[0]))
    assert found.document()["calibration"] == [curve.document()]


def test_a_calibration_of_what_states_no_values_or_invalid_ones_is_refused():
    with pytest.raises(ValueError, match="greedy states no values of positions"):
        grade_exact("greedy", "nim", calibration=10)
    for wrong in (np.nan, [[0.0]]):
        with pytest.raises(ValueError, match="gives invalid values"):
            grade_exact(stating("nim", lambda values, wrong=wrong: values * np.array(wrong)), "nim", calibration=10)
