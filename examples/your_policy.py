"""Your own function as a policy: in a match, as an opponent, and by name on the command line.

In the folder of this file: `ludus play tictactoe --against python:your_policy:centre_first`
"""

import gymnasium as gym
import numpy as np

import ludus
from ludus.arena import evaluate

game = ludus.make_game("tictactoe")


def centre_first(states: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Takes the centre if it is free, else a corner, else any cell: for a batch of positions."""
    preference = np.array([2, 1, 2, 1, 3, 1, 2, 1, 2])
    return np.argmax(game.masks(states) * preference, axis=1)


if __name__ == "__main__":
    policy = ludus.make_policy("python:your_policy:centre_first", game)
    print(evaluate(policy, game, against="random", games=1000))

    env = gym.make("ludus/TicTacToe-v0", opponent="python:your_policy:centre_first", seat=0)
    env.reset(seed=0)
    env.step(game.action("a1"))
    print("after a1 it is", env.unwrapped.position)
