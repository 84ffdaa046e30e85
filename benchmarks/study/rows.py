"""The measures of every policy of a game as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .games import POOL
from .graded import read_rows
from .grid import Grid
from .pool import Entrant, entrants

MEASURES = {
    "elo": "Elo",
    "win_rate_vs_random": "win rate against random",
    "value_lost": "value lost per move",
    "value_lost_per_game": "value lost per game against perfect play",
    "exploitability": "exploitability",
}
"""What is compared, and its name on the page."""
ERRORS = ("value_lost_per_game", "value_lost")
CLASSIC = "classic policies"
BETTER = {"elo": 1, "win_rate_vs_random": 1, "value_lost": -1, "value_lost_per_game": -1, "exploitability": -1}
"""Whether more is better."""


class Row(NamedTuple):
    """What is known of a policy.

    Args:
        name: its name in the tournament.
        trainer: its trainer, or its own name for a classic policy.
        policy: which of the policies of its run it is; empty for the only one.
        size, level, budget, seed, parameters, seconds: of its run; empty or 0 for a classic policy, whose level is -1.
        values: its measures, as far as they are known.
        by_distance, by_frequency: where it errs, as in the results: those of the largest budgets have it.
        interval: the 95 % interval of the value lost a move where that comes from a sample; empty if it is exact.
        thrown_interval: that of the value lost a game against perfect play, likewise.
        start: whether it was measured how early it may lose what the start is worth.
        start_lost_at: that ply, as the first player; None if that is never, or only in very many positions.
        forced_at: the ply at which it can be forced into a lost position, as the first player; None if that is not known.
        cell: the name of its cell; empty for a classic policy.
    """

    name: str
    trainer: str
    policy: str
    size: str
    level: int
    budget: int
    seed: int
    parameters: int
    seconds: float
    values: dict[str, float]
    by_distance: list[list[int]]
    by_frequency: list[list[int]]
    interval: tuple[float, ...] = ()
    thrown_interval: tuple[float, ...] = ()
    start: bool = False
    start_lost_at: int | None = None
    forced_at: int | None = None
    cell: str = ""

    @property
    def exact(self) -> bool:
        """Whether it is graded exactly."""
        return "value_lost_per_game" in self.values and not self.thrown_interval

    @property
    def kind(self) -> str:
        """Its trainer and which policy it is, as tables have it."""
        if not self.policy:
            return self.trainer
        return f"{self.trainer}, network alone" if self.policy == "network" else f"{self.trainer}, {self.policy} simulations"

    @property
    def group(self) -> str:
        """What it is counted with: its trainer, with networks alone apart from those with search, or the classics."""
        if self.level < 0:
            return CLASSIC
        return self.kind if self.policy in ("", "network") else f"{self.trainer} with search"

    @property
    def run(self) -> str:
        """What it shares with the other policies of its run."""
        return f"{self.trainer} {self.size} {self.budget} {self.seed}"


def rows_of(grid: Grid, measured: Mapping[str, Any]) -> list[Row]:
    """All policies that are measured."""
    elo = measured.get(POOL, {"elo": {}})["elo"]
    budgets = {ladder.trainer: ladder.budgets for ladder in grid.ladders}
    rows = list[Row]()
    for entrant in entrants(grid, measured):
        cell = entrant.cell
        part = measured.get(cell.name if cell else entrant.spec)
        if part is None:
            continue
        figures = known(entrant, part["policies"][entrant.policy], measured)
        values = {name: figures[name] for name in MEASURES if figures.get(name) is not None}
        if entrant.name in elo:
            values["elo"] = elo[entrant.name]
        if figures.get("forced_at") is not None:
            values["exploitability"] = 1.0  # and as the second player it meets a start that is won for its opponent
        rows.append(
            Row(
                name=entrant.name,
                trainer=cell.trainer if cell else entrant.spec,
                policy=entrant.policy,
                size=cell.size if cell else "",
                level=budgets[cell.trainer].index(cell.budget) if cell else -1,
                budget=cell.budget if cell else 0,
                seed=cell.seed if cell else 0,
                parameters=part.get("parameters", 0),
                seconds=part.get("seconds", 0.0),
                values=values,
                by_distance=read_rows(figures.get("by_distance", "")),
                by_frequency=read_rows(figures.get("by_frequency", "")),
                interval=tuple(figures.get("value_lost_interval", ())),
                thrown_interval=tuple(figures.get("value_lost_per_game_interval", ())),
                start="start_lost_at" in figures,
                start_lost_at=figures.get("start_lost_at"),
                forced_at=figures.get("forced_at"),
                cell=cell.name if cell else "",
            )
        )
    return rows


def known(entrant: Entrant, figures: dict[str, Any], measured: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of a policy: the numbers of its cell, or exact ones or those of a closer look where there are some."""
    if entrant.cell is None or entrant.searches or "value_lost_per_game" in figures:
        return figures
    if exact := measured.get(entrant.cell.exact):
        return {**figures, **exact, "value_lost_interval": []}
    return {**figures, **measured.get(entrant.cell.closer, {})}


def truth_of(rows: Sequence[Row]) -> str:
    """The error that is known of all policies: exact if it can be, otherwise what a sample of moves shows."""
    return next((name for name in ("value_lost_per_game", "value_lost") if all(name in row.values for row in rows)), "")


def groups(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """What is trained, by its group."""
    by_group = dict[str, list[Row]]()
    for row in rows:
        if row.group != CLASSIC:
            by_group.setdefault(row.group, []).append(row)
    return by_group


def errors_by(rows: Sequence[Row], name: str) -> list[list[int]]:
    """Errors at the largest budget that is measured, `by_distance` to a win or `by_frequency` in self-play: sums over policies."""
    last, sums = max(row.level for row in rows), dict[int, list[int]]()
    for row in rows:
        if row.level == last:
            for key, *counts in getattr(row, name):
                sums[key] = [a + b for a, b in zip(sums.get(key, [0, 0]), counts, strict=True)]
    return [[key, *sums[key]] for key in sorted(sums)]


def rounded(number: Any) -> float:
    """Four digits are enough for a page."""
    return float(f"{float(number):.4g}")
