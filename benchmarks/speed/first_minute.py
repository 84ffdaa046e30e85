"""What a newcomer waits for: the demo, and the kernels of all policies. Shown in benchmarks/README.md."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import ludus

from .. import RESULTS, ROOT
from ..common import children_seconds, run
from ..runner import Rows, Study

RUNS, PAIRS, CALLS = 3, 2, 2001
EARLIER = "47c54568"
"""The commit before kernels were compiled for the first minute: less LLVM, fewer kernels, both cores."""
LOOP = "n = 0\nfor i in range(20_000_000): n ^= i"
PLAY_ALL = """
from ludus.agents import policies_for
from ludus.arena import tournament
from ludus.envs import game_names, make_game

for name in game_names():
    tournament(name, policies_for(make_game(name)), 2)
"""


def yard() -> float:
    """Seconds of a loop in a module, the quickest of five: a measure of how fast Python runs on a processor."""
    times = list[float]()
    for _ in range(5):
        began = time.perf_counter()
        exec(LOOP, {})
        times.append(time.perf_counter() - began)
    return min(times)


def cells(before: str = EARLIER) -> dict[str, Callable[[], Any]]:
    """The demo from an empty cache and again; compiling all policies, beside an earlier commit; and a call of `act`."""
    return {"demo": play_demo, "all policies": partial(compile_all, before), "act": call_act}


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


def compile_all(before: str) -> list[dict[str, float]]:
    """Processor seconds of compiling what all policies need on all games, now and at an earlier commit, in pairs."""
    with TemporaryDirectory() as folder:
        earlier = Path(folder, "earlier")
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", earlier, before], cwd=ROOT, check=True)
        try:
            return [{"now": _compiling_seconds(ROOT), "before": _compiling_seconds(earlier)} for _ in range(PAIRS)]
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", earlier], cwd=ROOT, check=True)


def _compiling_seconds(tree: Path) -> float:
    """What two games of each pair of policies take from an empty cache, less what they take from a full one."""
    with TemporaryDirectory() as cache:
        environment = {**os.environ, "LUDUS_CACHE": cache, "PYTHONPATH": str(tree / ".types")}
        spent = [children_seconds()]
        for _ in range(2):
            run(sys.executable, "-c", PLAY_ALL, cwd=cache, env=environment)
            spent.append(children_seconds())
    empty, full = np.diff(spent).tolist()
    return empty - full


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
    compiling = median(row["now"] / row["before"] for row in rows["all policies"])
    return {
        "demo": f"{demo['first']:.1f} yards, and {demo['again']:.1f} when all is compiled",
        "compiling": f"{compiling:.2f}",
        "act": f"{rows['act']['microseconds']:.0f} µs",
    }


STUDIES = (Study(RESULTS / "first_minute.json", cells, show),)
