"""Whom a trainer over Stable-Baselines3 meets: fixed policies, snapshots of itself, a ladder."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

import ludus
from ludus.baselines.sb3.nets import Scorer, weights_of
from ludus.baselines.sb3.opponents import Schedule, ScheduleSettings
from ludus.baselines.sb3.snapshots import Snapshots

from .test_policies import keys, positions


def schedule(**settings):
    """Opponents of tic-tac-toe; a snapshot's only weight is a number, which all actions are worth to it."""
    game = ludus.make_game("tictactoe")
    snapshots = Snapshots(game, lambda: Scorer(Number(), lambda net, planes: net.weight.expand(len(planes), 9)), draws=True)
    snapshots.put(0, weights_of(Number()))
    return Schedule(game, ScheduleSettings(**settings), snapshots)


class Number(torch.nn.Module):
    """A network of one weight."""

    def __init__(self, weight=0.0):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor(weight))


def shares(opponents, count=40_000):
    """How often each opponent is drawn."""
    random = np.random.default_rng(0).integers(2**64, size=count, dtype=np.uint64)
    return np.bincount(opponents.draw(random), minlength=len(opponents.state()["tally"])) / count


def after(opponents, parts):
    """The schedule after so many parts, the learner's weight being the number of the part."""
    for part in range(parts):
        opponents.part_done(lambda part=part: weights_of(Number(part + 1.0)))
    return opponents


def pool(opponents):
    state = opponents.state()
    return [float(state[name]) for name in sorted(state) if name.startswith("pool.")]


def test_a_fixed_policy_is_met_in_every_game():
    one = schedule(opponents=("greedy",))
    assert shares(one)[0] == 1
    states, some_keys = positions(ludus.make_game("tictactoe"), 100), keys(100)
    greedy = ludus.make_policy("greedy", "tictactoe")
    assert one.act(np.zeros(100, np.int64), states, some_keys).tolist() == greedy.act(states, some_keys).tolist()


def test_several_opponents_share_the_games():
    found = shares(after(schedule(opponents=("random", "self", "greedy"), pool=2, snapshot_every=1), 1))
    assert found == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=0.01)  # fixed ones first, then the places of the pool


def test_snapshots_take_the_place_of_the_oldest():
    opponents = schedule(pool=3, snapshot_every=2)
    assert pool(after(opponents, 1)) == [0]
    assert pool(after(opponents, 3)) == [0, 1, 3]
    assert pool(after(opponents, 4)) == [2, 4, 3]


@pytest.mark.parametrize(("parts", "newest"), [(0, 0), (1, 1), (4, 1), (5, 2)])
def test_the_latest_snapshot_alone_is_met(parts, newest):
    found = shares(after(schedule(draw="latest", pool=3, snapshot_every=1), parts))
    assert found[newest] == 1


def test_whoever_beats_the_learner_comes_oftener():
    opponents = after(schedule(draw="prioritised", pool=3, snapshot_every=2), 4)
    for number, reward in enumerate((1.0, -1.0, 0.0)):
        opponents.note(np.full(10_000, number), np.full(10_000, reward))
    after(opponents, 1)
    assert shares(opponents) == pytest.approx([0, 0.8, 0.2], abs=0.01)  # 0², 1², ½²


def test_a_ladder_is_climbed_when_the_last_rung_is_mastered():
    opponents = schedule(opponents=("random", "greedy", "self"), ladder=True, mastered=0.7, pool=1)
    rewards = np.ones(1000)
    assert shares(opponents)[0] == 1
    opponents.note(np.zeros(1000, np.int64), -rewards)
    after(opponents, 1)
    assert opponents.told()["opponents met"] == 1
    for _ in range(12):
        opponents.note(np.zeros(1000, np.int64), rewards)
        after(opponents, 1)
    assert shares(opponents) == pytest.approx([0.5, 0.5, 0], abs=0.01)
    for _ in range(12):
        opponents.note(np.ones(1000, np.int64), rewards)
        after(opponents, 1)
    assert shares(opponents) == pytest.approx([1 / 3] * 3, abs=0.01)


def test_a_schedule_goes_on_where_it_was():
    settings = {"opponents": ("greedy", "self"), "draw": "prioritised", "pool": 3, "snapshot_every": 1}
    one, other = after(schedule(**settings), 5), schedule(**settings)
    one.note(np.array([0, 1, 2]), np.array([1.0, -1.0, 0.0]))
    other.restore(one.state())
    for opponents in (one, other):
        after(opponents, 1)
    assert shares(one).tolist() == shares(other).tolist()
    assert {name: array.tolist() for name, array in one.state().items()} == {
        n: array.tolist() for n, array in other.state().items()
    }
