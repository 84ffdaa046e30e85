"""Thousands of boards of Quixo in one compiled call, and how fast that is."""

import time

import gymnasium as gym

import ludus  # noqa: F401  registers the environments

envs = gym.make_vec("ludus/Quixo-v0", num_envs=4096, opponent=None, autoreset_mode="SameStep")
observation, info = envs.reset(seed=0)

games = wins_of_x = 0
began = time.perf_counter()
for _ in range(500):
    observation, reward, terminated, truncated, info = envs.step(envs.sample_actions())
    if "final_info" in info:
        ended = info["_final_info"]
        games += ended.sum()
        wins_of_x += (info["final_info"]["rewards"][ended, 0] > 0).sum()
seconds = time.perf_counter() - began

print(f"{500 * 4096 / seconds / 1e6:.1f} M steps/s; X won {wins_of_x / games:.1%} of {games} random games")
