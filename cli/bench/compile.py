"""`ludus bench compile`: what compiling costs here where nothing is cached, in processes of their own, each with an empty cache."""

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
from ...envs.games.registry import id_name
from ..terminal.output import print_json, print_table

PROBE = Path(__file__).with_name("probe.py").read_text(encoding="utf-8")
"""Given to Python as text: a script's folder would hide modules of the standard library that have names of ours."""
FIRST = "import gymnasium as gym, ludus; gym.make('ludus/{}-v0').reset(seed=0)"
DEMO = ("demo", "--games", "2", "--report", "page.html")
"""The demo with fewer games a pair than it plays by itself; it needs the same kernels."""


PROCESSORS = "s of processors"
Line = tuple[str, str]
"""What is measured, and its unit."""


class Cost(NamedTuple):
    """What a process took: seconds by the clock, and of all processors."""

    clock: float
    processor: float


def run(runs: int, as_json: bool) -> None:
    """Measures all and prints medians."""
    found = [{**demo(sys.executable), **first_environments(sys.executable)} for _ in range(runs)]
    rows = [(what, unit, statistics.median(one[what, unit] for one in found)) for what, unit in found[0]]
    if as_json:
        print_json({"runs": runs, "measured": [{"what": what, "unit": unit, "median": value} for what, unit, value in rows]})
        return
    shown = [(what, unit, f"{value:,.0f}" if unit == "kernels" else f"{value:.2f}") for what, unit, value in rows]
    print_table(f"median of {runs} runs, nothing cached", ["what", "unit", "median"], shown, left=2)


def demo(python: str) -> dict[Line, float]:
    """What compiling costs in `ludus demo`: how many kernels, their processor time in all and by stage, and the largest of them.

    Args:
        python: the interpreter of the environment that Ludus is installed in.
    """
    found = compiling(python, DEMO)
    kernels: list[float] = [seconds for _, seconds in found["kernels"]]
    return {
        ("ludus demo: kernels", "kernels"): len(kernels),
        ("ludus demo: all kernels", PROCESSORS): found["seconds"],
        **{(f"ludus demo: {stage}", PROCESSORS): seconds for stage, seconds in found["stages"].items()},
        ("ludus demo: the largest kernel", PROCESSORS): max(kernels),
    }


def first_environments(python: str) -> dict[Line, float]:
    """What the first environment of each game costs where nothing is cached, and what of it a warm start does not cost."""
    rows = dict[Line, float]()
    for game in game_names():
        cold, warm = first_environment(python, game)
        rows[f"{game}: first environment ever, by the clock", "s"] = cold.clock
        rows[f"{game}: first environment ever", PROCESSORS] = cold.processor
        rows[f"{game}: first environment ever, above a warm start", PROCESSORS] = cold.processor - warm.processor
    return rows


def compiling(python: str, command: Sequence[str]) -> dict[str, Any]:
    """What compiling costs in a command of `ludus`: processor `seconds` in all, by `stages`, and of each of the `kernels`."""
    with tempfile.TemporaryDirectory() as empty:
        return json.loads(_run([python, "-c", PROBE, *command], empty))


def first_environment(python: str, game: str) -> tuple[Cost, Cost]:
    """What a process costs that makes and resets an environment: with nothing cached, and the next one, right after it."""
    command = [python, "-c", FIRST.format(id_name(game))]
    with tempfile.TemporaryDirectory() as empty:
        return _cost(command, empty), _cost(command, empty)


def _run(command: Sequence[str], cache: str) -> str:
    """What a process prints that keeps its kernels in this folder."""
    place = {**os.environ, "LUDUS_CACHE": cache}
    done = subprocess.run(command, capture_output=True, text=True, env=place, cwd=cache)
    if done.returncode != 0:
        raise RuntimeError(f"a process that was to be measured failed:\n{done.stderr}")
    return done.stdout


def _cost(command: Sequence[str], cache: str) -> Cost:
    """What a process costs that keeps its kernels in this folder."""
    began, before = time.perf_counter(), _children()
    _run(command, cache)
    return Cost(time.perf_counter() - began, _children() - before)


def _children() -> float:
    """Processor seconds of all processes that this one has started and waited for."""
    times = os.times()
    return times.children_user + times.children_system
