"""The study of one game: its cells, its classics and its tournament as the parts of a `Study`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

from ..provenance import Part, Study, match_sources, oracle_sources
from ..strength.training import OF_TRAINERS, source_of
from . import closer
from .cells import again, determined, measured, measured_classic
from .exact import graded_exactly
from .grid import Cell, Grading, Grid
from .pool import entrants, rated
from .runs import SEED
from .start import forced_loss

POOL = "pool"
"""The part with the ratings."""
FORCED = "forced"
"""The part that says how early each policy can be forced into a lost position."""
EXACT = "exact"
"""The part with exact grades of strong policies, where those of all take too long."""
OF_ALL = (EXACT, POOL, FORCED)
"""The parts about all policies that are measured."""
LONG = 60.0
"""Classic policies whose grades took more processor seconds are not graded again to check them."""
RUNS = "benchmarks/study/runs.py"
TURNED = ("benchmarks/study/oriented.py", "oracles/statespace/canonical.py")
GAMES = (RUNS, "benchmarks/study/played.py", "arena/grading/decisions.py", "oracles/values.py")
RATING = ("arena/ratings/ratings.py", "arena/ratings/davidson.py")
LIBRARIES = ("numpy", "llvmlite", "torch", "stable-baselines3", "sb3-contrib", "neat-python")


def study_of(script: str, grid: Grid) -> Study:
    """The study of a grid, for the script that names it."""

    game, how = grid.game, grid.grading

    def parts(_: argparse.Namespace) -> dict[str, Part]:
        oracle = (*oracle_sources(game), *(TURNED if how.turned else ()))
        graded = (*oracle, *GAMES, "benchmarks/study/cells.py")
        found = dict[str, Part]()
        for spec in grid.classics:
            sources = (*graded, *match_sources(game, spec, "random"))
            found[spec] = Part(partial(measured_classic, game, spec, how), partial(again_classic, game, spec, how), sources)
        for cell in grid.cells:
            trained = (*match_sources(game, "random"), *sources_of(cell.trainer))
            found[cell.name] = Part(partial(measured, cell, how), partial(again, cell, how), (*graded, *trained))
            if how.turned:
                look = partial(closer.looked_at, cell, how), partial(closer.again, cell, how)
                found[cell.closer] = Part(*look, (*oracle, *GAMES, "benchmarks/study/closer.py", *trained))
        found[POOL] = Part(lambda: rated(grid, there()))
        if how.turned:
            found[EXACT] = Part(lambda: graded_exactly(grid, study.found()), sources=(*oracle, RUNS, "benchmarks/study/exact.py"))
            found[FORCED] = Part(lambda: forced(grid, there()), sources=(*oracle, RUNS, "benchmarks/study/start.py"))
        return found

    def there() -> list[Cell]:
        return [cell for cell in grid.cells if cell.name in study.kept()["parts"]]

    study = Study(script, parts, partial(shown, grid), (*match_sources(game, *grid.classics), *RATING), SEED, LIBRARIES)
    return study


def again_classic(game: str, spec: str, how: Grading, kept: dict[str, Any]) -> tuple[Any, Any] | None:
    """All but the times of a classic policy that is graded quickly, as stored and now; None for a slow one."""
    if kept["policies"][""]["seconds"] > LONG:
        return None
    return determined(kept), determined(measured_classic(game, spec, how))


def sources_of(trainer: str) -> tuple[str, ...]:
    """The files of a trainer."""
    own = () if "sb3" in source_of(trainer) else (source_of(trainer),)
    return (*own, *OF_TRAINERS[trainer])


def forced(grid: Grid, cells: Sequence[Cell]) -> dict[str, int | None]:
    """How early each policy can be forced into a lost position; None where that is not found."""
    return {one.name: forced_loss(one.measured) for one in entrants(grid, cells)}


def shown(grid: Grid, found: dict[str, Any]) -> dict[str, str]:
    """How much of the grid is measured, and what it took."""
    cells = [found[cell.name] for cell in grid.cells if cell.name in found]
    trained = sum(cell["seconds"] for cell in cells)
    graded = sum(policy["seconds"] for one in found.values() for policy in one.get("policies", {}).values())
    graded += sum(found[cell.closer]["seconds"] for cell in grid.cells if cell.closer in found)
    graded += sum(one["seconds"] for one in found.get(EXACT, {}).values())
    pool = found.get(POOL, {"elo": {}, "games": 0, "seconds": 0.0})
    return {
        "cells": f"{len(cells)} of {len(grid.cells)}",
        "policies": str(sum(len(one.get("policies", {})) for one in found.values())),
        "rated": str(len(pool["elo"])),
        "games": f"{pool['games']:,}",
        "minutes": f"{(trained + graded + pool['seconds']) / 60:.0f}",
    }
