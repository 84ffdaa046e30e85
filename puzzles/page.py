"""The page of a comparison of solvers: how good answers became over the calls, what they cost, how far they are from the best."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle, product
from math import inf
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ..arena.report import words
from ..arena.report.page import rendered
from ..arena.report.plots import MEANING, SQUARE, Values, axis, dots, drawn
from ..envs.files.writing import write_whole
from .comparison import Comparison, Row

COLOURS = ("second", "loss", "win", "first", "draw", "blunder")
"""The colours of lines, by their names in the style sheet."""
DASHES = {"": [1, 0], ", dashed": [6, 3], ", dotted": [1.5, 3]}
"""How lines are drawn, in pixels with ink and without; the next when all colours are taken."""

COUNTED = {"best_generation": "generation of the best"}
"""What columns of counts are called, where that is not the name of the count."""


def puzzle_page(comparison: Comparison, *, command: str = "") -> str:
    """The page that shows a comparison.

    Args:
        comparison: what is shown.
        command: that makes it again.
    """
    shown = table(comparison)
    return rendered(
        Path(__file__).with_name("puzzle.html.jinja"),
        puzzle=comparison.puzzle,
        comparison=comparison,
        command=command,
        found=number(comparison.measured(comparison.best and comparison.best.worth)),
        bound="unknown" if comparison.bound is None else number(comparison.measured(comparison.bound)),
        best=_best(comparison),
        limit=limit(comparison),
        whence=whence(comparison),
        heads=[*shown],
        lines=[*zip(cycle(COLOURS), zip(*shown.values(), strict=True), strict=False)],
        climb=_climb(comparison),
        keys=[(colour, f"{row.solver}{dash}") for (dash, colour), row in _strokes(comparison)],
        calls=_calls(comparison),
        distances=_distances(comparison),
    )


def write_puzzle_page(path: str | Path, comparison: Comparison, *, command: str = "") -> None:
    """Writes the page that shows a comparison, whole or not at all.

    Args:
        path: where to.
        comparison, command: as for `puzzle_page`.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(Path(path), puzzle_page(comparison, command=command).encode())


def number(value: float | None) -> str:
    """A measure, as 12,345 or 0.4501; or none."""
    return "none" if value is None else f"{value:,.0f}" if value == int(value) else f"{value:,.5g}"


def table(comparison: Comparison) -> dict[str, list[str]]:
    """The columns that there is something to say in: their heads, and a cell for each solver."""
    rows = comparison.rows
    columns = {head: [cell(row) for row in rows] for head, cell in _columns(comparison).items()}
    if all(row.reached in (None, 1) for row in rows):
        del columns[_goal(comparison)]  # whatever a solver asks about is there
    if comparison.seeds == 1:
        del columns[f"best {comparison.puzzle.measure}"]  # the only one
    return {head: cells for head, cells in columns.items() if any(cells)}


def limit(comparison: Comparison) -> str:
    """What nothing exceeds, in a sentence; empty where nothing is proven."""
    if comparison.bound is None:
        return ""
    if comparison.bound == -inf:
        return "Nothing keeps the rules, which is proven; loosen one of them."
    return f"Nothing is better than {comparison.puzzle.measure} {number(comparison.measured(comparison.bound))}."


def whence(comparison: Comparison) -> str:
    """From where distances are measured: the best there is, or a bound that nothing found has reached."""
    return "from the best" if comparison.proven else "from the bound"


def _columns(comparison: Comparison) -> dict[str, Callable[[Row], str]]:
    """What the table says of each solver, by the heads of its columns; one for each thing that any of them counted."""
    measure, measured = comparison.puzzle.measure, comparison.measured
    counted = dict.fromkeys(name for row in comparison.rows for name in row.counts)
    return {
        "solver": lambda row: row.solver,
        measure: lambda row: number(measured(row.worth)),
        f"best {measure}": lambda row: number(measured(max(found.worth for found in row.found))),
        whence(comparison): lambda row: "" if (far := comparison.distance(row.worth)) is None else words.percent(far),
        "calls": lambda row: number(row.calls),
        _goal(comparison): lambda row: "" if row.reached is None else number(row.reached),
        **{COUNTED.get(name, name): lambda row, name=name: _count(row, name) for name in counted},
        "time": lambda row: words.duration(row.seconds),
        "proof": lambda row: "proven" if row.proven else "",
    }


def _goal(comparison: Comparison) -> str:
    """What calls are counted to."""
    puzzle = comparison.puzzle
    return "to keep the rules" if puzzle.best is None else f"to {puzzle.measure} {number(comparison.measured(puzzle.best))}"


