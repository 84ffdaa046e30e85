"""Games by the million and positions with exact values, beside plain loops over the batch calls. Shown in docs/data.md."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from functools import partial

from .. import RESULTS, ROOT
from ..common import run
from ..runner import Rows, Study

MEASURE = """
import json, resource, sys
from pathlib import Path
import numpy as np
import ludus
from ludus.data import games, positions
from ludus.games.kernels.rules import ONGOING

COUNT, out = int(sys.argv[1]), Path(sys.argv[3])


def spent():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def loop(count):
    game, random, rng, lines = ludus.make_game("othello"), ludus.make_policy("random", "othello"), np.random.default_rng(0), []
    for _ in range(0, count, 10_000):
        states = np.repeat(game.start[None], min(count, 10_000), axis=0)
        rows = np.arange(len(states))
        while len(rows):
            actions = random.act(states[rows], rng.integers(2**64, size=len(rows), dtype=np.uint64))
            states[rows] = game.plays(states[rows], actions)
            line = np.full(len(states), -1, np.int8)
            line[rows] = actions
            lines.append(line)
            rows = rows[game.outcomes(states[rows]) == ONGOING]


def take(count):
    return positions("othello:size=6", count, empties=(0, 12), seed=1, out=out / f"{count}.npz").states


WHAT = {
    "games": (lambda: games("othello", 1000, out=out / "few"), lambda: games("othello", COUNT, out=out / "many")),
    "loop": (lambda: loop(1000), lambda: loop(COUNT)),
    "positions": (lambda: take(50), lambda: take(COUNT)),
}
first, then = WHAT[sys.argv[2]]
first()  # which compiles
before = spent()
then()
print(json.dumps({"seconds": spent() - before, "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""
WORKS = (("games", 1_000_000), ("loop", 1_000_000), ("games", 20_000_000), ("positions", 20_000))


def measure_work(work: str, count: int) -> dict[str, float]:
    """The processor time and the peak memory of a work, on one thread of a process of its own."""
    environment = {**os.environ, "LUDUS_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        return json.loads(run(sys.executable, "-c", MEASURE, str(count), work, folder, cwd=ROOT, env=environment))


def show_data(rows: Rows) -> dict[str, str]:
    """The figures of the page: seconds of one processor, megabytes, and ratios."""
    million, plain, many, taken = (rows[f"{work} {count}"] for work, count in WORKS)
    return {
        "million": f"{million['seconds']:.1f}",
        "megabytes": f"{million['megabytes']:.0f}",
        "share": f"{million['seconds'] / plain['seconds']:.2f}",
        "times": f"{many['seconds'] / million['seconds']:.1f}",
        "many_megabytes": f"{many['megabytes']:.0f}",
        "positions": f"{taken['seconds']:.1f}",
    }


STUDIES = (
    Study(
        RESULTS / "data.json",
        lambda: {f"{work} {count}": partial(measure_work, work, count) for work, count in WORKS},
        show_data,
        0,
    ),
)
