"""The engine for Othello on 8×8 beside the levels of GRhino, a program of others (`apt install grhino`). Shown in docs/search.md.

python -m benchmarks.strength.field                # plays what is missing or out of date
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from ludus.arena import evaluate
from ludus.arena.ratings.intervals import wilson

from ..provenance import MATCHES, Part, Study, counts, table

SEEDS, GAMES, FEW = (1, 2), 200, 4
"""The games with each seed, half of them from each seat; and those of a short rerun."""
ENGINE = "minimax:evaluation=patterns,nodes=20000,endings=14"
LEVELS = 1, 2, 3
"""GRhino has five; going by a few games, 400 take about an hour at the fourth, and many hours at the fifth."""
BRIDGE = Path(__file__).parents[2] / "examples" / "gtp_engine.py"


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each level and seed."""
    return {
        f"level {level}, seed {seed}": Part(partial(played, level, seed), partial(again, level, seed))
        for level in LEVELS
        for seed in SEEDS
    }


def played(level: int, seed: int) -> dict[str, Any]:
    """The score of a match and of its first games, and its seconds."""
    first = score(level, seed, FEW)  # compiles, too, which is not timed
    began = time.perf_counter()
    found = score(level, seed, GAMES)
    return {"score": found, "first": first, "seconds": round(time.perf_counter() - began, 1)}


def again(level: int, seed: int, kept: dict[str, Any]) -> tuple[Any, Any]:
    """The score of the first games, as stored and now."""
    return kept["first"], score(level, seed, FEW)


def score(level: int, seed: int, games: int) -> list[int]:
    """Wins, draws and losses against a level, without its opening book.

    Raises:
        RuntimeError: GRhino is not installed, or ended a game by an error.
    """
    program = shutil.which("gtp-rhino") or shutil.which("gtp-rhino", path="/usr/games")
    if program is None:
        raise RuntimeError("gtp-rhino is not on the path; on Debian: apt install grhino")
    command = shlex.join([sys.executable, str(BRIDGE), program, "--level", str(level), "--book", "0"])
    found = evaluate(ENGINE, "othello", f"engine:{command}", games, seed=seed)
    if found.faults.sum():
        raise RuntimeError(f"{found.faults.sum()} games ended by errors: {found}")
    return counts(found)


def shown(found: dict[str, Any]) -> dict[str, str]:
    """The table of the page."""
    rows = list[list[str]]()
    for level in LEVELS:
        matches = [found[name] for seed in SEEDS if (name := f"level {level}, seed {seed}") in found]
        if not matches:
            continue
        wins, draws, losses = map(sum, zip(*(one["score"] for one in matches), strict=True))
        games, points, seconds = wins + draws + losses, wins + draws / 2, sum(one["seconds"] for one in matches)
        share, least = f"{100 * points / games:.1f} %", f"{100 * wilson(points, games)[0]:.1f} %"
        rows.append([str(level), f"{wins}, {draws}, {losses}", share, least, f"{seconds:,.0f}"])
    heads = ["GRhino's level", "wins, draws, losses", "points", "at least", "seconds of both"]
    return {"table": table(heads, rows, align="lllrr")}


SOURCES = (
    *("examples/gtp_engine.py", "search/alphabeta", "search/patterns", "agents/minimax.py"),
    "oracles/othello",
)
STUDY = Study(__file__, parts, shown, (*MATCHES, *SOURCES), SEEDS[0])

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
