"""The vector environment's seeds and arrays: what happens follows from seeds alone, and what was returned never changes."""

import copy
import itertools
import pickle

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
def test_boards_without_a_seed_continue_with_theirs(spec):
    one, other = (make_vector(spec, 3) for _ in range(2))
    for seed in (7, None, None):
        assert same(story(one, 5, seed), story(other, 5, seed))
    mixed = make_vector(spec, 3)
    mixed.reset(seed=7)
    one.reset(seed=7)
    mixed.reset(seed=[None, 50, None])
    one.reset()
    one_view, mixed_view = one.step(one.sample_actions() * 0), mixed.step(mixed.sample_actions() * 0)
    assert same(boards_of(one_view, [0, 2]), boards_of(mixed_view, [0, 2]))


@few_games
@pytest.mark.parametrize("opponent", [None, "random"])
@pytest.mark.parametrize("way", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))], ids=["deepcopy", "pickle"])
def test_a_copy_continues_as_the_original(spec, opponent, way):
    envs = make_vector(spec, 3, opponent=opponent, autoreset_mode="SameStep")
    story(envs, 5, seed=0)
    twin = way(envs)
    for _ in range(20):
        actions = envs.sample_actions()
        assert same(twin.sample_actions(), actions)
        assert same(twin.step(actions), envs.step(actions))
    assert same(story(twin, 5, None), story(envs, 5, None))


@pytest.mark.parametrize("seeds", [np.arange(3), list(np.arange(3)), (0, 1, 2), [0, 2**64 - 1, 2]], ids=repr)
def test_seeds_are_whole_numbers_of_any_kind(seeds):
    one, other = make_vector("nim", 3), make_vector("nim", 3)
    numbers = [int(seed) for seed in seeds]
    assert same(story(one, 3, seeds), story(other, 3, numbers))


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


@few_games
@pytest.mark.parametrize("opponent", [None, "random"])
def test_sampled_actions_are_legal_and_the_same_from_the_same_seed(spec, opponent):
    one, other = (make_vector(spec, 32, opponent=opponent, autoreset_mode="SameStep") for _ in range(2))
    view, _ = one.reset(seed=2)
    other.reset(seed=2)
    for _ in range(60):
        actions = one.sample_actions()
        assert view["action_mask"][np.arange(32), actions].all()
        assert same(actions, other.sample_actions())
        view, *_ = one.step(actions)
        other.step(actions)


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


def arrays_in(value):
    if isinstance(value, dict):
        return [array for part in value.values() for array in arrays_in(part)]
    if isinstance(value, tuple):
        return [array for part in value for array in arrays_in(part)]
    return [value]


@few_games
@pytest.mark.parametrize("opponent", [None, "random"])
@pytest.mark.parametrize("boards", [3, 3000])
def test_what_was_returned_never_changes_however_little_is_kept(spec, opponent, boards):
    envs = make_vector(spec, boards, opponent=opponent, autoreset_mode="SameStep")
    parts = itertools.cycle([lambda array: array, lambda array: array[1:2], lambda array: array[0].T])
    kept, copies = [], []
    for step in range(12):
        part = next(parts)
        new = [part(array) for array in arrays_in(envs.step(envs.sample_actions()) if step % 7 else envs.reset(seed=0))]
        kept, copies = kept + new, copies + copy.deepcopy(new)
    for _ in range(10):
        envs.step(envs.sample_actions())
    assert same(kept, copies)


def test_tensors_and_buffers_made_of_what_was_returned_never_change():
    import torch

    envs = make_vector("othello", 3000, autoreset_mode="SameStep")
    envs.reset(seed=0)
    kept, copies = [], []
    for _ in range(10):
        view, rewards, *_ = envs.step(envs.sample_actions())
        kept.append((torch.from_numpy(view["observation"]), memoryview(view["action_mask"]), rewards.view(np.int64)))
        copies.append((kept[-1][0].clone(), kept[-1][1].tobytes(), kept[-1][2].copy()))
        del view, rewards
    for (tensor, buffer, words), (tensor_then, bytes_then, words_then) in zip(kept, copies, strict=True):
        assert torch.equal(tensor, tensor_then)
        assert buffer.tobytes() == bytes_then
        assert same(words, words_then)
