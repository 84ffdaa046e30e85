"""The presets of the tabular trainers: what the players that they grew from reached."""

from functools import cache

import numpy as np
import pytest

from ludus.arena import grade_exact
from ludus.baselines.tabular.montecarlo import MonteCarlo
from ludus.baselines.tabular.qlearning import QLearning
from ludus.envs import make_game

from ...helpers.training.tabular import edges_of

GAME = make_game("tictactoe")
SEEDS = [1, 2, 3]


def begun(trainer, preset, seed, **settings):
    return trainer(GAME, trainer.settings_class(**trainer.presets[preset] | settings), seed)


@cache
def shares(trainer, preset, seed):
    """What a preset comes to with a seed: how much it wins, and does not lose, against random play as first and as second."""
    learner = begun(trainer, preset, seed)
    while learner.done < learner.total:
        learner.advance()
    found = grade_exact(learner.policy(), GAME)
    return [*found.win_rate_vs_random, *(1 - lost for lost in found.loss_rate_vs_random)]


@pytest.mark.parametrize(
    ("trainer", "preset", "place", "reached"),
    [
        (QLearning, "original", "won as first", 0.925),  # copies won 92 to 93 %
        (QLearning, "original", "won as second", 0.77),  # and 77 to 82 %
        (QLearning, "two_learners", "won as first", 0.9),
        (QLearning, "two_learners", "not lost as second", 0.84),
        (MonteCarlo, "values", "won as first", 0.97),  # "above 97 %"
        (MonteCarlo, "values", "not lost as second", 0.985),
    ],
)
def test_what_an_original_reached_lies_within_what_three_seeds_reach(trainer, preset, place, reached):
    which = ["won as first", "won as second", "not lost as first", "not lost as second"].index(place)
    low, _, high = sorted(shares(trainer, preset, seed)[which] for seed in SEEDS)
    assert low <= reached <= high
    assert high - low < 0.2


@pytest.mark.parametrize("trainer", [QLearning, MonteCarlo])
def test_two_learners_are_two_tables_and_the_first_is_what_is_learnt(trainer):
    learner = begun(trainer, "two_learners", 1, games=5000)
    while learner.done < learner.total:
        learner.advance()
    one, other = learner.tables
    assert not np.array_equal(one, other)
    assert np.array_equal(learner.learnt()["values"], one)
    begins = edges_of(learner.positions, GAME.start)[0]
    games = learner.visit_tables[:, begins].sum(axis=1)
    assert games.sum() == 5000
    assert abs(games[0] - 2500) < 150  # who begins is drawn
