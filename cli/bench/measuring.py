"""Measurements: each is taken several times, and its median counts."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ...envs import set_threads, thread_count

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


def take_measurements(measures: Iterable[Measurement], runs: int) -> list[dict[str, Any]]:
    """Takes measurements on one thread, unless they set more; returns the median, slowest and fastest value of each."""
    threads, rows = thread_count(), list[dict[str, Any]]()
    set_threads(1)
    try:
        for line in measures:
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


def seconds(work: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
