"""The cost of exact grades: the positions in which a policy may have to move, and processor time. Shown in docs/grading.md."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from ludus.arena import grade_exact

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study

LINES = [
    ("tic-tac-toe", "tictactoe", "random"),
    ("tic-tac-toe", "tictactoe", "perfect"),
    ("Nim 1, 3, 5, 7", "nim", "random"),
    ("Nim 9, 9, 9, 9", "nim:heaps=9+9+9+9", "random"),
    ("Quixo 3×3", "quixo:size=3", "random"),
    ("Othello 4×4", "othello:size=4", "random"),
    ("Quixo 4×4", "quixo:size=4", "greedy"),
]


def cells() -> dict[str, Any]:
    """A cell for each game and policy."""
    return {f"{game} {policy}": partial(time_grade, game, policy) for _, game, policy in LINES}


def time_grade(game: str, policy: str) -> dict[str, Any]:
    """Positions by seat, and processor seconds of a grade without compiling: the minimum of three if a grade is quick."""
    exact, seconds = grade_exact(policy, game), list[float]()
    while len(seconds) < 3 and sum(seconds) < 30:
        began = time.process_time()
        grade_exact(policy, game)
        seconds.append(time.process_time() - began)
    return {"positions": list(exact.document()["positions"]), "processor_seconds": min(seconds)}


def show(rows: Rows) -> dict[str, str]:
    """A row for each grade."""
    lines = list[list[str]]()
    for title, game, policy in LINES:
        row = rows[f"{game} {policy}"]
        positions = " · ".join(f"{count:,}" for count in row["positions"])
        lines.append([title, f"`{policy}`", positions, f"{row['processor_seconds']:.2g} s"])
    return {"table": table(["game", "policy", "positions to move in, as player 0 · 1", "CPU time"], lines, align="llr")}


STUDIES = (Study(RESULTS / "grading.json", cells, show, 0),)
