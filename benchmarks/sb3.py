"""How fast MaskablePPO learns through each way to its environments, on this machine: the same network, in turn; medians count.

python benchmarks/sb3.py            # a table; --json for a document; --seconds and --runs make it shorter

- `wrapper`: one AEC environment behind a wrapper as in PettingZoo's tutorial for masked actions, with the algorithm's defaults;
- `8 wrappers`: eight of them in a `DummyVecEnv`, 2048 steps an update, in 4 epochs of batches of 512;
- `BoardsVecEnv`: the compiled boards with the same settings, 2048 steps an update, on 128 boards.

The wrappers play both seats, ours one against random. Of ours it also tells which share of the time went to the boards, the
opponent and the masks; the rest is the network's and Stable-Baselines3's.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from importlib.metadata import version
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

import ludus  # noqa: F401  registers the environments
from ludus.baselines.sb3 import BoardFeatures, BoardsVecEnv
from ludus.cli.bench import machine

GAMES = ("tictactoe", "quixo")
UPDATE = {"batch_size": 512, "n_epochs": 4}
WRAPPER, WRAPPERS, OURS = "wrapper", "8 wrappers", "BoardsVecEnv"
TARGETS = {WRAPPER: 5.0, WRAPPERS: 2.0}


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


class Timed(BoardsVecEnv):
    """The boards, with the seconds that they, the opponent and the masks took."""

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


def models(game: str) -> dict[str, MaskablePPO]:
    """A learner for each way, with the same network: planes, and two layers of 64 for policy and value each."""
    planes = {"features_extractor_class": BoardFeatures, "features_extractor_kwargs": {"convolutions": ()}}
    one, eight = Monitor(BothSeats(game)), DummyVecEnv([lambda: Monitor(BothSeats(game))] * 8)
    ours = Timed(game, 128, opponent="random")
    return {
        WRAPPER: MaskablePPO("MlpPolicy", one, seed=0, device="cpu"),
        WRAPPERS: MaskablePPO("MlpPolicy", eight, n_steps=256, seed=0, device="cpu", **UPDATE),
        OURS: MaskablePPO("MultiInputPolicy", ours, n_steps=16, seed=0, device="cpu", policy_kwargs=planes, **UPDATE),
    }


def rate(model: MaskablePPO, seconds: float) -> tuple[float, float]:
    """Steps a second of learning for about so long, and the seconds in which they were taken."""
    begin, steps = time.perf_counter(), model.num_timesteps
    while (spent := time.perf_counter() - begin) < seconds:
        model.learn(2048, reset_num_timesteps=False)
    return (model.num_timesteps - steps) / spent, spent


def measured(game: str, seconds: float, runs: int) -> list[dict[str, Any]]:
    """A row for each way."""
    learners = models(game)
    boards: Any = learners[OURS].get_env()
    for model in learners.values():
        model.learn(2048)
    found: dict[str, list[float]] = {whose: [] for whose in learners}
    shares: list[float] = []
    for _ in range(runs):
        for whose, model in learners.items():
            boards.seconds = 0.0
            steps, spent = rate(model, seconds)
            found[whose].append(steps)
            if whose == OURS:
                shares.append(boards.seconds / spent)
    ratio = {
        whose: statistics.median(ours / other for ours, other in zip(found[OURS], found[whose], strict=True)) for whose in found
    }
    return [
        {
            "game": game,
            "whose": whose,
            "steps_per_second": statistics.median(found[whose]),
            "ours_times_as_fast": None if whose == OURS else ratio[whose],
            "target": TARGETS.get(whose),
            "share_of_the_boards": statistics.median(shares) if whose == OURS else None,
            "runs": found[whose],
        }
        for whose in found
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="for each way in each run (10)")
    parser.add_argument("--runs", type=int, default=5, help="runs in turn (5)")
    parser.add_argument("--json", action="store_true", help="print a document")
    chosen = parser.parse_args()
    torch.set_num_threads(1)  # networks so small are quickest on one
    rows = [row for game in GAMES for row in measured(game, chosen.seconds, chosen.runs)]
    if chosen.json:
        versions = {
            name: version(name) for name in ("stable-baselines3", "sb3-contrib", "torch", "numpy", "gymnasium", "pettingzoo")
        }
        print(json.dumps({"machine": machine(), "versions": versions, "torch_threads": 1, "rows": rows}, indent=1))
        return
    print("| game | way | steps/s | ours is faster by | share of the boards |\n|---|---|---:|---:|---:|")
    for row in rows:
        times, share = row["ours_times_as_fast"], row["share_of_the_boards"]
        told = (f"{times:.1f}" if times else "", f"{share:.0%}" if share else "")
        print(f"| {row['game']} | `{row['whose']}` | {row['steps_per_second']:,.0f} | {told[0]} | {told[1]} |")


if __name__ == "__main__":
    main()
