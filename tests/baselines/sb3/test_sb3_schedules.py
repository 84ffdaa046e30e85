"""What falls with time in the trainers over Stable-Baselines3: rates, exploration, and what undecidedness is worth."""

import pytest

pytest.importorskip("sb3_contrib")

import ludus  # noqa: F401
from ludus.baselines.runs.plan import RunPlan

from ...helpers.training.sb3 import SMALL, no_plots, one_thread  # noqa: F401

PARTS = 4
RATES = {"rate": 0.004, "rate_end": 0.001}


def parts_of(name, **settings):
    """A trainer of four parts, before each of them and at its end."""
    settings = {**SMALL[name], **settings}
    steps = PARTS * RunPlan.make(name, "tictactoe", 0, "defaults", settings).begin().steps_a_part
    trainer = RunPlan.make(name, "tictactoe", 0, "defaults", settings | {"steps": steps}).begin()
    for part in range(PARTS):
        yield part / PARTS, trainer
        trainer.advance()
    assert trainer.done == trainer.total


def rate_of(trainer):
    return trainer.model.policy.optimizer.param_groups[0]["lr"]


@pytest.mark.parametrize("name", SMALL)
def test_the_learning_rate_falls_evenly(name):
    used, expected = [], []
    for share, trainer in parts_of(name, **RATES):
        used.append(rate_of(trainer))
        expected.append(0.004 - 0.003 * share)
    used.append(rate_of(trainer))
    assert trainer.rate(0.0) == pytest.approx(0.001)
    assert used[1:] == pytest.approx(expected)  # what the part before learnt by


@pytest.mark.parametrize("name", ["ppo", "maskable_ppo"])
def test_the_worth_of_undecidedness_falls_evenly(name):
    used = []
    for _, trainer in parts_of(name, entropy=0.08, entropy_end=0.0):
        used.append(trainer.model.ent_coef)
    used.append(trainer.model.ent_coef)
    assert used[1:] == pytest.approx([0.08, 0.06, 0.04, 0.02])


def test_exploration_falls_over_its_share_of_the_training_and_stays():
    used = [trainer.model.exploration_rate for _, trainer in parts_of("dqn", exploration=0.9, exploration_end=0.1, exploring=0.5)]
    assert used == pytest.approx([0.9, 0.5, 0.1, 0.1], abs=0.02)
