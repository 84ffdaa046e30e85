"""Self-play: with `opponent=None` one learner plays both sides, and each step returns the mover's reward."""

import gymnasium as gym
import numpy as np

import ludus  # noqa: F401  registers the environments

env = gym.make("ludus/TicTacToe-v0", opponent=None)
rng = np.random.default_rng(0)

observation, info = env.reset(seed=0)
over = False
while not over:
    player = info["player"]
    action = rng.choice(np.flatnonzero(info["action_mask"]))
    observation, reward, terminated, truncated, info = env.step(action)
    over = terminated or truncated
    print(f"player {player} marks {env.unwrapped.game.moves[action]}: {env.unwrapped.position}")

print(f"rewards: {info['rewards']}")
