"""The studies of four solved games: policies of every trainer, graded and rated. Shown in docs/study.md."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from ludus.cli.bench.study import Rows, Study

from .. import RESULTS
from .graded import grade_strong, look_closer, measure, measure_classic
from .grid import GRIDS, Grid
from .pool import rate_everyone
from .runs import SEED

POOL = "pool"
"""The cell with the ratings."""
LIBRARIES = ("numpy", "llvmlite", "torch", "stable-baselines3", "sb3-contrib", "neat-python")


def study_of(file: Path, grid: Grid) -> Study:
    """The study of a grid. Its last cell is about all policies that are measured: `--anew pool` after others came."""
    how = grid.grading
    last = {ladder.trainer: ladder.budgets[-1] for ladder in grid.ladders}

    def cells() -> dict[str, Any]:
        every = {spec: partial(measure_classic, grid.game, spec, how) for spec in grid.classics}
        for cell in grid.cells:
            every[cell.name] = partial(measure, cell, how, errors=cell.budget == last[cell.trainer])
            if how.turned:
                every[cell.closer] = partial(look_closer, cell, how)
            if how.turned and cell.budget == last[cell.trainer]:
                every[cell.exact] = lambda cell=cell: grade_strong(cell, how, study.rows())
        every[POOL] = lambda: rate_everyone(grid, study.rows())
        return every

    study = Study(file, cells, partial(show, grid), SEED, LIBRARIES)
    return study


def show(grid: Grid, rows: Rows) -> dict[str, str]:
    """How large the grid is, and what it took."""
    policies = [policy for row in rows.values() for policy in row.get("policies", {}).values()]
    pool, seconds = rows[POOL], sum(row.get("seconds", 0) for row in (*rows.values(), *policies))
    return {
        "cells": f"{len(grid.cells)} of {len(grid.cells)}",
        "policies": str(len(policies)),
        "rated": str(len(pool["elo"])),
        "games": f"{pool['games']:,}",
        "minutes": f"{seconds / 60:.0f}",
    }


GAMES = {name: study_of(RESULTS / f"{name}.json", grid) for name, grid in GRIDS.items()}
STUDIES = (*GAMES.values(),)
