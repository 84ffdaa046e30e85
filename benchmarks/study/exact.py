"""Exact grades of strong policies in a game of many positions: few of these can come up against them, and a grade takes seconds.

Each is kept beside its run, so that the part can be continued.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from ludus.arena import grade_exact
from ludus.core.files.writing import write_whole
from ludus.oracles.statespace.graph import TooLargeError

from .grid import Cell, Grading, Grid
from .played import rounded
from .runs import SEED, place_of, policy_of, run_of

STRONG = 0.95
"""The share of games that a policy must win against random play."""
LARGEST = 4_000_000
"""Positions that may come up against it in a seat, symmetric ones counted once."""
FIGURES = (
    "exploitability",
    "value_thrown",
    "value_lost",
    "optimal_rate",
    "optimal_positions",
    "positions",
    "keeps_start",
    "lost_at",
)


def strong(grid: Grid, found: Mapping[str, Any]) -> Iterator[Cell]:
    """The cells of each trainer's largest budget whose policy without search is strong by a closer look, and has no exact grade."""
    last = {ladder.trainer: ladder.budgets[-1] for ladder in grid.ladders}
    for cell in grid.cells:
        wins = found.get(cell.closer, {}).get("win_rate_vs_random", 0)
        known = cell.name in found and "exploitability" in found[cell.name]["policies"][cell.policies[0]]
        if cell.budget == last[cell.trainer] and wins >= STRONG and not known:
            yield cell


def graded_exactly(grid: Grid, found: Mapping[str, Any]) -> dict[str, Any]:
    """The exact grades of all these cells by name; of those with too many positions none."""
    grades = {cell.name: exact_grade(cell, grid.grading) for cell in strong(grid, found)}
    return {name: one for name, one in grades.items() if "exploitability" in one}


def exact_grade(cell: Cell, how: Grading) -> dict[str, Any]:
    """What an exact grade says of a cell's policy without search, and processor seconds."""
    run_of(cell)
    note = place_of(cell).with_suffix(".exact.json")
    if note.exists():
        return json.loads(note.read_text())
    began, found = time.process_time(), dict[str, Any]()
    policy = policy_of(cell, cell.policies[0], how)
    with suppress(TooLargeError):
        exact = grade_exact(policy, policy.game, largest=LARGEST, seed=SEED).document()
        found = {name: rounded(exact[name]) for name in FIGURES}
        found["win_rate_vs_random"] = rounded(sum(exact["win_rate_vs_random"]) / 2)
    found["seconds"] = round(time.process_time() - began, 2)
    write_whole(note, json.dumps(found).encode())
    return found