def _count(row: Row, name: str) -> str:
    """What a solver counted under a name; empty where it does not count that."""
    return number(row.counts[name]) if name in row.counts else ""


def _climb(comparison: Comparison) -> Markup:
    """The best answer so far over the calls, a line for each solver and seed, and the bound."""
    values = [*_points(comparison)]
    if not values:
        return Markup()
    bound = comparison.measured(comparison.bound)
    strokes = [stroke for stroke, _ in _strokes(comparison)]
    by_solver = {"field": "solver", "type": "nominal", "legend": None}
    domain = [row.solver for row in comparison.rows]
    colour = {**by_solver, "scale": {"domain": domain, "range": [f"var(--{colour})" for _, colour in strokes]}}
    dash = {**by_solver, "scale": {"domain": domain, "range": [DASHES[dash] for dash, _ in strokes]}}
    calls = {"field": "calls", **axis("calls", type="log", nice=False), "axis": {"tickCount": 4, "format": "~s"}}
    worth = {"field": "worth", **axis(comparison.puzzle.measure)}
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 1.5, "opacity": 0.6},
            "encoding": {"x": calls, "y": worth, "color": colour, "strokeDash": dash, "detail": {"field": "trial"}},
        },
        {
            "transform": [{"filter": "datum.last"}],
            "mark": {"type": "circle", "size": 45, "opacity": 1},
            "encoding": {"x": calls, "y": worth, "color": colour, "description": MEANING},
        },
    ]
    if bound is not None:
        level = {"values": [{"worth": bound, "meaning": f"nothing is better than {number(bound)}"}]}
        layers.append(
            {"data": level, "mark": {"type": "rule", "color": "var(--faint)"}, "encoding": {"y": worth, "description": MEANING}}
        )
    return drawn("climb", {"height": SQUARE, "data": {"values": values}, "layer": layers})


def _points(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """Every better answer, and the last again where the search ended."""
    puzzle = comparison.puzzle
    for row in comparison.rows:
        for seed, found in enumerate(row.found, comparison.seed):
            trial = f"{row.solver}, seed {seed}" if len(row.found) == comparison.seeds else row.solver
            for calls, _, worth in (step for step in found.steps if step.worth >= puzzle.least):
                yield {"solver": row.solver, "trial": trial, "calls": calls, "worth": puzzle.measured(worth), "last": False}
            if found.worth >= puzzle.least:
                value = puzzle.measured(found.worth)
                meaning = f"{trial}: {puzzle.measure} {number(value)} after {words.several(found.calls, 'call')}"
                end = {"calls": max(1, found.calls), "worth": value, "last": True, "meaning": meaning}
                yield {"solver": row.solver, "trial": trial, **end}


def _strokes(comparison: Comparison) -> Iterator[tuple[tuple[str, str], Row]]:
    """Each solver with its dash and its colour."""
    return zip(cycle(product(DASHES, COLOURS)), comparison.rows, strict=False)


def _calls(comparison: Comparison) -> Markup:
    """How many calls each solver took, the median, and from the fewest to the most."""
    values: Values = []
    for row in comparison.rows:
        low, high = (max(1, pick(found.calls for found in row.found)) for pick in (min, max))
        meaning = f"{row.solver}: {number(row.calls)} calls ({low:,} to {high:,})"
        values.append({"policy": row.solver, "calls": max(1, row.calls), "low": low, "high": high, "meaning": meaning})
    scale = {**axis("calls", type="log", nice=True), "axis": {"tickCount": 4, "format": "~s"}}
    return dots("calls", [row.solver for row in comparison.rows], values, "calls", scale)


def _distances(comparison: Comparison) -> Markup:
    """How far each solver stays from the bound, the median, and from the nearest to the farthest."""
    values: Values = []
    for row in comparison.rows:
        middle = comparison.distance(row.worth)
        far = [distance for found in row.found if (distance := comparison.distance(found.worth)) is not None]
        if middle is not None:
            bounds = f"{words.percent(min(far))} to {words.percent(max(far))}"
            meaning = f"{row.solver}: {words.percent(middle)} {whence(comparison)} ({bounds})"
            values.append({"policy": row.solver, "distance": middle, "low": min(far), "high": max(far), "meaning": meaning})
    part = {**axis(whence(comparison), zero=True), "axis": {"format": "%", "tickCount": 5}}
    return dots("distances", [value["policy"] for value in values], values, "distance", part) if values else Markup()


def _best(comparison: Comparison) -> str:
    """The best answer of all in words, and who found it; empty where none keeps the rules."""
    best = comparison.best
    return f"{comparison.puzzle.told(best.answer)} (by {best.solver})" if best else ""
