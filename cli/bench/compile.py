"""`ludus bench compile`: measures compiling, in new processes that each have an empty cache."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...envs import game_names
from ...games.registry import id_name
from ..terminal.output import print_json, print_table
from .environments import FIRST

PROBE = Path(__file__).with_name("probe.py").read_text(encoding="utf-8")
"""Passed to Python as text, because the folder of a script would hide modules of the standard library."""
DEMO = ("demo", "--games", "2", "--report", "page.html")
"""The demo with few games, which needs the same kernels as the whole demo."""


PROCESSORS = "s of processors"
Line = tuple[str, str]
"""What is measured, and its unit."""


class Cost(NamedTuple):
    """The cost of a process in seconds: by the clock, and of all processors."""

    clock: float
    processor: float


def run(runs: int, as_json: bool) -> None:
    """Measures, and prints medians."""
    costs = [{**demo(sys.executable), **first_environments(sys.executable)} for _ in range(runs)]
    rows = [(what, unit, statistics.median(cost[what, unit] for cost in costs)) for what, unit in costs[0]]
    if as_json:
        print_json({"runs": runs, "measured": [{"what": what, "unit": unit, "median": value} for what, unit, value in rows]})
        return
    lines = [(what, unit, f"{value:,.0f}" if unit == "kernels" else f"{value:.2f}") for what, unit, value in rows]
    print_table(f"median of {runs} runs, nothing cached", ["what", "unit", "median"], lines, left=2)


def demo(python: str) -> dict[Line, float]:
    """Compiling in `ludus demo`: the number of kernels, their processor time in total and by stage, and that of the largest.

    Args:
        python: the interpreter of an environment with Ludus.
    """
    cost = compiling_cost(python, DEMO)
    kernels: list[float] = [seconds for _, seconds in cost["kernels"]]
    return {
        ("ludus demo: kernels", "kernels"): len(kernels),
        ("ludus demo: all kernels", PROCESSORS): cost["seconds"],
        **{(f"ludus demo: {stage}", PROCESSORS): seconds for stage, seconds in cost["stages"].items()},
        ("ludus demo: the largest kernel", PROCESSORS): max(kernels),
    }


def first_environments(python: str) -> dict[Line, float]:
    """The cost of the first environment of each game with an empty cache, and how much of it a warm start saves."""
    rows = dict[Line, float]()
    for game in game_names():
        cold, warm = first_environment_cost(python, game)
        rows[f"{game}: first environment ever, by the clock", "s"] = cold.clock
        rows[f"{game}: first environment ever", PROCESSORS] = cold.processor
        rows[f"{game}: first environment ever, above a warm start", PROCESSORS] = cold.processor - warm.processor
    return rows


def compiling_cost(python: str, command: Sequence[str]) -> dict[str, Any]:
    """Compiling in a command of `ludus`: processor `seconds` in total, by `stages`, and for each of the `kernels`."""
    with tempfile.TemporaryDirectory() as empty:
        return json.loads(_run([python, "-c", PROBE, *command], empty))


def first_environment_cost(python: str, game: str) -> tuple[Cost, Cost]:
    """The cost of a process that makes and resets an environment, first with an empty cache and then again."""
    command = [python, "-c", FIRST.format(id_name(game))]
    with tempfile.TemporaryDirectory() as empty:
        return _cost(command, empty), _cost(command, empty)


def _run(command: Sequence[str], cache: str) -> str:
    """Runs a process with this cache folder, and returns its output."""
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LUDUS_CACHE": cache}, cwd=cache)
    if done.returncode != 0:
        raise RuntimeError(f"a measured process failed:\n{done.stderr}")
    return done.stdout


def _cost(command: Sequence[str], cache: str) -> Cost:
    """Runs a process with this cache folder, and returns its cost."""
    start, before = time.perf_counter(), _children()
    _run(command, cache)
    return Cost(time.perf_counter() - start, _children() - before)


def _children() -> float:
    """Processor seconds of all finished child processes."""
    times = os.times()
    return times.children_user + times.children_system
