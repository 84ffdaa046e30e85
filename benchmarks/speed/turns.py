"""Several ways to do the same, measured in turn, so that all meet the same load."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


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
    """Measures several ways to do the same in turn.

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
