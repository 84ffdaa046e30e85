"""This version and an earlier one in turn: the cost of compiling, and the speeds of `ludus bench`. Shown in benchmarks/README.md.

python -m benchmarks earlier --against PYTHON          # PYTHON of an environment with the earlier version
python -m benchmarks earlier first --against PYTHON    # one cell: `demo` or `first` (compiling), or `speed`
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ludus.cli.bench.environments import FIRST
from ludus.cli.bench.measuring import COSTS
from ludus.envs import game_names
from ludus.games.registry import id_name

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study

PROBE = Path(__file__).with_name("_probe.py").read_text(encoding="utf-8")
"""Passed to Python as text, because the folder of a script would hide modules of the standard library."""
DEMO = ("demo", "--games", "2", "--report", "page.html")
"""The demo with few games, which needs the same kernels as the whole demo."""
PROCESSORS = "s of processors"
WORST = 10
Line = tuple[str, str]
"""What is measured, and its unit."""


def cells(against: str = "", pairs: int = 9, compilations: int = 3) -> dict[str, Any]:
    """The cost of compiling in the demo and in first environments, and the speeds of `ludus bench`.

    `--against` is the interpreter of an environment with the earlier version; `--pairs` and `--compilations` say how often each
    speed and each cost of compiling is measured by both.
    """
    return {
        "demo": partial(measure_both, against, compilations, demo),
        "first": partial(measure_both, against, compilations, first_environments),
        "speed": partial(measure_both, against, pairs, speeds),
    }


def measure_both(earlier: str, pairs: int, measure: Callable[[str], dict[Line, float]]) -> list[dict[str, Any]]:
    """Measures both versions in turn; returns the measurements that both have."""
    if not earlier:
        raise SystemExit("give --against PYTHON, the interpreter of an environment that has the earlier version of Ludus")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # both versions keep their bytecode, as installed packages do
    turns = list[tuple[dict[Line, float], dict[Line, float]]]()
    for number in range(pairs):
        turns.append((measure(earlier), measure(sys.executable)))
        print(f"pair {number + 1} of {pairs}", file=sys.stderr, flush=True)
    shared = [line for line in turns[0][0] if line in turns[0][1]]
    return [compare(line, [(before[line], after[line]) for before, after in turns]) for line in shared]


def compare(line: Line, pairs: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """A row of the result: medians, and how many times better this version is, as median of all pairs."""
    what, unit = line
    costs = unit.split()[0] in COSTS  # "s of processors" is a cost, "steps/s" is not
    times = [(before / after if costs else after / before) for before, after in pairs if before and after]
    before, after = (statistics.median(column) for column in zip(*pairs, strict=True))
    return {"what": what, "unit": unit, "before": before, "after": after, "times": statistics.median(times) if times else None}


# ---- what is measured, by the interpreter of a version


def demo(python: str) -> dict[Line, float]:
    """Compiling in `ludus demo`: the number of kernels, their processor time in total and by stage, and that of the largest."""
    cost = compiling_cost(python, DEMO)
    kernels: list[float] = [seconds for _, seconds in cost["kernels"]]
    return {
        ("ludus demo: kernels", "kernels"): len(kernels),
        ("ludus demo: all kernels", PROCESSORS): cost["seconds"],
        **{(f"ludus demo: {stage}", PROCESSORS): seconds for stage, seconds in cost["stages"].items()},
        ("ludus demo: the largest kernel", PROCESSORS): max(kernels),
    }


def compiling_cost(python: str, command: Sequence[str]) -> dict[str, Any]:
    """Compiling in a command of `ludus`: processor `seconds` in total, by `stages`, and for each of the `kernels`."""
    with tempfile.TemporaryDirectory() as empty:
        return json.loads(run_with_cache([python, "-c", PROBE, *command], empty))


def first_environments(python: str) -> dict[Line, float]:
    """The cost of the first environment of each game with an empty cache, and how much of it a warm start saves."""
    rows = dict[Line, float]()
    for game in game_names():
        command = [python, "-c", FIRST.format(id_name(game))]
        with tempfile.TemporaryDirectory() as empty:
            (clock, cold), (_, warm) = process_cost(command, empty), process_cost(command, empty)
        rows[f"{game}: first environment ever, by the clock", "s"] = clock
        rows[f"{game}: first environment ever", PROCESSORS] = cold
        rows[f"{game}: first environment ever, above a warm start", PROCESSORS] = cold - warm
    return rows


def process_cost(command: Sequence[str], cache: str) -> tuple[float, float]:
    """Runs a process with this cache folder; returns its seconds by the clock, and of all processors."""
    start, before = time.perf_counter(), os.times()
    run_with_cache(command, cache)
    clock, after = time.perf_counter() - start, os.times()
    return clock, after.children_user - before.children_user + after.children_system - before.children_system


def run_with_cache(command: Sequence[str], cache: str) -> str:
    """Runs a process with this cache folder, and returns its output.

    Raises:
        RuntimeError: the process failed.
    """
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LUDUS_CACHE": cache}, cwd=cache)
    if done.returncode != 0:
        raise RuntimeError(f"a measured process failed:\n{done.stderr}")
    return done.stdout


def speeds(python: str) -> dict[Line, float]:
    """All speeds of `ludus bench` for environments and search, taken once."""
    environments, search = (
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for command in ([python, "-m", "ludus.cli", "bench", what, "--runs", "1", "--json"] for what in ("environments", "search"))
    )
    return {
        **{(f"{row['game']}: {row['what']}", "steps/s"): row["median"] for row in environments["steps_per_second"]},
        ("first environment of a process", "s"): environments["start_seconds"],
        **{(row["what"], row["unit"]): row["median"] for row in search["measured"]},
    }


# ---- what the page shows


def show(rows: Rows) -> dict[str, str]:
    """The tables, the geometric mean of all speeds, and the speeds with the lowest ratio."""
    lines = sorted(rows["speed"], key=lambda row: row["times"])
    return {
        "demo": both_versions(rows["demo"]),
        "first": both_versions(rows["first"]),
        "mean": f"{statistics.geometric_mean(row['times'] for row in lines):.2f}",
        "lines": str(len(lines)),
        "worst": both_versions(lines[:WORST]),
    }


def both_versions(rows: Sequence[dict[str, Any]]) -> str:
    """A table: how many times better, before and after."""
    lines = list[list[str]]()
    for row in rows:
        whole = row["unit"] == "kernels"
        values = [f"{row[side]:,.0f}" if whole or row[side] >= 100 else f"{row[side]:.3g}" for side in ("before", "after")]
        times = "" if row["times"] is None else f"{row['times']:.2f}"
        lines.append([row["what"], times, *(f"{value} {row['unit']}" for value in values)])
    return table(["what", "times better", "before", "after"], lines)


STUDIES = (Study(RESULTS / "earlier.json", cells, show, usage="--against PYTHON"),)
