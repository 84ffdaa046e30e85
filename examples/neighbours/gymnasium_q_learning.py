"""Gymnasium's tabular Q-learning (its tutorials on Blackjack, Frozen Lake and Taxi's action masks) on one seat.

Three things differ from those: the planes as bytes are the key of the table, exploring draws from the mask, and so does the best
next action. The opponent answers inside `step`, so the next observation is the learner's own next turn, as in a one-player game.

python examples/neighbours/gymnasium_q_learning.py --games 30000
"""

import argparse
from collections import defaultdict

import gymnasium as gym
import numpy as np

import ludus  # noqa: F401  registers the environments
from ludus.arena import evaluate

RATE, DISCOUNT, EXPLORE_LAST = 0.1, 0.95, 0.1


def best(values: np.ndarray, mask: np.ndarray) -> int:
    """The legal action with the highest value."""
    return int(np.argmax(np.where(mask, values, -np.inf)))


def learn(env: gym.Env, games: int) -> dict[bytes, np.ndarray]:
    """Plays games and returns the value of each action, by observation."""
    table: dict[bytes, np.ndarray] = defaultdict(lambda: np.zeros(env.action_space.n))
    random = np.random.default_rng(0)
    for game in range(games):
        explore = max(1 - 2 * game / games, EXPLORE_LAST)
        observation, info = env.reset(seed=game)
        over = False
        while not over:
            seen, mask = observation["observation"].tobytes(), info["action_mask"]
            action = int(random.choice(np.flatnonzero(mask))) if random.random() < explore else best(table[seen], mask)
            observation, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            after = table[observation["observation"].tobytes()]
            ahead = 0.0 if over else after[best(after, info["action_mask"])]
            table[seen][action] += RATE * (reward + DISCOUNT * ahead - table[seen][action])
    return table


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--games", type=int, default=30_000)
    table = learn(gym.make("ludus/TicTacToe-v0", opponent="random"), arguments.parse_args().games)

    def values(observations):
        return np.array([table[seen.tobytes()] for seen in observations])

    print(f"{len(table)} positions seen")
    print(repr(evaluate(values, "tictactoe", "random", games=1000, opening_plies=0)))
