"""MaskablePPO of sb3-contrib on tic-tac-toe, with the masks of the environment. Needs `pip install '.[rl]'`.

python examples/training/train_maskable_ppo.py 50000
"""

import argparse

import gymnasium as gym
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

import ludus  # noqa: F401  registers the environments

torch.set_num_threads(1)  # fastest for small networks
arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("steps", nargs="?", type=int, default=20_000)
steps = arguments.parse_args().steps
train = DummyVecEnv([lambda: gym.make("ludus/TicTacToe-v0", opponent="random") for _ in range(8)])
model = MaskablePPO("MultiInputPolicy", train, n_steps=256, batch_size=256, seed=0)

test = Monitor(gym.make("ludus/TicTacToe-v0", opponent="random", seat=0))
before, _ = evaluate_policy(model, test, n_eval_episodes=200)
model.learn(steps)
after, _ = evaluate_policy(model, test, n_eval_episodes=200)
print(f"mean reward as X against random: {before:+.2f} before, {after:+.2f} after {steps} steps")
