"""The cost of exact grades: the positions in which a policy may have to move, and processor time. Shown in docs/grading.md.

python -m benchmarks.speed.grading             # measures what is missing or out of date
python -m benchmarks.speed.grading tictactoe   # of one game
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import Any

from ludus.arena import grade

from ..provenance import CLASSICS, RULES, Part, Study, table

LINES = [
    ("tic-tac-toe", "tictactoe", "random"),
    ("tic-tac-toe", "tictactoe", "perfect"),
    ("Nim 1, 3, 5, 7", "nim", "random"),
    ("Nim 9, 9, 9, 9", "nim:heaps=9+9+9+9", "random"),
    ("Quixo 3×3", "quixo:size=3", "random"),
    ("Othello 4×4", "othello:size=4", "random"),
    ("Quixo 4×4", "quixo:size=4", "greedy"),
]


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each game and policy."""
    return {f"{game} {policy}": Part(partial(measured, game, policy), partial(again, game, policy)) for _, game, policy in LINES}


def measured(game: str, policy: str) -> dict[str, Any]:
    """Positions by seat, and processor seconds of a grade without compiling: the minimum of three if a grade is quick."""
    found = grade(policy, game, exact=True)
    seconds = list[float]()
    while len(seconds) < 3 and sum(seconds) < 30:
        began = time.process_time()
        grade(policy, game, exact=True)
        seconds.append(time.process_time() - began)
    return {"positions": list(found.document()["positions"]), "processor_seconds": min(seconds)}


def again(game: str, policy: str, kept: dict[str, Any]) -> tuple[Any, Any] | None:
    """The positions, as stored and now; None for a slow grade."""
    if kept["processor_seconds"] > 20:
        return None
    return kept["positions"], list(grade(policy, game, exact=True).document()["positions"])


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A row for each grade."""
    rows = list[list[str]]()
    for title, game, policy in LINES:
        if one := found.get(f"{game} {policy}"):
            positions = " · ".join(f"{count:,}" for count in one["positions"])
            rows.append([title, f"`{policy}`", positions, f"{one['processor_seconds']:.2g} s"])
    return {"table": table(["game", "policy", "positions to move in, as player 0 · 1", "CPU time"], rows, align="llr")}


SOURCES = (*RULES, *CLASSICS, "arena/grading")
STUDY = Study(__file__, parts, shown, SOURCES, 0)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
