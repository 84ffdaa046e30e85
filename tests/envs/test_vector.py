"""The vector environment: the games of as many single environments, in every mode of autoreset, from seeds alone.

That the games are right, beside slow twins is in test_naive.py.
"""

import copy
import functools
import itertools

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import ludus

from ..helpers.values import fits, same
from ..helpers.views import boards_of, every_game, every_mode, every_seating, few_games, make_vector, names_of, pick, story

# ---- shapes


@every_game
@every_seating
@every_mode
def test_what_is_returned_has_its_shape_and_dtype_and_lies_in_its_space(spec, opponent, seat, mode):
    envs = make_vector(spec, 5, opponent=opponent, seat=seat, autoreset_mode=mode)
    game, who = ludus.make_game(spec), "player" if opponent is None else "seat"
    assert envs.num_envs == 5
    assert envs.single_action_space == gym.spaces.Discrete(game.num_actions)
    assert envs.single_observation_space["observation"] == gym.spaces.Box(0, 1, game.shape, np.int8)
    assert envs.single_observation_space["action_mask"] == gym.spaces.Box(0, 1, (game.num_actions,), np.int8)
    assert envs.metadata["autoreset_mode"] is AutoresetMode(mode)
    observation, info = envs.reset(seed=0)
    for _ in range(40):
        assert envs.observation_space.contains(observation)
        assert (observation["observation"][:, -1] == 1).all()
        assert observation["action_mask"].any(axis=1).all()
        assert same(observation["action_mask"], info["action_mask"])
        assert same(envs.action_masks(), observation["action_mask"].astype(bool))
        assert (info[who].shape, {*info[who].tolist()} <= {0, 1}) == ((5,), True)
        actions = envs.sample_actions()
        assert envs.action_space.contains(actions)
        observation, *news, info = envs.step(actions)
        assert [(array.shape, array.dtype) for array in news] == [((5,), kind) for kind in (np.float64, np.bool_, np.bool_)]
        if opponent is None:
            assert same(info["rewards"], np.stack([info["rewards"][:, 0], 0 - info["rewards"][:, 0]], 1))
        if mode == "Disabled" and (news[1] | news[2]).any():
            observation, info = envs.reset(options={"reset_mask": news[1] | news[2]})


# ---- as single environments


def assert_info_says_at_least(ours, theirs):
    """All that single environments say in their info stands in ours, board by board. Where a game began in the same step, theirs
    has no rewards at the top, and ours has those of the step."""
    begun = theirs.get("_final_info", False)
    for key in [key for key in theirs if key[0] != "_"]:
        boards = theirs[f"_{key}"] & ~(begun & (key in ("illegal", "rewards")))
        assert ours[f"_{key}"][boards].all()
        for board in np.flatnonzero(boards):
            one, other = boards_of(ours[key], board), boards_of(theirs[key], board)
            parts = [(one[part], other[part]) for part in other if part[0] != "_"] if isinstance(other, dict) else [(one, other)]
            assert all(np.array_equal(*pair) for pair in parts), key


@few_games
@every_seating
@every_mode
def test_the_boards_play_the_games_of_single_environments(spec, opponent, seat, mode):
    id_, settings = names_of(spec)
    one = functools.partial(gym.make, id_, **settings, opponent=opponent, seat=seat)
    both = make_vector(spec, opponent=opponent, seat=seat, autoreset_mode=mode), SyncVectorEnv([one] * 4, autoreset_mode=mode)
    rng, ended = np.random.default_rng(0), 0
    ours, theirs = (envs.reset(seed=11) for envs in both)
    for _ in range(60):
        assert same(ours[:-1], theirs[:-1])
        assert_info_says_at_least(ours[-1], theirs[-1])
        actions = pick(ours[0]["action_mask"], rng, illegal=0.02)
        ours, theirs = (envs.step(actions) for envs in both)
        over = ours[2] | ours[3]
        ended += over.sum()
        if mode == "Disabled" and over.any():
            assert same(ours[:-1], theirs[:-1])
            ours, theirs = (envs.reset(options={"reset_mask": over.copy()}) for envs in both)
    assert ended >= 4


@every_mode
@pytest.mark.parametrize(("misere", "result"), [(False, -1.0), (True, 1.0)])
def test_a_game_that_ends_inside_reset_is_reported_by_the_first_step_and_once(mode, misere, result):
    envs = gym.make_vec("ludus/Nim-v0", num_envs=3, heaps=(1,), misere=misere, seat=1, autoreset_mode=mode)
    observation, _ = envs.reset(seed=0)
    for _ in range(3):
        assert observation["action_mask"].all()
        observation, rewards, terminated, truncated, _ = envs.step(np.zeros(3, int))
        assert rewards.tolist() == [result] * 3
        assert terminated.all()
        assert not truncated.any()
        if mode == "NextStep":
            observation, rewards, terminated, _, _ = envs.step(np.zeros(3, int))
            assert not rewards.any()
            assert not terminated.any()
        elif mode == "Disabled":
            observation, _ = envs.reset()


# ---- resets


def test_with_autoreset_disabled_a_finished_board_waits_for_its_reset():
    envs = make_vector("tictactoe", 2, opponent=None, autoreset_mode="Disabled")
    envs.reset(seed=0)
    for actions in ([0, 0], [3, 3], [1, 1], [4, 4], [2, 5]):
        *_, terminated, _, _ = envs.step(np.array(actions))
    with pytest.raises(gym.error.ResetNeeded, match=r"1 games are over, on board 0 first.*reset_mask"):
        envs.step(np.array([8, 8]))
    envs.reset(options={"reset_mask": terminated})
    envs.step(np.array([0, 2]))
    assert envs.position == ["X-------- O", "XXOOOX--- X"]


def test_the_first_reset_begins_a_game_on_every_board():
    envs = make_vector("othello", 2, opponent=None)
    envs.reset(seed=0, options={"reset_mask": np.array([True, False])})
    envs.step(np.array([19, 19]))
    assert envs.position[0] == envs.position[1]


@pytest.mark.parametrize("opponent", [None, "random"])
def test_games_start_from_one_position_or_one_each(opponent):
    envs = make_vector("tictactoe", 2, opponent=opponent, seat=0)
    game = ludus.make_game("tictactoe")
    one, other = "XO------- X", "OXXO----- X"
    for position, expected in [
        (one, [one, one]),
        ([one, other], [one, other]),
        ((other, one), [other, one]),
        (game.position(one), [one, one]),
        (np.array([game.position(one), game.position(other)]), [one, other]),
        ([game.position(one), other], [one, other]),
        (None, ["--------- X"] * 2),
    ]:
        envs.reset(seed=0, options={"position": position})
        assert envs.position == expected


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
