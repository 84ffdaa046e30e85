"""The cost of matches, stores, grades and pages, as `ludus bench arena` measures it.

python -m benchmarks.speed.arena
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from ludus.cli.bench import arena as bench_arena
from ludus.cli.bench.measuring import take_measurements

from ..provenance import RULES, Part, Study, medians, of_times, table

RUNS = 3


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """One part with all measurements."""
    whole, short = (partial(take_measurements, bench_arena.measures, runs) for runs in (RUNS, 1))
    return {"all": of_times(whole, short, medians)}


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A row for each measurement, and the numbers that sentences mention."""
    rows = [(row["what"], row["unit"], row["median"]) for row in found["all"]]
    figures = {"table": table(["what", "median"], [[what, quantity(value, unit)] for what, unit, value in rows])}
    for name, words in ("quixo", "stored and rated"), ("grade", "exact grade"):
        figures[name] = next(quantity(value, unit) for what, unit, value in rows if words in what)
    return figures


def quantity(value: float, unit: str) -> str:
    """A number with its unit."""
    if unit == "s" and value < 0.1:
        return f"{1000 * value:.2g} ms"
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.2g} {unit}"


SOURCES = (*RULES, "arena", "native", "cli/bench/arena.py")
STUDY = Study(__file__, parts, shown, SOURCES)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
