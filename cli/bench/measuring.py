"""Measuring: lines of a bench, each taken several times, of which the median counts."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ...envs import set_threads, thread_count
from ..terminal.output import print_json, print_table

COSTS = ("s", "µs", "MB", "bytes")
"""Units of which less is better; of the others more is."""


class Measure(NamedTuple):
    """One line of the table: what is measured, in which unit, how, and what we aim at (costs at most, rates at least)."""

    what: str
    unit: str
    once: Callable[[], float]
    aim: float | None = None


def run(measures: Callable[[int], Iterator[Measure]], runs: int, as_json: bool) -> None:
    """Measures all, on one thread where a line does not say otherwise, and prints medians.

    Args:
        measures: the lines, given how many threads there are for those that use more.
        runs: how often each is taken.
        as_json: print one document.
    """
    rows = measured(measures, runs)
    if as_json:
        print_json({"threads": thread_count(), "runs": runs, "measured": rows})
        return
    shown = [(r["what"], r["unit"], *(_number(r[key]) for key in ("median", "slowest", "fastest", "aim"))) for r in rows]
    print_table(f"median of {runs} runs", ["what", "unit", "median", "slowest", "fastest", "aim"], shown, left=2)


def measured(measures: Callable[[int], Iterator[Measure]], runs: int) -> list[dict[str, Any]]:
    """What `run` prints: for each line its median, slowest and fastest, in its own unit."""
    threads, rows = thread_count(), list[dict[str, Any]]()
    set_threads(1)
    try:
        for measure in measures(threads):
            measure.once()  # compiles, and warms the caches
            found = sorted((measure.once() for _ in range(runs)), reverse=measure.unit not in COSTS)
            row = {"what": measure.what, "unit": measure.unit, "median": statistics.median(found)}
            rows.append(row | {"slowest": found[-1], "fastest": found[0], "aim": measure.aim})
    finally:
        set_threads(threads)
    return rows


def seconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
