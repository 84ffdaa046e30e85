"""One seat of Othello on 6×6 against the random player, with the opponent inside `step`."""

import gymnasium as gym
import numpy as np

import ludus  # noqa: F401  registers the environments

env = gym.make("ludus/Othello-v0", size=6, opponent="random", seat=0)
rng = np.random.default_rng(0)

results = []
for episode in range(100):
    observation, info = env.reset(seed=episode)
    over = False
    while not over:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    results.append(reward)  # +1, 0 or -1, also when the opponent made the last move

print(f"random against random, 100 games: mean reward {np.mean(results):+.2f}")
