"""What trainers keep: every field of a state comes back from a trainer that it is put into, and both go on alike."""

import numpy as np
import pytest

import ludus
from ludus.baselines.registry import trainer_class, trainer_names

MOOD = {"now": 0}


def moody(states, keys):
    """An opponent that plays otherwise at another time, as one does that thinks by the clock or is read from a file."""
    masks = ludus.make_game("tictactoe").masks(states)
    return (masks * (1 + (np.arange(9) * 5 + MOOD["now"]) % 9)).argmax(axis=1)


MOODY = f"python:{__name__}:moody"
SB3 = {"boards": 8, "layers": (8,), "opponents": ("random", "self"), "draw": "prioritised", "pool": 2, "snapshot_every": 1}
RIVALS = {"population": 8, "games": 2, "peers": 1}
BRED = {"population": 8, "offspring": 8}
TINY = {
    # trainer: the game, settings with which a part takes a moment, and how many parts are done
    "qlearning": ("tictactoe", {"games": 2000, "opponent": MOODY}, 3),
    "montecarlo": ("tictactoe", {"games": 2000, "opponent": MOODY}, 3),
    "td_ntuple": ("tictactoe", {"games": 10_000, "shapes": ("1x3",)}, 2),
    "alphazero": ("tictactoe", {"blocks": 1, "channels": 4, "simulations": 4, "boards": 16, "batch": 32}, 4),
    "neat": ("tictactoe", RIVALS | {"add_node": 0.5, "add_link": 0.5}, 3),
    "layered_neat": ("tictactoe", RIVALS, 3),
    "evolved_table": ("nim:heaps=1+3+5", BRED, 3),
    "evolved_preference": ("nim:heaps=1+3+5", BRED | RIVALS, 3),
    "evolved_mixture": ("nim:heaps=1+3+5", BRED | RIVALS, 3),
    "maskable_ppo": ("tictactoe", SB3 | {"rollout": 16, "batch": 32}, 3),
    "ppo": ("tictactoe", SB3 | {"rollout": 16, "batch": 32}, 3),
    "dqn": ("tictactoe", SB3 | {"memory": 200, "batch": 16, "warm_up": 50, "target_every": 40}, 4),
}
ALWAYS_SO = {"boards.phases", "boards.endings", "boards.results"}
"""Between parts a game is on, on every board."""
each_trainer = pytest.mark.parametrize("name", trainer_names())


def begun(name, seed, parts):
    """A trainer that has done some parts."""
    game, settings, _ = TINY[name]
    kind = trainer_class(name)
    trainer = kind(ludus.make_game(game), kind.settings_class(**settings), seed)
    for _ in range(parts):
        trainer.advance()
    return trainer


def assert_same(one, other):
    assert {*one} == {*other}
    for name, array in one.items():
        assert array.dtype == other[name].dtype, name
        np.testing.assert_array_equal(array, other[name], err_msg=name)


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
    trainer = begun(name, 1, TINY[name][2])
    monkeypatch.setitem(MOOD, "now", 4)
    other = begun(name, 1, 0)
    other.restore(trainer.state())
    for _ in range(2):
        assert other.advance() == pytest.approx(trainer.advance(), rel=0, abs=0, nan_ok=True)
    assert_same(other.state(), trainer.state())
    assert_same(other.learnt(), trainer.learnt())
