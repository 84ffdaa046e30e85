"""The measures of every policy of a game as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .games import EXACT, FORCED, POOL
from .grid import Grid
from .played import read
from .pool import Entrant, entrants

MEASURES = {
    "elo": "Elo",
    "win_rate_vs_random": "win rate against random",
    "value_lost": "value lost per move",
    "value_thrown": "value lost per game against perfect play",
    "exploitability": "exploitability",
}
"""What is compared, and its name on the page."""
CLASSIC = "classic policies"
BETTER = {"elo": 1, "win_rate_vs_random": 1, "value_lost": -1, "value_thrown": -1, "exploitability": -1}
"""Whether more is better."""


class Row(NamedTuple):
    """What is known of a policy.

    Args:
        name: its name in the tournament.
        trainer: its trainer, or its own name for a classic policy.
        policy: which of the policies of its run it is; empty for the only one.
        size, level, budget, seed, parameters, seconds: of its run; empty or 0 for a classic policy, whose level is -1.
        values: its measures, as far as they are known.
        by_ply, by_distance, by_frequency: where it errs, as in the results.
        interval: the 95 % interval of the value lost a move where that comes from a sample; empty if it is exact.
        thrown_interval: that of the value lost a game against perfect play, likewise.
        start_lost_at: the ply at which it may first lose what the start is worth, as the first player: empty if that is never, or
            only in very many positions; None if it was not measured.
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
    by_ply: list[list[int]]
    by_distance: list[list[int]]
    by_frequency: list[list[int]]
    interval: tuple[float, ...] = ()
    thrown_interval: tuple[float, ...] = ()
    start_lost_at: tuple[int, ...] | None = None
    forced_at: int | None = None
    cell: str = ""

    @property
    def exact(self) -> bool:
        """Whether it is graded exactly."""
        return "value_thrown" in self.values and not self.thrown_interval

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


def rows_of(grid: Grid, found: dict[str, Any]) -> list[Row]:
    """All policies that are measured."""
    elo = found.get(POOL, {"elo": {}})["elo"]
    budgets = {ladder.trainer: ladder.budgets for ladder in grid.ladders}
    rows = list[Row]()
    for one in entrants(grid, [cell for cell in grid.cells if cell.name in found]):
        part = found.get(one.cell.name if one.cell else one.spec)
        if part is None:
            continue
        measured = known(one, part["policies"][one.policy], found)
        values = {name: measured[name] for name in MEASURES if measured.get(name) is not None}
        if one.name in elo:
            values["elo"] = elo[one.name]
        forced_at = found.get(FORCED, {}).get(one.name)
        if forced_at is not None:
            values["exploitability"] = 1.0  # and as the second player it meets a start that is won for its opponent
        cell, lost_at = one.cell, measured.get("start_lost_at", -1)
        rows.append(
            Row(
                one.name,
                cell.trainer if cell else one.spec,
                one.policy,
                cell.size if cell else "",
                budgets[cell.trainer].index(cell.budget) if cell else -1,
                cell.budget if cell else 0,
                cell.seed if cell else 0,
                part.get("parameters", 0),
                part.get("seconds", 0.0),
                values,
                *(read(measured[name]) for name in ("by_ply", "by_distance", "by_frequency")),
                interval=tuple(measured.get("value_lost_interval", ())),
                thrown_interval=tuple(measured.get("value_thrown_interval", ())),
                start_lost_at=None if lost_at == -1 else () if lost_at is None else (lost_at,),
                forced_at=forced_at,
                cell=cell.name if cell else "",
            )
        )
    return rows


def known(one: Entrant, measured: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """What is known of a policy: the numbers of its cell, or exact ones or those of a closer look where there are some."""
    if one.cell is None or one.searches or "value_thrown" in measured:
        return measured
    if exact := found.get(EXACT, {}).get(one.cell.name):
        return {**measured, **exact, "value_lost_interval": []}
    return {**measured, **found.get(one.cell.closer, {})}


def truth_of(rows: Sequence[Row]) -> str:
    """The error that is known of all policies: exact if it can be, otherwise what a sample of moves shows."""
    return next((name for name in ("value_thrown", "value_lost") if all(name in row.values for row in rows)), "")
