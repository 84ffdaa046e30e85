"""What `ludus bench` measures: of this version, and of an earlier one in turn. Shown in docs/arena.md, docs/search.md and
benchmarks/README.md.

python -m benchmarks earlier --against PYTHON          # PYTHON of an environment with the earlier version
python -m benchmarks earlier first --against PYTHON    # one cell: `demo` or `first` (compiling), or `speed`
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ludus.cli.bench import arena, compile, search
from ludus.cli.bench.compile import Line
from ludus.cli.bench.measuring import COSTS, take_measurements
from ludus.cli.bench.study import Rows, Study

from .. import RESULTS
from ..common import table

ARENA_RUNS, SEARCH_RUNS = 3, 5


def arena_cells() -> dict[str, Any]:
    """One cell with all measurements."""
    return {"all": partial(take_measurements, arena.measures, ARENA_RUNS)}


def show_arena(rows: Rows) -> dict[str, str]:
    """A row for each measurement."""
    return {"table": table(["what", "median"], [[row["what"], quantity(row["median"], row["unit"], 2)] for row in rows["all"]])}


def search_cells() -> dict[str, Any]:
    """A cell for each game, and one for Monte-Carlo trees."""
    groups = {
        "othello": lambda threads: search.othello(),
        "quarto": lambda threads: search.quarto(),
        "quixo": search.quixo,
        "trees": lambda threads: search.trees(),
    }
    return {name: partial(take_measurements, group, SEARCH_RUNS) for name, group in groups.items()}


def show_search(rows: Rows) -> dict[str, str]:
    """A row for each measurement; ratios first, which say more than speeds, for these depend on the machine."""
    measured = sorted((row for those in rows.values() for row in those), key=lambda row: row["unit"] != "×")
    lines = [[row["what"], *(quantity(row[name], row["unit"]) for name in ("median", "slowest", "aim"))] for row in measured]
    return {"table": table(["what", "median", "slowest", "target"], lines), "runs": str(SEARCH_RUNS)}


def quantity(value: float | None, unit: str, digits: int = 3) -> str:
    """A number with a readable unit; empty for None."""
    if value is None:
        return ""
    if unit == "×":
        return f"{value:.1f}"
    if unit == "s" and value < 0.1:
        return f"{1000 * value:.2g} ms"
    if value >= 1e6:
        return f"{value / 1e6:.1f} M {unit}"
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.{digits}g} {unit}"


# ---- beside an earlier version

NO_SPEEDS = ("bytes", "MB", "×")
WORST = 10


def earlier_cells(against: str = "", pairs: int = 9, compilations: int = 3) -> dict[str, Any]:
    """The cost of compiling in the demo and in first environments, and all speeds of `ludus bench`.

    `--against` is the interpreter of an environment with the earlier version; `--pairs` and `--compilations` say how often each
    speed and each cost of compiling is measured by both.
    """
    return {
        "demo": partial(measure_both, against, compilations, compile.demo),
        "first": partial(measure_both, against, compilations, compile.first_environments),
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


def speeds(python: str) -> dict[Line, float]:
    """All speeds of `ludus bench` for environments, search and arena, taken once."""
    measured = dict[Line, float]()
    for bench in ("environments", "search", "arena"):
        command = [python, "-m", "ludus.cli", "bench", bench, "--runs", "1", "--json"]
        document = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        if bench == "environments":
            measured |= {(f"{row['game']}: {row['what']}", "steps/s"): row["median"] for row in document["steps_per_second"]}
            measured["first environment of a process", "s"] = document["start_seconds"]
        else:
            measured |= {(row["what"], row["unit"]): row["median"] for row in document["measured"]}
    return {line: value for line, value in measured.items() if line[1] not in NO_SPEEDS}


def show_earlier(rows: Rows) -> dict[str, str]:
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


STUDIES = (
    Study(RESULTS / "arena.json", arena_cells, show_arena),
    Study(RESULTS / "search.json", search_cells, show_search, libraries=("numpy", "llvmlite", "open_spiel")),
    Study(RESULTS / "earlier.json", earlier_cells, show_earlier, usage="--against PYTHON"),
)
