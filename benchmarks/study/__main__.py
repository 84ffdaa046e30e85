"""The whole study: what is missing of its cells, the analysis, the plots and the page.

python -m benchmarks.study                       # everything, two games at a time; interrupted, it goes on where it was
python -m benchmarks.study tictactoe nim         # of some games
python -m benchmarks.study --level 0             # the smallest budgets alone
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from . import measures
from .games import OF_ALL

ROOT = Path(__file__).parents[2]
NICE = 19


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures what is missing, and writes the page."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.study", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"some of {', '.join(measures.GAMES)} (default: all)")
    parser.add_argument("--workers", type=int, choices=(1, 2), default=2, help="games at a time, a thread each (default: 2)")
    parser.add_argument("--level", type=int, choices=(0, 1, 2), default=2, help="up to which budget, from 0 (default: 2, all)")
    chosen = parser.parse_args(arguments)
    games: list[str] = chosen.games or [*measures.GAMES]
    if unknown := {*games} - {*measures.GAMES}:
        parser.error(f"there is no study of {' or '.join(sorted(unknown))}; there are {', '.join(measures.GAMES)}")
    with ThreadPoolExecutor(chosen.workers) as pool:
        for finished in [pool.submit(measure, game, chosen.level) for game in games]:
            finished.result()
    measures.STUDY.run([])
    from .plots import draw  # which needs a renderer

    draw()
    return subprocess.run([sys.executable, ROOT / "docs" / "build.py"], cwd=ROOT, check=False).returncode


def measure(game: str, level: int) -> None:
    """Measures what is missing of a game in a process of its own, of one thread and low priority, and then its tournament."""
    grid, study = measures.GAMES[game].GRID, measures.GAMES[game].STUDY
    missing = study.missing()
    asked = [*grid.classics, *(name for cell in grid.up_to(level) for name in (cell.name, cell.closer))]
    wanted = [name for name in asked if name in missing]
    of_all = [name for name in OF_ALL if name in study.parts(study.defaults)]
    script = [sys.executable, "-m", f"benchmarks.study.{game}"]
    threads = {"LUDUS_THREADS": "1", "OMP_NUM_THREADS": "1"}
    run = partial(subprocess.run, cwd=ROOT, env=os.environ | threads, stdout=subprocess.DEVNULL, check=True)
    if wanted:
        run(["nice", "-n", str(NICE), *script, "--missing", *wanted])
    if wanted or {*of_all} & {*missing}:
        run(["nice", "-n", str(NICE), *script, "--anew", *of_all])


if __name__ == "__main__":
    raise SystemExit(main())
