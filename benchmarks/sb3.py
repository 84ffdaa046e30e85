"""How fast MaskablePPO learns through each way to its environments, on this machine: the same network, in turn; medians count.

python benchmarks/sb3.py

- `wrapper`: one AEC environment behind a wrapper as in PettingZoo's tutorial for masked actions, with the algorithm's defaults;
- `8 wrappers`: eight of them in a `DummyVecEnv`, 2048 steps an update, in 4 epochs of batches of 512;
- `BoardsVecEnv`: the compiled boards with the same settings, 2048 steps an update, on 128 boards.

The wrappers play both seats, ours one against random. Of ours it also tells which share of the time went to the boards, the
opponent and the masks; the rest is the network's and Stable-Baselines3's.
"""

from __future__ import annotations

import argparse
import statistics
import time
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
from provenance import Part, Study, table

import ludus  # noqa: F401  registers the environments

GAMES = {"tictactoe": "tic-tac-toe", "quixo": "Quixo"}
UPDATE = {"batch_size": 512, "n_epochs": 4}
WRAPPER, WRAPPERS, OURS = "wrapper", "8 wrappers", "BoardsVecEnv"
SECONDS, RUNS = 6.0, 5


class BothSeats(gymnasium.Env[Any, Any]):
    """An AEC environment in which one learner takes all turns, and is given the reward of whoever is to move next."""

    def __init__(self, game: str) -> None:
        self.aec = pettingzoo.make("aec", f"ludus/{game}-v0")
        agent = self.aec.possible_agents[0]
        self.observation_space = self.aec.observation_space(agent)["observation"]
        self.action_space = self.aec.action_space(agent)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        self.aec.reset(seed=seed, options=options)
        return self.aec.last()[0]["observation"], {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.aec.step(int(action))
        seen, reward, terminated, truncated, _ = self.aec.last()
        return seen["observation"], reward, terminated, truncated, {}

    def action_masks(self) -> np.ndarray[Any, Any]:
        return self.aec.last()[0]["action_mask"]


def timed_boards(game: str) -> Any:
    """128 boards against random, with the seconds that they, the opponent and the masks took."""
    from ludus.baselines.sb3 import BoardsVecEnv

    class Timed(BoardsVecEnv):
        seconds = 0.0

        def step_wait(self) -> Any:
            begin = time.perf_counter()
            found = super().step_wait()
            self.seconds += time.perf_counter() - begin
            return found

        def action_masks(self) -> Any:
            begin = time.perf_counter()
            found = super().action_masks()
            self.seconds += time.perf_counter() - begin
            return found

    return Timed(game, 128, opponent="random")


def models(game: str) -> dict[str, Any]:
    """A learner for each way, with the same network: planes, and two layers of 64 for policy and value each."""
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import DummyVecEnv

    from ludus.baselines.sb3 import BoardFeatures

    planes = {"features_extractor_class": BoardFeatures, "features_extractor_kwargs": {"convolutions": ()}}
    one, eight = Monitor(BothSeats(game)), DummyVecEnv([lambda: Monitor(BothSeats(game))] * 8)
    return {
        WRAPPER: MaskablePPO("MlpPolicy", one, seed=0, device="cpu"),
        WRAPPERS: MaskablePPO("MlpPolicy", eight, n_steps=256, seed=0, device="cpu", **UPDATE),
        OURS: MaskablePPO("MultiInputPolicy", timed_boards(game), n_steps=16, seed=0, device="cpu", policy_kwargs=planes, **UPDATE),
    }


def rate(model: Any) -> tuple[float, float]:
    """Steps a second of learning for about so long, and the seconds in which they were taken."""
    begin, steps = time.perf_counter(), model.num_timesteps
    while (spent := time.perf_counter() - begin) < SECONDS:
        model.learn(2048, reset_num_timesteps=False)
    return (model.num_timesteps - steps) / spent, spent


def measured(game: str) -> list[dict[str, Any]]:
    """A row for each way, with one thread of torch, which is quickest for networks so small."""
    import torch

    torch.set_num_threads(1)
    learners = models(game)
    boards: Any = learners[OURS].get_env()
    for model in learners.values():
        model.learn(2048)
    found: dict[str, list[float]] = {whose: [] for whose in learners}
    shares: list[float] = []
    for _ in range(RUNS):
        for whose, model in learners.items():
            boards.seconds = 0.0
            steps, spent = rate(model)
            found[whose].append(steps)
            if whose == OURS:
                shares.append(boards.seconds / spent)
    ratio = {
        whose: statistics.median(ours / other for ours, other in zip(found[OURS], found[whose], strict=True)) for whose in found
    }
    return [
        {
            "whose": whose,
            "steps_per_second": statistics.median(found[whose]),
            "ours_times_as_fast": None if whose == OURS else ratio[whose],
            "share_of_the_boards": statistics.median(shares) if whose == OURS else None,
            "runs": found[whose],
        }
        for whose in found
    ]


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each game."""
    return {game: Part(partial(measured, game)) for game in GAMES}


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A row for each game."""
    heads = [
        "",
        "one AEC environment in the tutorial's wrapper, defaults",
        "eight of them in a `DummyVecEnv`",
        "`BoardsVecEnv`, 128 boards",
        "faster by",
        "the boards' share of the time",
    ]
    rows = list[list[str]]()
    for game, ways in found.items():
        steps = [f"{way['steps_per_second']:,.0f}" for way in ways]
        faster = " · ".join(f"{way['ours_times_as_fast']:.1f}" for way in ways[:2])
        rows.append([GAMES[game], *steps, faster, f"{100 * ways[2]['share_of_the_boards']:.0f} %"])
    return {"table": table(heads, rows)}


SOURCES = (
    "envs/games",
    "envs/kernels",
    "envs/native",
    "envs/aec.py",
    "envs/boards.py",
    "envs/opponent.py",
    "baselines/sb3/nets.py",
    "baselines/sb3/vec_env.py",
)
STUDY = Study(__file__, parts, shown, SOURCES, 0, ("stable-baselines3", "sb3-contrib", "torch", "numpy", "gymnasium", "pettingzoo"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
