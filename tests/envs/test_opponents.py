"""`opponent=` takes whatever `evaluate` takes: a function, a model, a torch module."""

import json
import pickle

import gymnasium as gym
import numpy as np
import pytest

import ludus
from ludus.agents import as_policy

GAME = ludus.make_game("tictactoe")
WEIGHTS = np.random.default_rng(0).normal(size=(27, 9))


def by_weights(observations, masks):
    return observations.reshape(len(observations), -1) @ WEIGHTS


def network():
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(27, 9))


def acting_network():
    """A module that has a method `act` of its own, as many learners' networks do."""
    torch = pytest.importorskip("torch")

    class Agent(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = network()

        def forward(self, observations):
            return self.inner(observations)

        def act(self, observation):
            raise AssertionError("this is the learner's own method")

    return Agent()


def model():
    sb3 = pytest.importorskip("sb3_contrib")
    from ludus.baselines.sb3 import BoardsVecEnv

    return sb3.MaskablePPO("MultiInputPolicy", BoardsVecEnv(GAME, 2), n_steps=8, batch_size=16, seed=0)


OPPONENTS = {
    "function": lambda: by_weights,
    "function of states and keys": lambda: lambda states, keys: GAME.masks(states).argmax(axis=1),
    "lambda": lambda: lambda observations, masks: masks.argmax(axis=1),
    "module with a method act": acting_network,
    "model": model,
}


def rewards(envs):
    """What random play gets in many games."""
    envs.reset(seed=0)
    return np.array([envs.step(envs.sample_actions())[1] for _ in range(30)])


@pytest.mark.parametrize("kind", OPPONENTS)
def test_it_plays_as_evaluate_would_have_it_play(kind):
    thing = OPPONENTS[kind]()
    made, meant = (gym.make_vec("ludus/TicTacToe-v0", num_envs=20, opponent=one) for one in (thing, as_policy(thing, GAME)))
    found = rewards(made.unwrapped)
    assert np.array_equal(found, rewards(meant.unwrapped))
    assert {*found.ravel().tolist()} >= {1.0, -1.0}


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


def test_other_processes_take_a_function_along():
    envs = gym.make_vec("ludus/TicTacToe-v0", num_envs=2, opponent=OPPONENTS["lambda"](), seat=0, vectorization_mode="async")
    try:
        envs.reset(seed=0)
        observation, *_ = envs.step(np.array([4, 4]))
    finally:
        envs.close()
    assert observation["observation"][:, 1, 0, 0].tolist() == [1, 1]  # the answer, on a1


def test_a_network_or_a_model_made_for_another_game_is_refused():
    env = gym.make("ludus/Othello-v0", opponent=network(), seat=1)
    with pytest.raises((RuntimeError, ValueError)):
        env.reset(seed=0)
    with pytest.raises(ValueError, match="was trained on observations"):
        gym.make("ludus/Othello-v0", opponent=model())
