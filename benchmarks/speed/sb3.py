"""How fast MaskablePPO learns with different vector environments and the same network, measured in turn; medians.

python -m benchmarks.speed.sb3

- `wrapper`: one AEC environment in a wrapper like that of PettingZoo's tutorial for masked actions, with default settings;
- `8 wrappers`: eight of them in a `DummyVecEnv`, 2048 steps per update, in 4 epochs of batches of 512;
- `128 wrappers`: as many as there are boards below, so that the network evaluates batches of the same size;
- `BoardsVecEnv`: 128 compiled boards with the same settings.

The wrappers play both seats, ours one seat against random. For ours, the share of time for the boards, the opponent and the
masks is measured, too; the rest is spent in the network and Stable-Baselines3.
"""

from __future__ import annotations

import argparse
import statistics
import time
from functools import partial
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pettingzoo

import ludus  # noqa: F401  registers the environments

from ..provenance import Part, Study, of_times, table

GAMES = {"tictactoe": "tic-tac-toe", "quixo": "Quixo"}
UPDATE = {"batch_size": 512, "n_epochs": 4}
BOARDS = 128
WRAPPER, WRAPPERS, AS_MANY, OURS = "wrapper", "8 wrappers", f"{BOARDS} wrappers", "BoardsVecEnv"
SECONDS, RUNS = 6.0, 5


class BothSeats(gymnasium.Env[Any, Any]):
    """An AEC environment in which one learner plays both seats and gets the reward of the player to move next."""

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
    """128 boards against random that measure the seconds of boards, opponent and masks."""
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

    return Timed(game, BOARDS, opponent="random")


def models(game: str) -> dict[str, Any]:
    """A learner for each environment, with the same network: planes, and two layers of 64 for policy and value each."""
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import DummyVecEnv

    from ludus.baselines.sb3 import BoardFeatures

    planes = {"features_extractor_class": BoardFeatures, "features_extractor_kwargs": {"convolutions": ()}}

    def learner(policy: str, envs: Any, count: int, **more: Any) -> Any:
        return MaskablePPO(policy, envs, n_steps=2048 // count, seed=0, device="cpu", **UPDATE, **more)

    def wrappers(count: int) -> Any:
        return DummyVecEnv([lambda: Monitor(BothSeats(game))] * count)

    return {
        WRAPPER: MaskablePPO("MlpPolicy", Monitor(BothSeats(game)), seed=0, device="cpu"),
        WRAPPERS: learner("MlpPolicy", wrappers(8), 8),
        AS_MANY: learner("MlpPolicy", wrappers(BOARDS), BOARDS),
        OURS: learner("MultiInputPolicy", timed_boards(game), BOARDS, policy_kwargs=planes),
    }


class Rate(NamedTuple):
    """The speed of a model's learning.

    Args:
        clock: steps per second.
        processor: steps per second of processor time.
        spent: the measured seconds.
    """

    clock: float
    processor: float
    spent: float


def rate(model: Any, seconds: float) -> Rate:
    """Lets a model learn for about so many seconds."""
    begin, busy, steps = time.perf_counter(), time.process_time(), model.num_timesteps
    while (spent := time.perf_counter() - begin) < seconds:
        model.learn(2048, reset_num_timesteps=False)
    steps = model.num_timesteps - steps
    return Rate(steps / spent, steps / (time.process_time() - busy), spent)


def measured(game: str, runs: int = RUNS, seconds: float = SECONDS) -> list[dict[str, Any]]:
    """A row for each environment, with one torch thread, which is fastest for small networks."""
    import torch

    torch.set_num_threads(1)
    learners = models(game)
    boards: Any = learners[OURS].get_env()
    for model in learners.values():
        model.learn(2048)
    found: dict[str, list[Rate]] = {whose: [] for whose in learners}
    shares: list[float] = []
    for _ in range(runs):
        for whose, model in learners.items():
            boards.seconds = 0.0
            found[whose].append(rate(model, seconds))
        shares.append(boards.seconds / found[OURS][-1].spent)
    return [
        {
            "whose": whose,
            "steps_per_second": statistics.median(run.clock for run in rates),
            "ours_times_as_fast": None if whose == OURS else times(found[OURS], rates, "clock"),
            "ours_times_as_fast_by_processor_time": None if whose == OURS else times(found[OURS], rates, "processor"),
            "share_of_the_boards": statistics.median(shares) if whose == OURS else None,
            "runs": [run.clock for run in rates],
        }
        for whose, rates in found.items()
    ]


def times(ours: list[Rate], theirs: list[Rate], by: str) -> float:
    """How many times as fast ours is, as median of runs in turn."""
    return statistics.median(getattr(one, by) / getattr(other, by) for one, other in zip(ours, theirs, strict=True))


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each game."""
    return {game: of_times(partial(measured, game), partial(measured, game, 1, 2.0), compared) for game in GAMES}


def compared(rows: list[dict[str, Any]]) -> dict[str, float]:
    """How many times as fast ours is as each other, by processor time."""
    return {row["whose"]: row["ours_times_as_fast_by_processor_time"] for row in rows if row["whose"] != OURS}


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A row for each game."""
    heads = [
        "",
        "`BoardsVecEnv` is … times as fast as these three",
        "by processor time",
        "one AEC environment in the tutorial's wrapper, defaults",
        "8 of them in a `DummyVecEnv`",
        f"{BOARDS} of them",
        f"`BoardsVecEnv`, {BOARDS} boards",
        "the boards' share of the time",
    ]
    rows, figures = list[list[str]](), dict[str, str]()
    for game, (*others, ours) in found.items():
        steps = [f"{way['steps_per_second']:,.0f}" for way in (*others, ours)]
        faster = [f"{way['ours_times_as_fast']:.1f}" for way in others]
        by_processor = [f"{way['ours_times_as_fast_by_processor_time']:.1f}" for way in others]
        share = f"{100 * ours['share_of_the_boards']:.0f} %"
        rows.append([GAMES[game], " · ".join(faster), " · ".join(by_processor), *steps, share])
        figures |= {f"{game}.{way['whose'].replace(' ', '-')}": times for way, times in zip(others, faster, strict=True)}
    return {"table": table(heads, rows), **figures}


SOURCES = (
    "games",
    "games/kernels",
    "native",
    "envs/aec.py",
    "envs/boards.py",
    "envs/opponent.py",
    "baselines/sb3/nets.py",
    "baselines/sb3/vec_env.py",
)
STUDY = Study(__file__, parts, shown, SOURCES, 0, ("stable-baselines3", "sb3-contrib", "torch", "numpy", "gymnasium", "pettingzoo"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
