"""The page of a comparison of solvers: how answers improved over the calls, what they cost, how far they are from the best."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, product
from pathlib import Path
from typing import Any

from ..arena.pages.single import Markup
from ..arena.report.page import render
from ..arena.report.plots import MEANING, SQUARE, Values, axis, dots, draw_plot
from ..core import words
from ..core.files.writing import path_of, write_whole
from .comparison import Row, SolverComparison, limit, number, reference, table

COLOURS = ("second", "loss", "win", "first", "draw", "blunder")
"""The colours of lines, by their names in the style sheet."""
DASHES = {"": [1, 0], ", dashed": [6, 3], ", dotted": [1.5, 3]}
"""The strokes of lines, in pixels with ink and without; the next one when all colours are taken."""


def puzzle_page(comparison: SolverComparison, *, command: str = "") -> str:
    """The page that shows a comparison, and the command that repeats it."""
    columns, best = table(comparison), comparison.best
    return render(
        Path(__file__).with_name("puzzle.html.jinja"),
        puzzle=comparison.puzzle,
        comparison=comparison,
        command=command,
        best_measure=number(comparison.to_measure(best and best[1])),
        bound="unknown" if comparison.bound is None else number(comparison.to_measure(comparison.bound)),
        best=f"{comparison.puzzle.describe(best[2])} (by {best[0]})" if best else "",
        limit=limit(comparison),
        reference=reference(comparison),
        heads=[*columns],
        lines=[*zip(cycle(COLOURS), zip(*columns.values(), strict=True), strict=False)],
        climb=_climb(comparison),
        keys=[(colour, f"{row.solver}{dash}") for (dash, colour), row in _strokes(comparison)],
        calls=_calls(comparison),
        distances=_distances(comparison),
    )


def write_puzzle_page(path: str | Path, comparison: SolverComparison, *, command: str = "") -> None:
    """Writes the page that shows a comparison, whole or not at all."""
    write_whole(path_of(path), puzzle_page(comparison, command=command).encode())


def _climb(comparison: SolverComparison) -> Markup:
    """The best answer so far over the calls, a line for each solver and seed, and the bound."""
    values = [*_points(comparison)]
    if not values:
        return Markup()
    bound = comparison.to_measure(comparison.bound)
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
    return draw_plot("climb", {"height": SQUARE, "data": {"values": values}, "layer": layers})


def _points(comparison: SolverComparison) -> Iterator[dict[str, Any]]:
    """Every improvement, and the last one again where the search ended."""
    puzzle = comparison.puzzle
    for row in comparison.rows:
        for seed, result in enumerate(row.results, comparison.seed):
            trial = f"{row.solver}, seed {seed}" if len(row.results) == comparison.seeds else row.solver
            for calls, _, worth in (step for step in result.steps if step.worth >= puzzle.least):
                yield {"solver": row.solver, "trial": trial, "calls": calls, "worth": puzzle.to_measure(worth), "last": False}
            if result.worth >= puzzle.least:
                value = puzzle.to_measure(result.worth)
                meaning = f"{trial}: {puzzle.measure} {number(value)} after {words.several(result.calls, 'call')}"
                # the axis of calls is logarithmic, and an exact solver may end without a call
                end = {"calls": max(1, result.calls), "worth": value, "last": True, "meaning": meaning}
                yield {"solver": row.solver, "trial": trial, **end}


def _strokes(comparison: SolverComparison) -> Iterator[tuple[tuple[str, str], Row]]:
    """The dash and the colour of each solver."""
    return zip(cycle(product(DASHES, COLOURS)), comparison.rows, strict=False)


def _calls(comparison: SolverComparison) -> Markup:
    """The calls of each solver: the median, the minimum and the maximum."""
    values: Values = []
    for row in comparison.rows:
        low, high = (max(1, pick(result.calls for result in row.results)) for pick in (min, max))
        meaning = f"{row.solver}: {number(row.calls)} calls ({low:,} to {high:,})"
        values.append({"policy": row.solver, "calls": max(1, row.calls), "low": low, "high": high, "meaning": meaning})
    scale = {**axis("calls", type="log", nice=True), "axis": {"tickCount": 4, "format": "~s"}}
    return dots("calls", [row.solver for row in comparison.rows], values, "calls", scale)


def _distances(comparison: SolverComparison) -> Markup:
    """The distance of each solver from the bound: the median, the minimum and the maximum."""
    values: Values = []
    for row in comparison.rows:
        middle = comparison.distance(row.worth)
        far = [distance for result in row.results if (distance := comparison.distance(result.worth)) is not None]
        if middle is not None:
            bounds = f"{words.percent(min(far))} to {words.percent(max(far))}"
            meaning = f"{row.solver}: {words.percent(middle)} {reference(comparison)} ({bounds})"
            values.append({"policy": row.solver, "distance": middle, "low": min(far), "high": max(far), "meaning": meaning})
    part = {**axis(reference(comparison), zero=True), "axis": {"format": "%", "tickCount": 5}}
    return dots("distances", [value["policy"] for value in values], values, "distance", part) if values else Markup()
