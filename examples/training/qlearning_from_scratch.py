"""Q-learning from scratch, on PettingZoo's loop: two players of tic-tac-toe learn from each other with one table."""

import argparse
from collections import defaultdict

import numpy as np
import pettingzoo

import ludus
from ludus.arena import evaluate, grade_exact

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("games", nargs="?", type=int, default=100_000)
GAMES, RATE, DISCOUNT, EXPLORATION = arguments.parse_args().games, 0.3, 0.9, 0.5

env = pettingzoo.make("aec", "ludus/tictactoe-v0")
random = np.random.default_rng(1)
values = defaultdict(lambda: np.zeros(9))  # the value of each action, by observation


def best(seen, mask):
    """The legal action with the highest value."""
    return int(np.argmax(np.where(mask, values[seen.tobytes()], -np.inf)))


for number in range(GAMES):
    env.reset(seed=number)
    before = {}  # the last observation and action of each player
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        seen, mask = observation["observation"], observation["action_mask"]
        over = terminated or truncated
        if agent in before:  # now the outcome is known: a reward, and the value of the best next action
            table, action = before[agent]
            ahead = 0 if over else values[seen.tobytes()][best(seen, mask)]
            table[action] += RATE * (reward + DISCOUNT * ahead - table[action])
        if over:
            env.step(None)
            continue
        action = int(random.choice(np.flatnonzero(mask))) if random.random() < EXPLORATION else best(seen, mask)
        before[agent] = values[seen.tobytes()], action
        env.step(action)

game = ludus.make_game("tictactoe")


def learnt(states, keys):
    """The table as a policy for batches of positions."""
    return [best(*pair) for pair in zip(game.observations(states, game.players(states)), game.masks(states), strict=True)]


print(f"{len(values)} positions seen")
print(evaluate(learnt, game, against="random", games=1000, opening_plies=0))
exact = grade_exact(learnt, game)
first, second = exact.win_rate_vs_random
print(f"It can{'' if exact.beatable else 'not'} be beaten; against random it wins {first:.2%} as X and {second:.2%} as O.")
