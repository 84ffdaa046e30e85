"""This version of Ludus and an earlier one, measured in turn: the cost of compiling, and all speeds of `ludus bench`.

python -m benchmarks.speed.earlier --against PYTHON          # PYTHON of an environment with the earlier version
python -m benchmarks.speed.earlier first --against PYTHON    # one part: `demo` or `first` (compiling), or `speed`
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from ludus.cli.bench import compile as bench_compile
from ludus.cli.bench.compile import Line
from ludus.cli.bench.measuring import COSTS

from ..provenance import RULES, TOLERANCE, Part, Study, table

BENCHES = ("environments", "search", "arena")
NO_SPEEDS = ("bytes", "MB", "×")
WORST = 10
COMPILER = (*RULES, "native")


def options(parser: argparse.ArgumentParser) -> None:
    """Adds the earlier version and the numbers of runs."""
    parser.add_argument("--against", metavar="PYTHON", help="the interpreter of an environment with the earlier version")
    parser.add_argument("--pairs", type=int, default=9, help="measurements of each speed by both versions in turn (default: 9)")
    parser.add_argument(
        "--compilations", type=int, default=3, help="measurements of compiling by both versions in turn (default: 3)"
    )


def parts(chosen: argparse.Namespace) -> dict[str, Part]:
    """The cost of compiling in the demo and in first environments, and all speeds."""
    compiling = {"demo": bench_compile.demo, "first": bench_compile.first_environments}
    found = {
        name: Part(
            partial(both, Earlier(chosen.against), chosen.compilations, measure), partial(again, measure), COMPILER, TOLERANCE
        )
        for name, measure in compiling.items()
    }
    return found | {
        "speed": Part(partial(both, Earlier(chosen.against), chosen.pairs, speeds), partial(again, speeds), within=TOLERANCE)
    }


class Earlier:
    """The earlier version: the interpreter of an environment that has it. Where that lies is no part of what is measured."""

    def __init__(self, python: str | None) -> None:
        self.python = python

    def __repr__(self) -> str:
        return "Earlier"


def both(earlier: Earlier, pairs: int, measure: Callable[[str], dict[Line, float]]) -> list[dict[str, Any]]:
    """Measures both versions in turn; returns the measurements that both have."""
    if earlier.python is None:
        raise SystemExit("give --against PYTHON, the interpreter of an environment that has the earlier version of Ludus")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # both versions keep their bytecode, as installed packages do
    turns = list[tuple[dict[Line, float], dict[Line, float]]]()
    for number in range(pairs):
        turns.append((measure(earlier.python), measure(sys.executable)))
        print(f"pair {number + 1} of {pairs}", file=sys.stderr, flush=True)
    shared = [line for line in turns[0][0] if line in turns[0][1]]
    return [row(line, [(before[line], after[line]) for before, after in turns]) for line in shared]


def again(measure: Callable[[str], dict[Line, float]], kept: list[dict[str, Any]]) -> tuple[Any, Any]:
    """This version's measurements, as stored and now; the earlier version has not changed."""
    now = {what: value for (what, _), value in measure(sys.executable).items()}
    return {one["what"]: one["after"] for one in kept}, {one["what"]: now.get(one["what"]) for one in kept}


def row(line: Line, pairs: list[tuple[float, float]]) -> dict[str, Any]:
    """A row of the result: medians, and how many times better this version is, as median of all pairs."""
    what, unit = line
    costs = unit.split()[0] in COSTS  # "s of processors" is a cost, "steps/s" is not
    times = [(before / after if costs else after / before) for before, after in pairs if before and after]
    before, after = (statistics.median(column) for column in zip(*pairs, strict=True))
    found = {"what": what, "unit": unit, "before": before, "after": after}
    return {**found, "times": statistics.median(times) if times else None, "pairs": pairs}


def speeds(python: str) -> dict[Line, float]:
    """All speeds of `ludus bench` for environments, search and arena."""
    return {line: value for bench in BENCHES for line, value in speeds_of(python, bench).items() if line[1] not in NO_SPEEDS}


def speeds_of(python: str, bench: str) -> dict[Line, float]:
    """All measurements of one bench, taken once."""
    command = [python, "-m", "ludus.cli", "bench", bench, "--runs", "1", "--json"]
    document = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    if bench == "environments":
        rows = {(f"{one['game']}: {one['what']}", "steps/s"): one["median"] for one in document["steps_per_second"]}
        return {**rows, ("first environment of a process", "s"): document["start_seconds"]}
    return {(one["what"], one["unit"]): one["median"] for one in document["measured"]}


def shown(found: dict[str, Any]) -> dict[str, str]:
    """The tables, the geometric mean of all speeds, and the speeds with the lowest ratio."""
    figures = dict[str, str]()
    for name in ("demo", "first"):
        if name in found:
            figures[name] = compared(found[name])
    if speeds := sorted(found.get("speed", []), key=lambda one: one["times"]):
        figures["mean"] = f"{statistics.geometric_mean(one['times'] for one in speeds):.2f}"
        figures["lines"] = str(len(speeds))
        figures["worst"] = compared(speeds[:WORST])
        figures["speed"] = compared(found["speed"])
    return figures


def compared(rows: list[dict[str, Any]]) -> str:
    """A table: how many times better, before and after."""
    cells = [[one["what"], times(one), *(quantity(one[side], one["unit"]) for side in ("before", "after"))] for one in rows]
    return table(["what", "times better", "before", "after"], cells)


def times(one: dict[str, Any]) -> str:
    """How many times better a row is."""
    return "" if one["times"] is None else f"{one['times']:.2f}"


def quantity(value: float, unit: str) -> str:
    """A number with its unit."""
    return f"{value:,.0f} {unit}" if value >= 100 or unit == "kernels" else f"{value:.3g} {unit}"


SOURCES = ("agents", "arena", "envs", "cli/bench/environments.py", "cli/bench/arena.py", "cli/bench/search.py")
STUDY = Study(__file__, parts, shown, SOURCES, options=options, usage="--against PYTHON")

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
