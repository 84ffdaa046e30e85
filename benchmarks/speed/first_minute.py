"""What a newcomer waits for: the demo, and a call of a policy. Shown in benchmarks/README.md."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import ludus

from .. import RESULTS
from ..common import run
from ..runner import Rows, Study

RUNS, CALLS = 3, 2001
LOOP = "n = 0\nfor i in range(20_000_000): n ^= i"


def yard() -> float:
    """Seconds of a loop in a module, the quickest of five: a measure of how fast Python runs on a processor."""
    times = list[float]()
    for _ in range(5):
        began = time.perf_counter()
        exec(LOOP, {})
        times.append(time.perf_counter() - began)
    return min(times)


def cells() -> dict[str, Callable[[], Any]]:
    """The demo from an empty cache and again, and a call of `act`."""
    return {"demo": play_demo, "act": call_act}


def play_demo() -> list[dict[str, float]]:
    """The seconds of the demo when nothing is compiled and when all is, and the yard before it."""
    rows = list[dict[str, float]]()
    for _ in range(RUNS):
        with TemporaryDirectory() as folder:
            row = {"yard": yard()}
            for when in "first", "again":
                began = time.perf_counter()
                run(sys.executable, "-m", "ludus.cli", "demo", cwd=folder, env={**os.environ, "LUDUS_CACHE": f"{folder}/cache"})
                row[when] = time.perf_counter() - began
            rows.append(row)
    return rows


def call_act() -> dict[str, float]:
    """Microseconds of a call for one position of the policy that searches least, by the median of many calls."""
    game = ludus.make_game("othello")
    policy = ludus.make_policy("minimax:depth=1", game)
    states, keys = game.start[None], np.zeros(1, np.uint64)
    times = list[float]()
    for _ in range(CALLS):
        began = time.perf_counter()
        policy.act(states, keys)
        times.append(time.perf_counter() - began)
    return {"microseconds": 1e6 * median(times)}


def show(rows: Rows) -> dict[str, str]:
    """The sentences of the page."""
    demo = {when: median(row[when] / row["yard"] for row in rows["demo"]) for when in ("first", "again")}
    return {
        "demo": f"{demo['first']:.1f} yards, and {demo['again']:.1f} when all is compiled",
        "act": f"{rows['act']['microseconds']:.0f} µs",
    }


STUDIES = (Study(RESULTS / "first_minute.json", cells, show),)
