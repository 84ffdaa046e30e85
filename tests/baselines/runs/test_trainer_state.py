"""What trainers keep: every field of a state comes back from a trainer that it is put into, both go on alike, and a run plays."""

import random

import numpy as np
import pytest
import torch

import ludus
from ludus.baselines.runs.registry import trainer_class, trainer_names

from ...helpers.training.trainers import MOOD, TINY, assert_same, each_trainer

ALWAYS_SO = {"boards.phases", "boards.endings", "boards.results"}
"""Between parts a game is on, on every board."""


def test_every_trainer_is_among_them():
    assert {name.split()[0] for name in TINY} == {*trainer_names()}


def begun(name, seed, parts):
    """A trainer that has done some parts."""
    game, settings, _ = TINY[name]
    kind = trainer_class(name.split()[0])
    trainer = kind(ludus.make_game(game), kind.settings_class(**settings), seed)
    for _ in range(parts):
        trainer.advance()
    return trainer


@each_trainer
def test_every_field_of_a_state_comes_back_from_another_trainer(name, monkeypatch):
    kept = begun(name, 1, TINY[name][2]).state()
    monkeypatch.setitem(MOOD, "now", 4)
    other = begun(name, 2, 0)
    before = other.state()
    assert {field for field in kept if kept[field].size and np.array_equal(kept[field], before.get(field))} <= ALWAYS_SO
    other.restore({field: array.copy() for field, array in kept.items()})
    assert_same(other.state(), kept)


@each_trainer
def test_a_restored_trainer_goes_on_as_the_one_that_was_kept(name, monkeypatch):
    trainer_class(name.split()[0])  # imports its library, and rich with it, which draws from Python's own generator
    random.seed(5)
    before = drawn_so_far()
    trainer = begun(name, 1, TINY[name][2])
    kept = trainer.state()
    metrics = [trainer.advance() for _ in range(2)]  # which changes nothing that was kept
    assert drawn_so_far() == before
    random.seed(6)
    monkeypatch.setitem(MOOD, "now", 4)
    other = begun(name, 1, 0)
    other.restore(kept)
    for expected in metrics:
        assert other.advance() == pytest.approx(expected, rel=0, abs=0, nan_ok=True)
    assert_same(other.state(), trainer.state())
    assert_same(other.learnt(), trainer.learnt())


def drawn_so_far():
    """The states of the global generators, from which neat-python and DEAP draw, and Stable-Baselines3."""
    return random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state().tolist()  # noqa: NPY002


@each_trainer
def test_an_option_that_its_policy_does_not_have_is_refused(name):
    trainer = begun(name, 1, 0)
    with pytest.raises(ValueError, match=r"takes no options, such as wings|no setting 'wings'"):
        trainer.policy_of(trainer.game, trainer.settings, trainer.learnt(), wings="2")
