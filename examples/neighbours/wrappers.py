"""Wrappers of Gymnasium and SuperSuit around the environments: flattened planes, and the mask from `info`.

Most wrappers take arrays, not dictionaries: the mask is taken out of the observation first, and its copy in `info` stays.

python examples/neighbours/wrappers.py --steps 1000
"""

import argparse

import gymnasium as gym
import numpy as np
import pettingzoo
import supersuit
from gymnasium.wrappers import vector

import ludus  # noqa: F401  registers the environments

random = np.random.default_rng(0)


def legal(masks: np.ndarray) -> np.ndarray:
    """A random legal action for each mask."""
    return (random.random(masks.shape) * masks).argmax(-1)


def with_gymnasium(steps: int) -> tuple[tuple[int, ...], float]:
    """The shape of an observation of many boards, and the mean result of finished games."""
    games = vector.RecordEpisodeStatistics(gym.make_vec("ludus/Othello-v0", num_envs=64, size=6, opponent="greedy"))
    envs = vector.FlattenObservation(vector.FilterObservation(games, ["observation"]))
    observation, info = envs.reset(seed=0)
    for _ in range(steps):
        observation, _, _, _, info = envs.step(legal(info["action_mask"]))
    return observation.shape, float(np.mean(games.return_queue))


def with_supersuit(games: int) -> tuple[tuple[int, ...], list[float]]:
    """The shape of a seat's observation, and the first seat's result in each game."""
    env = pettingzoo.make("aec", "ludus/othello-v0", size=6)
    env = supersuit.observation_lambda_v0(env, lambda seen, _: seen["observation"], lambda space: space["observation"])
    env = supersuit.flatten_v0(supersuit.dtype_v0(env, np.float32))
    results = []
    for seed in range(games):
        env.reset(seed=seed)
        for seat in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            over = terminated or truncated
            if over and seat == "player_0":
                results.append(reward)
            env.step(None if over else int(legal(info["action_mask"])))
    return observation.shape, results


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--steps", type=int, default=1000)
    steps = arguments.parse_args().steps
    shape, mean = with_gymnasium(steps)
    print(f"Gymnasium: boards {shape}, mean result of a random player against greedy {mean:+.2f}")
    shape, results = with_supersuit(steps // 10)
    print(f"SuperSuit: board {shape}, mean result of the first of two random players {np.mean(results):+.2f}")
