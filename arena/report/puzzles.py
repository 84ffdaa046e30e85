"""The page of a comparison of solvers: how good answers became over the calls, what they cost, how far they are from the best."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from ...envs.files import write_whole
from ..puzzles import Comparison, Row
from . import words
from .page import rendered
from .plots import SAYS, SQUARE, Values, axis, dots, drawn

COLOURS = ("second", "loss", "win", "first", "draw", "blunder")
"""The colours of lines, by their names in the style sheet."""


class Line(NamedTuple):
    """A solver's line in the table; everything in words."""

    solver: str
    colour: str
    best: str
    middle: str
    distance: str
    calls: str
    reached: str
    seconds: str
    counts: str
    proven: str


def puzzle_page(comparison: Comparison, *, command: str = "") -> str:
    """The page that shows a comparison.

    Args:
        comparison: what is shown.
        command: that makes it again.
    """
    puzzle, bound = comparison.puzzle, comparison.bound
    return rendered(
        "puzzle.html.jinja",
        puzzle=puzzle,
        comparison=comparison,
        command=command,
        bound="" if bound is None else number(puzzle.measured(bound)),
        lines=[*_lines(comparison)],
        climb=_climb(comparison),
        keys=[(colour, row.solver) for colour, row in _coloured(comparison)],
        calls=_calls(comparison),
        distances=_distances(comparison),
        best=_best(comparison),
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


def number(value: float) -> str:
    """A measure, as 12,345 or 0.4501."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.5g}"


def counts_in_words(row: Row) -> str:
    """What a solver counted besides its calls, as 17 nodes."""
    return ", ".join(f"{number(count)} {what.removesuffix('s') if count == 1 else what}" for what, count in row.counts.items())


def _lines(comparison: Comparison) -> Iterator[Line]:
    puzzle = comparison.puzzle
    for colour, row in _coloured(comparison):
        distance = comparison.distance(row.worth)
        answers = [found.worth for found in row.found if found.worth >= puzzle.least]
        yield Line(
            row.solver,
            colour,
            number(puzzle.measured(max(answers))) if answers else "none",
            number(puzzle.measured(row.worth)) if row.worth >= puzzle.least else "none",
            "" if distance is None else words.percent(distance),
            number(row.calls),
            "" if row.reached is None else number(row.reached),
            words.duration(row.seconds),
            counts_in_words(row),
            "proven" if row.proven else "",
        )


def _climb(comparison: Comparison) -> Markup:
    """The best answer so far over the calls, a line for each solver and seed, and the bound."""
    values = [*_points(comparison)]
    if not values:
        return Markup()
    bound = comparison.bound
    scale = {
        "domain": [row.solver for row in comparison.rows],
        "range": [f"var(--{colour})" for colour, _ in _coloured(comparison)],
    }
    colour = {"field": "solver", "type": "nominal", "scale": scale, "legend": None}
    calls = {"field": "calls", **axis("calls", type="log", nice=False), "axis": {"tickCount": 4, "format": "~s"}}
    worth = {"field": "worth", **axis(comparison.puzzle.measure)}
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 1.5, "opacity": 0.6},
            "encoding": {"x": calls, "y": worth, "color": colour, "detail": {"field": "trial"}},
        },
        {
            "transform": [{"filter": "datum.last"}],
            "mark": {"type": "circle", "size": 45, "opacity": 1},
            "encoding": {"x": calls, "y": worth, "color": colour, "description": SAYS},
        },
    ]
    if bound is not None:
        says = f"nothing is better than {number(comparison.puzzle.measured(bound))}"
        rule = {"type": "rule", "color": "var(--soft)", "strokeDash": [4, 3]}
        limit = {"values": [{"worth": comparison.puzzle.measured(bound), "says": says}]}
        layers.append({"data": limit, "mark": rule, "encoding": {"y": worth, "description": SAYS}})
    return drawn("climb", {"height": SQUARE, "data": {"values": values}, "layer": layers})


def _points(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """Every better answer, and the last again where the search ended."""
    puzzle = comparison.puzzle
    for row in comparison.rows:
        for seed, found in enumerate(row.found, comparison.seed):
            trial = f"{row.solver}, seed {seed}"
            for calls, _, worth in (step for step in found.steps if step.worth >= puzzle.least):
                yield {"solver": row.solver, "trial": trial, "calls": calls, "worth": puzzle.measured(worth), "last": False}
            if found.worth >= puzzle.least:
                value = puzzle.measured(found.worth)
                says = f"{trial}: {puzzle.measure} {number(value)} after {words.several(found.calls, 'call')}"
                end = {"calls": max(1, found.calls), "worth": value, "last": True, "says": says}
                yield {"solver": row.solver, "trial": trial, **end}


def _coloured(comparison: Comparison) -> Iterator[tuple[str, Row]]:
    """Each solver with its colour."""
    return zip(cycle(COLOURS), comparison.rows, strict=False)


def _calls(comparison: Comparison) -> Markup:
    """How many calls each solver took, the median, and from the fewest to the most."""
    values: Values = []
    for row in comparison.rows:
        low, high = (max(1, pick(found.calls for found in row.found)) for pick in (min, max))
        says = f"{row.solver}: {number(row.calls)} calls ({low:,} to {high:,})"
        values.append({"policy": row.solver, "calls": max(1, row.calls), "low": low, "high": high, "says": says})
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
            says = f"{row.solver}: {words.percent(middle)} from the best ({bounds})"
            values.append({"policy": row.solver, "distance": middle, "low": min(far), "high": max(far), "says": says})
    part = {**axis("of the best", zero=True), "axis": {"format": "%", "tickCount": 5}}
    return dots("distances", [value["policy"] for value in values], values, "distance", part) if values else Markup()


def _best(comparison: Comparison) -> str:
    """The best answer of all in words, and who found it."""
    found, solver = max(((found, row.solver) for row in comparison.rows for found in row.found), key=lambda pair: pair[0].worth)
    return "" if found.answer is None else f"{comparison.puzzle.told(found.answer)} (by {solver})"
