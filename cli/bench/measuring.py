"""Runs the measurements of a bench several times, and prints their medians."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ...envs import set_threads, thread_count
from ..terminal.output import print_json, print_table

COSTS = ("s", "µs", "MB", "bytes")
"""Units of which less is better; for all other units, more is better."""


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


def run(measures: Callable[[int], Iterator[Measurement]], runs: int, as_json: bool) -> None:
    """Takes all measurements and prints medians.

    Args:
        measures: yields the measurements; its argument is the number of threads for those that use more than one.
        runs: how often to take each.
        as_json: print JSON.
    """
    rows = take_measurements(measures, runs)
    if as_json:
        print_json({"threads": thread_count(), "runs": runs, "measured": rows})
        return
    lines = [(r["what"], r["unit"], *(_number(r[key]) for key in ("median", "slowest", "fastest", "aim"))) for r in rows]
    print_table(f"median of {runs} runs", ["what", "unit", "median", "slowest", "fastest", "aim"], lines, left=2)


def take_measurements(measures: Callable[[int], Iterator[Measurement]], runs: int) -> list[dict[str, Any]]:
    """Takes measurements on one thread, unless they set more; returns the median, slowest and fastest value of each."""
    threads, rows = thread_count(), list[dict[str, Any]]()
    set_threads(1)
    try:
        for line in measures(threads):
            line.measure()  # compiles, and fills the caches
            values = [line.measure() for _ in range(runs)]
            rows.append({"what": line.what, "unit": line.unit, **summary(values, line.unit), "aim": line.aim})
    finally:
        set_threads(threads)
    return rows


def summary(values: list[float], unit: str) -> dict[str, float]:
    """The median, slowest and fastest of several values."""
    slowest, fastest = (max(values), min(values)) if unit in COSTS else (min(values), max(values))
    return {"median": statistics.median(values), "slowest": slowest, "fastest": fastest}


class Rate(NamedTuple):
    """How much was done in a second of the clock, and of this process's processors."""

    clock: float
    processor: float


def rate(work: Callable[[], float]) -> Rate:
    """The rate of a call that returns how much it has done."""
    clock, processor = time.perf_counter(), time.process_time()
    done = work()
    return Rate(done / (time.perf_counter() - clock), done / (time.process_time() - processor))


def take_in_turn(ways: Mapping[str, Callable[[], Rate]], runs: int) -> list[dict[str, Any]]:
    """Measures several ways to do the same in turn, so that all meet the same load.

    Args:
        ways: the ways by name, ours first; each measures itself.
        runs: how often to measure each.

    Returns:
        A row for each way: `whose` it is and its median `rate`; and for all but ours how many `times` as fast ours is in the median
        of the runs, the `least` and the `most` of them, and the median `by_processor` time.
    """
    rounds = [{whose: measure() for whose, measure in ways.items()} for _ in range(runs)]
    ours, *others = ways
    rows: list[dict[str, Any]] = [
        {"whose": whose, "rate": statistics.median(each[whose].clock for each in rounds)} for whose in (ours, *others)
    ]
    for row in rows[1:]:
        pairs = [(each[ours], each[row["whose"]]) for each in rounds]
        times = [mine.clock / theirs.clock for mine, theirs in pairs]
        by_processor = statistics.median(mine.processor / theirs.processor for mine, theirs in pairs)
        row |= {"times": statistics.median(times), "least": min(times), "most": max(times), "by_processor": by_processor}
    return rows


def seconds(work: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
