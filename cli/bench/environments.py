"""`ludus bench environments`: measures the speed of the environments, and the time until a process has its first one."""

from __future__ import annotations

import os
import platform
import random
import statistics
import subprocess
import sys
import time
from functools import partial
from typing import Any

import gymnasium
import numpy as np

from ...envs import game_names, thread_count
from ...envs.aec import AECGame
from ...games.registry import id_name
from ..terminal.output import print_json, print_table
from .machine import conditions, describe_machine, machine
from .measuring import summary

FIRST = "import gymnasium as gym, ludus; gym.make('ludus/{}-v0').reset(seed=0)"
"""The code of a process with one environment."""


def run(seconds: float, runs: int, boards: int, as_json: bool) -> None:
    """Measures, and prints medians.

    Args:
        seconds: length of one run of each.
        runs: number of runs, of which the median is shown.
        boards: number of boards of a vector environment.
        as_json: print JSON.
    """
    once = {("AEC, masked loop", name): partial(aec_rate, AECGame(name), seconds) for name in game_names()}
    once |= {
        (f"vector, {boards} boards, SameStep, opponent={opponent}", name): partial(vector_rate, name, boards, opponent, seconds)
        for name in game_names()
        for opponent in (None, "random")
    }
    rows = [
        {"what": what, "game": game, **summary([rate() for _ in range(runs)], "steps/s")} for (what, game), rate in once.items()
    ]
    start = statistics.median([start_seconds() for _ in range(runs + 1)][1:])
    here, now = machine(), conditions()
    if as_json:
        speeds = {"threads": thread_count(), "steps_per_second": rows, "start_seconds": start}
        print_json({"machine": here, "conditions": now, **speeds})
        return
    where = f"{describe_machine(here, now['mhz'])}, Python {platform.python_version()}"
    print_table(
        f"median of {runs} runs, {thread_count()} threads, {where}",
        ["what", "game", "steps/s", "slowest", "fastest"],
        [(row["what"], row["game"], *(f"{row[key]:,.0f}" for key in ("median", "slowest", "fastest"))) for row in rows],
        left=2,
    )
    print(f"process start to first gym.make(...).reset(), caches warm: {start:.2f} s")


def aec_rate(env: Any, seconds: float) -> float:
    """Steps per second in a masked loop over an AEC environment, ours or another library's."""
    rng = random.Random(0)
    env.reset(seed=0)
    steps, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            action = None if terminated or truncated else rng.choice(np.flatnonzero(observation["action_mask"]).tolist())
            env.step(action)
            steps += 1
        env.reset()
    return steps / (time.perf_counter() - began)


def vector_rate(name: str, boards: int, opponent: str | None, seconds: float) -> float:
    """Boards stepped per second in a vector environment with random legal actions and SameStep autoreset."""
    envs: Any = gymnasium.make_vec(f"ludus/{id_name(name)}-v0", num_envs=boards, opponent=opponent, autoreset_mode="SameStep")
    envs.reset(seed=0)
    for _ in range(3):
        envs.step(envs.sample_actions())
    steps, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for _ in range(10):
            envs.step(envs.sample_actions())
        steps += 10
    return steps * boards / (time.perf_counter() - began)


def start_seconds(name: str = "othello", **environment: str) -> float:
    """Seconds from the start of a process to its first `gym.make(...).reset()`; keywords are environment variables."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", FIRST.format(id_name(name))], check=True, env={**os.environ, **environment})
    return time.perf_counter() - began
