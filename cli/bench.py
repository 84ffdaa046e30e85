"""`ludus bench`: how fast the environments are here; or search, the arena, or compiling (bench_search.py and its like)."""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np

from ..envs import game_names, thread_count
from ..envs.aec import AECGame
from ..envs.registry import id_name
from . import bench_compile, measuring
from .numbers import seconds, whole
from .output import print_json, print_table


def arguments(parser: argparse.ArgumentParser) -> None:
    """What to measure, how long and how often."""
    parser.add_argument(
        "what", nargs="?", default="environments", choices=["environments", "search", "arena", "compile"], help="(environments)"
    )
    parser.add_argument("--seconds", action=seconds(), default=1.0, help="length of one run of each (1)")
    parser.add_argument("--runs", action=whole(1), default=3, help="runs, of which the median counts (3)")
    parser.add_argument("--boards", action=whole(1), default=8192, help="boards of a vector environment (8192)")


def run(chosen: argparse.Namespace) -> None:
    """Measures all and prints medians."""
    if chosen.what == "compile":
        bench_compile.run(chosen.runs, chosen.json)
        return
    if chosen.what != "environments":
        measuring.run(import_module(f".bench_{chosen.what}", __package__).measures, chosen.runs, chosen.json)
        return
    rows: list[dict[str, Any]] = []
    for name in game_names():
        env = AECGame(name)
        rates = [aec_rate(env, chosen.seconds) for _ in range(chosen.runs)]
        rows.append(_row("AEC, masked loop", name, rates))
    for name in game_names():
        for opponent in (None, "random"):
            rates = [vector_rate(name, chosen.boards, opponent, chosen.seconds) for _ in range(chosen.runs)]
            rows.append(_row(f"vector, {chosen.boards} boards, SameStep, opponent={opponent}", name, rates))
    starts = [start_seconds() for _ in range(chosen.runs + 1)][1:]
    start = statistics.median(starts)
    document = {"machine": machine(), "threads": thread_count(), "steps_per_second": rows, "start_seconds": start}
    if chosen.json:
        print_json(document)
        return
    print_table(
        f"median of {chosen.runs} runs, {thread_count()} threads, {machine()}",
        ["what", "game", "steps/s", "slowest", "fastest"],
        [(row["what"], row["game"], *(f"{row[key]:,.0f}" for key in ("median", "slowest", "fastest"))) for row in rows],
        left=2,
    )
    print(f"process start to first gym.make(...).reset(), caches warm: {start:.2f} s")


def aec_rate(env: Any, seconds: float) -> float:
    """env.step a second in a plain masked loop over an AEC environment, ours or another's."""
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
    """Boards stepped a second in a vector environment: random legal actions, fresh observations and masks, SameStep autoreset."""
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


def start_seconds() -> float:
    """Seconds from the start of a process to its first `gym.make(...).reset()`."""
    code = "import gymnasium as gym, ludus; gym.make('ludus/Othello-v0').reset(seed=0)"
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ)
    return time.perf_counter() - began


def machine() -> str:
    """What this is measured on, in a few words."""
    return f"{os.cpu_count()} cores {platform.machine()}, Python {platform.python_version()}"


def _row(what: str, game: str, rates: list[float]) -> dict[str, Any]:
    return {"what": what, "game": game, "median": statistics.median(rates), "slowest": min(rates), "fastest": max(rates)}
