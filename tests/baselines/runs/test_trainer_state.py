"""What trainers keep: every field of a state comes back from a trainer that it is put into, and both go on alike."""

import random

import numpy as np
import pytest

import ludus
from ludus.baselines.runs.registry import trainer_class

from ...helpers.training.trainers import MOOD, TINY, assert_same, each_trainer

ALWAYS_SO = {"boards.phases", "boards.endings", "boards.results"}
"""Between parts a game is on, on every board."""


def begun(name, seed, parts):
    """A trainer that has done some parts."""
    game, settings, _ = TINY[name]
    kind = trainer_class(name)
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
    assert {field for field in kept if field in before and np.array_equal(kept[field], before[field])} <= ALWAYS_SO
    other.restore({field: array.copy() for field, array in kept.items()})
    assert_same(other.state(), kept)


@each_trainer
def test_a_restored_trainer_goes_on_as_the_one_that_was_kept(name, monkeypatch):
    trainer_class(name)  # imports its library, and rich with it, which draws from Python's own generator
    random.seed(5)
    before = random.getstate()
    trainer = begun(name, 1, TINY[name][2])
    kept = trainer.state()
    metrics = [trainer.advance() for _ in range(2)]  # which changes nothing that was kept
    assert random.getstate() == before  # Python's own generator, from which neat-python and DEAP draw
    random.seed(6)
    monkeypatch.setitem(MOOD, "now", 4)
    other = begun(name, 1, 0)
    other.restore(kept)
    for expected in metrics:
        assert other.advance() == pytest.approx(expected, rel=0, abs=0, nan_ok=True)
    assert_same(other.state(), trainer.state())
    assert_same(other.learnt(), trainer.learnt())
