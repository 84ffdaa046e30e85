"""The vector environment's seeds and arrays: what happens follows from seeds alone, and what was returned never changes."""

import copy
import itertools

import numpy as np
import pytest

import ludus

from ..helpers.values import fits, same
from ..helpers.views import boards_of, few_games, make_vector, story

# ---- seeds and boards


@few_games
@pytest.mark.parametrize("opponent", [None, "random"])
def test_a_seed_for_all_is_one_more_for_each_board(spec, opponent):
    one, other = (make_vector(spec, 3, opponent=opponent) for _ in range(2))
    first = story(one, 20, seed=7)
    assert same(first, story(other, 20, seed=[7, 8, 9]))
    backwards = story(other, 20, seed=[9, 8, 7])
    assert same(boards_of(first, [2, 1, 0]), backwards)


@few_games
@pytest.mark.parametrize("opponent", [None, "random"])
def test_a_board_plays_the_same_among_few_and_many(spec, opponent):
    few, many = (make_vector(spec, boards, opponent=opponent, autoreset_mode="SameStep") for boards in (3, 40))
    one, other = few.reset(seed=5), many.reset(seed=5)
    for _ in range(30):
        assert same(one[0], boards_of(other[0], slice(3)))
        one, other = few.step(few.sample_actions()), many.step(many.sample_actions())
        assert same(list(one[1:4]), [part[:3] for part in other[1:4]])


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_each_game_of_a_board_draws_its_seat_and_its_opponent_anew(mode):
    keywords = {"opponent": ludus.opponents.Mixture("tictactoe", ["random", "greedy"]), "autoreset_mode": mode}
    envs = make_vector("tictactoe", 40, **keywords)
    _, info = envs.reset(seed=3)
    drawn = [(info["seat"].copy(), info["opponent"].copy())]
    while len(drawn) < 60:
        *_, info = envs.step(envs.sample_actions())
        drawn.append((info["seat"].copy(), info["opponent"].copy()))
    for what in (0, 1):
        of_each_board = np.array([each[what] for each in drawn])  # (steps, boards)
        assert (of_each_board.min(axis=0) == 0).all()
        assert (of_each_board.max(axis=0) == 1).all()
        assert 0.35 < of_each_board.mean() < 0.65


# ---- sampling


@pytest.mark.parametrize("spec", ["tictactoe", "othello", "nim:heaps=12+40", "nim:heaps=5+2+50", "quarto"])  # 1, 2, 2, 3 words, 1
def test_sampled_actions_are_equally_likely(spec):
    envs = make_vector(spec, 3000, opponent=None)
    legal = ludus.make_game(spec).legal_actions(ludus.make_game(spec).start)
    envs.reset(seed=0)
    counts = sum(np.bincount(envs.sample_actions(), minlength=envs.single_action_space.n) for _ in range(3))
    assert counts.sum() == counts[legal].sum() == 9000
    assert fits(counts[legal], np.full(len(legal), 1 / len(legal)))
    one_board = make_vector(spec, 1, opponent=None)
    one_board.reset(seed=0)
    assert len({int(one_board.sample_actions()[0]) for _ in range(40 * len(legal))}) == len(legal)


def test_sampled_actions_are_new_at_each_call_and_begin_anew_at_reset():
    envs = make_vector("othello", 64, opponent=None)
    envs.reset(seed=0)
    first, second = envs.sample_actions(), envs.sample_actions()
    assert not same(first, second)
    envs.reset(seed=0)
    assert same(envs.sample_actions(), first)


# ---- fresh arrays


@few_games
@pytest.mark.parametrize("opponent", [None, "random"])
@pytest.mark.parametrize("boards", [3, 3000])
def test_what_was_returned_never_changes_however_little_is_kept(spec, opponent, boards):
    envs = make_vector(spec, boards, opponent=opponent, autoreset_mode="SameStep")
    parts = itertools.cycle([lambda array: array, lambda array: array[1:2], lambda array: array[0].T])
    kept, copies = [], []
    for step in range(12):
        part = next(parts)
        view, *news = envs.step(envs.sample_actions()) if step % 7 else envs.reset(seed=0)
        new = [part(array) for array in (*view.values(), *news[:-1], news[-1]["action_mask"], news[-1]["illegal"])]
        kept, copies = kept + new, copies + copy.deepcopy(new)
    for _ in range(10):
        envs.step(envs.sample_actions())
    assert same(kept, copies)


# ---- tensors of torch


def equal(arrays, tensors):
    """Whether tensors hold what arrays do, in the same tuples and dictionaries."""
    if isinstance(arrays, tuple):
        return all(equal(*pair) for pair in zip(arrays, tensors, strict=True))
    if isinstance(arrays, dict):
        return arrays.keys() == tensors.keys() and all(equal(arrays[key], tensors[key]) for key in arrays)
    return np.array_equal(arrays, tensors.numpy())


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_tensors_lie_in_the_memory_of_the_arrays_and_are_never_changed_later(mode, monkeypatch):
    pytest.importorskip("torch")
    ours, theirs = (
        make_vector("tictactoe", 64, opponent=None, autoreset_mode=mode, arrays=arrays) for arrays in ("numpy", "torch")
    )
    steps, take = [], theirs._take
    monkeypatch.setattr(theirs, "_take", lambda actions, **how: steps.append(take(actions, **how)) or steps[-1])
    arrays, tensors = ours.reset(seed=3), theirs.reset(seed=3)
    before = []
    for _ in range(30):
        assert equal(arrays, tensors)
        before.append((copy.deepcopy(arrays), tensors))
        chosen = theirs.sample_actions()
        assert equal(ours.sample_actions(), chosen)
        assert equal(ours.action_masks(), theirs.action_masks())
        arrays, tensors = ours.step(chosen), theirs.step(chosen)
        view = steps[-1].view
        assert {name: tensor.data_ptr() for name, tensor in tensors[0].items()} == {
            name: array.ctypes.data for name, array in view.observation.items()
        }
        assert tensors[1].data_ptr() == steps[-1].rewards.ctypes.data
        assert tensors[-1]["action_mask"].data_ptr() == view.info["action_mask"].ctypes.data
        del steps[:]
    assert all(equal(*pair) for pair in before)


def test_arrays_are_those_of_numpy_or_torch():
    with pytest.raises(ValueError, match="arrays is 'jax'; it must be 'numpy' or 'torch'"):
        make_vector("tictactoe", 2, arrays="jax")
