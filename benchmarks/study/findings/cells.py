"""What there is: cells, policies and games, the hours that they took, and why cells failed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ...common import table
from ..design import GAMES, cells
from ..intervals import decimals
from ..places import error_file, read_row, seconds_of
from ..policies import policies_of_game, title


@dataclass(frozen=True)
class CellCounts:
    """What there is of a game.

    Args:
        cells: its cells.
        failed: those that failed.
        policies: the policies of the others.
        rated: the games for their ratings.
        hours: of the processor.
    """

    cells: int
    failed: int
    policies: int
    rated: int
    hours: float


@dataclass(frozen=True)
class CellsFinding:
    """What there is.

    Args:
        games: of each game.
        failures: why cells failed.
        commits: how many rows each commit made; empty where it is not known.
    """

    games: dict[str, CellCounts]
    failures: list[str]
    commits: dict[str, int]


def count_cells() -> CellsFinding:
    """For each game the cells, those that failed, policies, games for ratings and hours; why cells failed; and rows by commit."""
    games, failures, commits = dict[str, CellCounts](), list[str](), Counter[str]()
    for game in GAMES:
        every = [*cells(game)]
        rows = [row for cell in every if (row := read_row(cell))]
        errors = [error_file(cell).read_text(encoding="utf-8").strip() for cell in every if error_file(cell).exists()]
        policies = policies_of_game(game)
        failures += errors
        commits.update(row.get("commit") or "" for row in rows)
        games[game] = CellCounts(
            cells=len(every),
            failed=len(errors),
            policies=len(policies),
            rated=int(sum(policy.panel.sum() for policy in policies)),
            hours=sum(map(seconds_of, rows)) / 3600,
        )
    return CellsFinding(games, failures, dict(commits))


def show_cells(finding: CellsFinding) -> dict[str, str]:
    """The table of what there is."""
    games = finding.games.values()
    lines = [
        [
            title(game),
            f"{counts.cells:,}",
            f"{counts.failed:,}",
            f"{counts.policies:,}",
            f"{counts.rated:,}",
            decimals(counts.hours, 1),
        ]
        for game, counts in finding.games.items()
    ]
    return {
        "cells": table(["game", "cells", "failed", "policies", "games for ratings", "processor hours"], lines),
        "hours": decimals(sum(counts.hours for counts in games), 1),
        "policies": f"{sum(counts.policies for counts in games):,}",
        "rated": f"{sum(counts.rated for counts in games):,}",
        "failed": f"{sum(counts.failed for counts in games):,}",
        "commits": ", ".join(f"`{commit or 'unknown'}` ({count:,} rows)" for commit, count in finding.commits.items()),
        "failures": "\n".join(f"- {message}" for message in finding.failures) or "None failed.",
    }
