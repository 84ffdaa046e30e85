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


def row(values, board):
    """What one board's info or view says, whether it stands in arrays or in an array of dicts."""
    if isinstance(values, dict):
        return {key: row(part, board) for key, part in values.items() if key[0] != "_"}
    return values[board]


def assert_info_says_at_least(ours, theirs):
    """All that single environments say in their info stands in ours, board by board. Where a game began in the same step, theirs
    has no rewards at the top, and ours has those of the step."""
    begun = theirs.get("_final_info", False)
    for key in [key for key in theirs if key[0] != "_"]:
        for board in np.flatnonzero(theirs[f"_{key}"] & ~(begun & (key in ("illegal", "rewards")))):
            assert ours[f"_{key}"][board]
            one, other = row(ours[key], board), row(theirs[key], board)
            if not isinstance(other, dict):
                one, other = {key: one}, {key: other}
            for part in other:
                assert np.array_equal(one[part], other[part]), f"{key}: {part}"


@few_games
@every_seating
@every_mode
def test_the_boards_play_the_games_of_single_environments(spec, opponent, seat, mode):
    id_, settings = names_of(spec)
    one = functools.partial(gym.make, id_, **settings, opponent=opponent, seat=seat)
    theirs = SyncVectorEnv([one] * 4, autoreset_mode=mode)
    ours = make_vector(spec, opponent=opponent, seat=seat, autoreset_mode=mode)
    rng = np.random.default_rng(0)
    our_view, our_info = ours.reset(seed=11)
    their_view, their_info = theirs.reset(seed=11)
    ended = 0
    for _ in range(60):
        assert same(our_view, their_view)
        assert_info_says_at_least(our_info, their_info)
        actions = pick(our_view["action_mask"], rng, illegal=0.02)
        our_view, *our_news, our_info = ours.step(actions)
        their_view, *their_news, their_info = theirs.step(actions)
        assert same(our_news, their_news)
        over = our_news[1] | our_news[2]
        ended += over.sum()
        if mode == "SameStep":
            assert ("final_obs" in our_info) == bool(over.any()) == ("final_obs" in their_info)
            if over.any():
                assert same(our_info["_final_obs"], over)
                assert same(our_info["_final_info"], over)
                assert not any(view[~over].any() for view in our_info["final_obs"].values())
        elif mode == "Disabled" and over.any():
            assert_info_says_at_least(our_info, their_info)
            our_view, our_info = ours.reset(options={"reset_mask": over})
            their_view, their_info = theirs.reset(options={"reset_mask": over.copy()})
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


# ---- autoreset disabled


def test_with_autoreset_disabled_a_finished_board_waits_for_its_reset():
    envs = make_vector("tictactoe", 2, opponent=None, autoreset_mode="Disabled")
    envs.reset(seed=0)
    for actions in ([0, 0], [3, 3], [1, 1], [4, 4], [2, 5]):
        view, _, terminated, _, _ = envs.step(np.array(actions))
    assert terminated.tolist() == [True, False]
    with pytest.raises(gym.error.ResetNeeded, match=r"1 games are over, on board 0 first.*reset_mask"):
        envs.step(np.array([8, 8]))
    assert envs.position == ["XXXOO---- O", "XX-OOX--- O"]
    view, info = envs.reset(options={"reset_mask": terminated})
    assert envs.position == ["--------- X", "XX-OOX--- O"]
    assert view["action_mask"].tolist() == [[1] * 9, [0, 0, 1, 0, 0, 0, 1, 1, 1]]
    assert info["player"].tolist() == [0, 1]
    envs.step(np.array([0, 2]))
    assert envs.position == ["X-------- O", "XXOOOX--- X"]


def test_the_first_reset_begins_a_game_on_every_board():
    envs = make_vector("othello", 2, opponent=None)
    envs.reset(seed=0, options={"reset_mask": np.array([True, False])})
    envs.step(np.array([19, 19]))
    assert envs.position[0] == envs.position[1]


# ---- options


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
