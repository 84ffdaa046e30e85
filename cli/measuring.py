"""What `ludus bench` measures: each thing several times, of which the median counts."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import gymnasium
import numpy as np

from ..agents.mcts import Mcts
from ..agents.minimax import Minimax
from ..agents.policy import Policy
from ..arena.quantities import Quantity
from ..envs import Game, game_names, make_game, set_threads, thread_count
from ..envs.aec import AECGame
from ..games.game import StateArray
from ..games.registry import id_name

COSTS = ("s", "µs", "MB", "bytes")
"""Units of which less is better; for all other units, more is better."""
FIRST = "import gymnasium as gym, ludus; gym.make('ludus/{}-v0').reset(seed=0)"
"""The code of a process with one environment."""
SIMULATIONS = 2000
DEPTH = 6
CALLS = 1000
"""How many calls of a policy are timed, of which the median counts."""


class Measurement(NamedTuple):
    """A measurement.

    Args:
        what: its description.
        unit: its unit.
        measure: takes it and returns the value.
        aim: the value to reach, if there is one: a maximum for costs, a minimum for rates.
    """

    what: str
    unit: str
    measure: Callable[[], float]
    aim: float | None = None


class Measured(NamedTuple):
    """What was measured: the median, slowest and fastest value of several runs."""

    what: str
    unit: str
    median: float
    slowest: float
    fastest: float
    aim: float | None = None
    game: str = ""

    @classmethod
    def of(cls, values: list[float], what: str, unit: str, **more: Any) -> Measured:
        """From the values of all runs."""
        slowest, fastest = (max(values), min(values)) if unit in COSTS else (min(values), max(values))
        return cls(what, unit, statistics.median(values), slowest, fastest, **more)


def number(value: float) -> str:
    """A number for a table, with three digits or more."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


RUNS = Quantity("slowest", "slowest", number), Quantity("fastest", "fastest", number)
SPEEDS = Quantity("what", "what"), Quantity("game", "game"), Quantity("median", "steps/s", number), *RUNS
"""The numbers of the speeds of environments."""
TIMES = (
    Quantity("what", "what"),
    Quantity("unit", "unit"),
    Quantity("median", "median", number),
    *RUNS,
    Quantity("aim", "aim", number),
)
"""The numbers of other measurements."""


def take_measurements(measures: Iterable[Measurement], runs: int) -> list[Measured]:
    """Takes measurements on one thread, unless they set more."""
    threads, rows = thread_count(), list[Measured]()
    set_threads(1)
    try:
        for line in measures:
            line.measure()  # compiles, and fills the caches
            rows.append(Measured.of([line.measure() for _ in range(runs)], line.what, line.unit, aim=line.aim))
    finally:
        set_threads(threads)
    return rows


def seconds(work: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


# ---- environments


def measure_environments(seconds: float, runs: int, boards: int) -> list[Measured]:
    """The speed of the environments of each game.

    Args:
        seconds: length of one run of each.
        runs: number of runs.
        boards: number of boards of a vector environment.
    """
    rates = {("AEC, masked loop", name): partial(aec_rate, AECGame(name), seconds) for name in game_names()}
    rates |= {
        (f"vector, {boards} boards, SameStep, opponent={opponent}", name): partial(vector_rate, name, boards, opponent, seconds)
        for name in game_names()
        for opponent in (None, "random")
    }
    return [Measured.of([rate() for _ in range(runs)], what, "steps/s", game=game) for (what, game), rate in rates.items()]


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


# ---- search


def search_measurements() -> Iterator[Measurement]:
    """Of each game the speed of `mcts`, the time of a fixed depth of minimax, and a call with next to nothing to search."""
    for game in map(make_game, game_names()):
        shallow, deep = Minimax(game, depth=1), Minimax(game, depth=DEPTH)
        yield Measurement(f"{game.spec}: mcts", "simulations/s", simulation_rate(game, SIMULATIONS))
        yield Measurement(f"{game.spec}: {deep.spec}", "s", partial(call_seconds, deep, game.start, calls=1), 1)
        yield Measurement(f"{game.spec}: {shallow.spec}, a call", "s", partial(call_seconds, shallow, game.start), 5e-5)


def simulation_rate(game: Game, count: int) -> Callable[[], float]:
    """Measures the simulations per second of one search from the start, without the solver, which could end it early."""
    search, key = Mcts(game, simulations=count, solver=False), np.zeros(1, np.uint64)
    return lambda: count / seconds(lambda: search.search(game.start[None], key))


def call_seconds(policy: Policy, state: StateArray, calls: int = CALLS) -> float:
    """The median of the seconds that calls of a policy take for one position."""
    states, key = state[None], np.zeros(1, np.uint64)
    return statistics.median(seconds(partial(policy.act, states, key)) for _ in range(calls))
