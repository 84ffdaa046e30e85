"""The results of a comparison in columns and sentences, as the terminal and the page show them."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from ..arena.report import words
from .comparison import Row, SolverComparison

HEADS = {"best_generation": "generation of the best"}
"""The heads of columns of counts, where they differ from the names of the counts."""


def number(value: float | None) -> str:
    """A measure, such as 12,345 or 0.4501; or none."""
    return "none" if value is None else f"{value:,.0f}" if value == int(value) else f"{value:,.5g}"


def table(comparison: SolverComparison) -> dict[str, list[str]]:
    """The columns that are not empty: their heads, and a cell for each solver."""
    rows, puzzle, to_measure = comparison.rows, comparison.puzzle, comparison.to_measure
    columns: dict[str, Callable[[Row], str]] = {
        "solver": lambda row: row.solver,
        puzzle.measure: lambda row: number(to_measure(row.worth)),
    }
    if comparison.seeds > 1:
        columns[f"best {puzzle.measure}"] = lambda row: number(to_measure(max(result.worth for result in row.results)))
    columns[reference(comparison)] = lambda row: "" if (far := comparison.distance(row.worth)) is None else words.percent(far)
    columns["calls"] = lambda row: number(row.calls)
    if any(row.reached not in (None, 1) for row in rows):  # otherwise every answer reaches the goal
        goal = "to keep the rules" if puzzle.best is None else f"to {puzzle.measure} {number(to_measure(puzzle.best))}"
        columns[goal] = lambda row: "" if row.reached is None else number(row.reached)
    for name in dict.fromkeys(name for row in rows for name in row.counts):
        columns[HEADS.get(name, name)] = lambda row, name=name: number(row.counts[name]) if name in row.counts else ""
    columns["time"] = lambda row: words.duration(row.seconds)
    columns["proof"] = lambda row: "proven" if row.proven else ""
    return {head: cells for head, cell in columns.items() if any(cells := [cell(row) for row in rows])}


def limit(comparison: SolverComparison) -> str:
    """The bound in a sentence; empty if nothing is proven."""
    if comparison.bound is None:
        return ""
    if comparison.bound == -inf:
        return "It is proven that nothing keeps the rules; loosen one of them."
    return f"Nothing is better than {comparison.puzzle.measure} {number(comparison.to_measure(comparison.bound))}."


def reference(comparison: SolverComparison) -> str:
    """What distances are measured from: the best answer, or a bound that no solver has reached."""
    return "from the best" if comparison.proven else "from the bound"
