"""The vector environment: the games of as many single environments, in every mode of autoreset, whatever wraps them.

That the games are right, beside slow twins is in test_naive.py.
"""

import functools

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import ludus

from ..helpers.values import same
from ..helpers.views import every_game, every_mode, every_seating, few_games, make_vector, names_of, pick

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
        if isinstance(theirs[key], dict):
            assert_info_says_at_least(ours[key], theirs[key])
            continue
        boards = theirs[f"_{key}"] & ~(begun & (key in ("illegal", "rewards")))
        assert ours[f"_{key}"][boards].all()
        for board in np.flatnonzero(boards):
            assert np.array_equal(ours[key][board], theirs[key][board]), key


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
