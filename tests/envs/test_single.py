"""The one-seat environment: the checks of other libraries, specs, the learner's seat, and opponents that misbehave.

That games go as the rules have them is in test_naive.py; what all views have in common, in test_shared.py.
"""

import json
import pickle
import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

import ludus
from ludus.agents import as_policy

from ..helpers.values import same
from ..helpers.views import every_game, every_seating, every_variant, make_single, story

GAME = ludus.make_game("tictactoe")
SMALL_IMAGES = "observation is an image but|minimal resolution for an image|Treating image space as channels-last"


def pick(observation, rng):
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


def episode(env, rng, **reset):
    """One game of random actions: what reset and each step returned."""
    observation, info = env.reset(**reset)
    trace = [(observation, 0.0, False, False, info)]
    while not (trace[-1][2] or trace[-1][3]):
        trace.append(env.step(pick(trace[-1][0], rng)))
    return trace


# ---- the checks of others


@every_game
@every_seating
def test_the_checkers_of_gymnasium_and_stable_baselines3_have_nothing_to_say(spec, opponent, seat, monkeypatch):
    from stable_baselines3.common.env_checker import check_env as check

    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)
    check_env(make_single(spec, opponent=opponent, seat=seat).unwrapped, skip_render_check=opponent is not None)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", f".*({SMALL_IMAGES})")
        check(make_single(spec, opponent=opponent, seat=seat))


@every_variant
@pytest.mark.parametrize(("opponent", "seat"), [(None, 0), ("random", "random")])
def test_the_spec_survives_json_and_the_same_seed_gives_the_same_games(spec, opponent, seat):
    env = make_single(spec, opponent=opponent, seat=seat)
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.unwrapped.game == env.unwrapped.game
    for seed in (7, None):
        one, other = (episode(made, np.random.default_rng(8), seed=seed) for made in (env, again))
        assert same(one, other)


def test_the_seat_is_chosen_for_the_games_that_begin():
    env = gym.make("ludus/TicTacToe-v0", seat=0)
    for options, seat in (({}, 0), ({"seat": 1}, 1), ({}, 1), ({"seat": 0}, 0), ({"seat": np.int64(1)}, 1)):
        observation, info = env.reset(seed=0, options=options)
        assert info["seat"] == seat
        assert (observation["observation"].sum() > 9) == bool(seat)  # the opponent has moved
    with pytest.raises(ValueError, match=r"seat is True; the learner sits at 0 \(moves first\), at 1, or at 'random'"):
        env.reset(options={"seat": True})
    envs = gym.make_vec("ludus/TicTacToe-v0", num_envs=3, seat=0)
    envs.reset(seed=0)
    only_last = np.array([False, False, True])
    assert envs.reset(options={"seat": 1, "reset_mask": only_last})[1]["seat"].tolist() == [0, 0, 1]


# ---- opponents


class Answers:
    """An opponent that gives the same answer everywhere; None is an error."""

    def __init__(self, answer):
        self.answer = answer

    def act(self, states, keys):
        if self.answer is None:
            raise RuntimeError("the net is missing")
        return np.asarray(self.answer)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        *((answer, r"Answers.*'-{27}OX-{6}XO-{27} X'.*not legal") for answer in ([0], [-1], [10**6], [2**40])),
        *((answer, "asked for 1 actions and gave an array of shape") for answer in ([19, 19], [], [[19]])),
        (None, "the net is missing"),
    ],
    ids=str,
)
def test_an_opponent_that_errs_is_named_and_leaves_no_half_taken_step(answer, sentence):
    env = gym.make("ludus/Othello-v0", opponent=Answers(answer), seat=1).unwrapped
    with pytest.raises((ValueError, RuntimeError), match=sentence):
        env.reset(seed=0)
    with pytest.raises(gym.error.ResetNeeded):
        env.step(19)
    env.reset(seed=0, options={"opponent": "random"})
    env.step(int(env.action_masks().argmax()))
    env.reset(seed=0, options={"opponent": Answers([19])})  # the first move, and legal nowhere else
    with pytest.raises(ValueError, match="not legal"):
        env.step(int(env.action_masks().argmax()))
    with pytest.raises(gym.error.ResetNeeded):
        env.step(0)


def test_an_opponent_can_be_a_policy_and_can_change_at_reset():
    env = gym.make("ludus/Nim-v0", opponent=ludus.make_policy("random", "nim"), seat=0)
    env.reset(seed=0, options={"opponent": "nim_sum"})
    lost = [episode(env, np.random.default_rng(seed), seed=seed)[-1][1] for seed in range(30)]
    assert lost == [-1.0] * 30  # 1, 3, 5, 7 is lost for who moves first
    env.reset(seed=0, options={"opponent": None})
    assert "player" in env.step(0)[4]


def by_weights(observations, masks):
    return observations.reshape(len(observations), -1) @ np.random.default_rng(0).normal(size=(27, 9))


def network():
    torch = pytest.importorskip("torch")
    return torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(27, 9))


@pytest.mark.parametrize("thing", [lambda: by_weights, lambda: lambda states, keys: GAME.masks(states).argmax(axis=1), network])
def test_what_evaluate_takes_is_an_opponent_too(thing):
    opponent = thing()
    made, meant = (
        gym.make_vec("ludus/TicTacToe-v0", num_envs=20, opponent=each) for each in (opponent, as_policy(opponent, "tictactoe"))
    )
    assert same(story(made, 30, seed=0), story(meant, 30, seed=0))


def test_a_specs_environment_is_written_as_json_and_any_other_is_pickled():
    assert json.loads(gym.make("ludus/TicTacToe-v0", opponent="greedy").spec.to_json())["kwargs"]["opponent"] == "greedy"
    env = gym.make("ludus/TicTacToe-v0", opponent=by_weights, seat=0)
    with pytest.raises(TypeError, match="function"):
        env.spec.to_json()
    again, copied = gym.make(env.spec), pickle.loads(pickle.dumps(env))
    for one in (env, again, copied):
        one.reset(seed=2)
        one.step(4)
    assert env.unwrapped.position == again.unwrapped.position == copied.unwrapped.position
