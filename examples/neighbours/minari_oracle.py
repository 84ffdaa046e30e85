"""Random games with the oracle's value of every position, written as a Minari data set and read back.

In `infos` stand the value of each position for the player to move (1, 0, -1) and which actions keep it.

python examples/neighbours/minari_oracle.py --games 200
"""

import argparse
import os
import tempfile
import warnings

import gymnasium as gym
import numpy as np
from minari import create_dataset_from_buffers, load_dataset
from minari.data_collector.episode_buffer import EpisodeBuffer

from ludus.oracles import make_oracle

NAME = "ludus/quixo-3x3/random-v0"


def oracle_infos(oracle, env) -> dict:
    """The oracle's value of the position as arrays, because Minari's Arrow files take no plain numbers in `infos`."""
    known = oracle.solve(env.unwrapped.rules_state)
    return {"value": [known.value], "best": np.isin(np.arange(oracle.game.num_actions), known.best)}


def stacked(entries: list[dict]) -> dict:
    return {key: np.array([entry[key] for entry in entries]) for key in entries[0]}


def episode(env, oracle, number: int) -> EpisodeBuffer:
    """A game of two random players, with the position at the end."""
    random = np.random.default_rng(number)
    observation, info = env.reset(seed=number)
    seen, infos, steps, over = [observation], [oracle_infos(oracle, env)], [], False
    while not over:
        action = int(random.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        seen.append(observation)
        infos.append(oracle_infos(oracle, env))
        steps.append((action, reward, terminated, truncated))
        over = terminated or truncated
    return EpisodeBuffer(number, number, None, stacked(seen), *map(np.array, zip(*steps, strict=True)), stacked(infos))


arguments = argparse.ArgumentParser()
arguments.add_argument("--games", type=int, default=200)
os.environ.setdefault("MINARI_DATASETS_PATH", tempfile.mkdtemp())  # your folder of data sets
warnings.filterwarnings("ignore", ".* is set to None", module="minari")  # set author and address if you publish it

env, oracle = gym.make("ludus/Quixo-v0", size=3, opponent=None), make_oracle("quixo:size=3")
games = [episode(env, oracle, number) for number in range(arguments.parse_args().games)]
create_dataset_from_buffers(NAME, games, env=env, algorithm_name="random", data_format="arrow")

dataset = load_dataset(NAME)
kept = [e.infos["best"][np.arange(len(e)), e.actions] for e in dataset]
print(f"{dataset.total_episodes} games, {dataset.total_steps} positions of {dataset.recover_environment().unwrapped.game.spec}")
print(f"{np.concatenate(kept).mean():.1%} of the random moves keep the value of the position")
