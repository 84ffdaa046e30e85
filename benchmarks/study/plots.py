"""The study's plots: a drawing for each game, light or dark as the reader's page.

python -m benchmarks.study.plots
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from ludus.core.files.writing import make_folder, write_whole

from .. import ROOT
from ..drawing import HEIGHT, WIDTH, as_svg, short
from .grid import GRIDS
from .measures import policies
from .rows import CLASSIC, MEASURES, Row, errors_by, groups, truth_of
from .tables import FREQUENCIES

FOLDER = ROOT / "docs" / "images" / "study"
COLOURS = {
    CLASSIC: "var(--ink)",
    "qlearning": "#4c78a8",
    "montecarlo": "#72b7b2",
    "td_ntuple": "#54a24b",
    "neat": "#eeca3b",
    "maskable_ppo": "#e45756",
    "ppo": "#ff9da6",
    "dqn": "#9d755d",
    "alphazero, network alone": "#b279a2",
    "alphazero with search": "#f58518",
}
FEW = 20
"""Positions of a group of which no share is drawn."""


def draw() -> None:
    """Draws the plots of all games that have results."""
    make_folder(FOLDER)
    for name in GRIDS:
        if rows := policies(name):
            write_whole(FOLDER / f"{name}.svg", drawing(rows).encode())


def drawing(rows: Sequence[Row]) -> str:
    """Error over Elo, error over the time of training, and errors by how often a position came up in self-play, as SVG."""
    truth = truth_of(rows)
    return as_svg([panel for panel in (rating(rows, truth), training(rows, truth), frequency(rows)) if panel])


def rating(rows: Sequence[Row], truth: str) -> dict[str, Any] | None:
    """Error over Elo, or, before there is a tournament, over wins against random play."""
    over = "elo" if any("elo" in row.values for row in rows) else "win_rate_vs_random"
    known = [(row, row.values[over], row.values[truth]) for row in rows if over in row.values]
    return panel(means(known), MEASURES[over], MEASURES[truth], {"type": "point", "filled": True})


def training(rows: Sequence[Row], truth: str) -> dict[str, Any] | None:
    """Error over the processor seconds of training."""
    known = [(row, row.seconds, row.values[truth]) for row in rows if row.seconds]
    log = {"type": "log", "nice": False}
    return panel(means(known), "processor seconds of training", MEASURES[truth], {"type": "point", "filled": True}, log)


def means(known: Sequence[tuple[Row, float, float]]) -> list[dict[str, Any]]:
    """A point for each kind of policy, size and budget: the mean over seeds of two numbers of each row."""
    same = dict[tuple[str, str, int], list[tuple[Row, float, float]]]()
    for one in known:
        same.setdefault((one[0].kind, one[0].size, one[0].budget), []).append(one)
    return [
        {"group": some[0][0].group, "x": fmean(x for _, x, _ in some), "y": fmean(y for _, _, y in some)} for some in same.values()
    ]


def frequency(rows: Sequence[Row]) -> dict[str, Any] | None:
    """For each group, in how many of its positions it errs, by how often they came up in self-play."""
    points = [
        {"group": group, "x": FREQUENCIES[least], "y": errors / count}
        for group, some in groups(rows).items()
        for least, count, errors in errors_by(some, "by_frequency")
        if count >= FEW
    ]
    found = panel(points, "came up in self-play", "positions with an error", {"type": "line", "point": True})
    if found:
        found["encoding"]["x"] |= {"type": "ordinal", "sort": [*FREQUENCIES.values()], "axis": {"labelAngle": 0}}
    return found


def panel(
    points: list[dict[str, Any]], x: str, y: str, mark: dict[str, Any], scale: dict[str, Any] | None = None
) -> dict[str, Any] | None:
    """A plot of points in the colours of their groups; None without points."""
    if not points:
        return None
    shown = [group for group in COLOURS if any(point["group"] == group for point in points)]
    colours = {"domain": shown, "range": [COLOURS[group] for group in shown]}
    axis = {"field": "x", "type": "quantitative", "title": x, "scale": scale or {"zero": False}}
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "data": {"values": [{**point, "x": short(point["x"]), "y": short(point["y"])} for point in points]},
        "mark": mark | {"aria": False} | ({"opacity": 0.75, "size": 26} if mark["type"] == "point" else {}),
        "encoding": {
            "x": axis,
            "y": {"field": "y", "type": "quantitative", "title": y},
            "color": {"field": "group", "type": "nominal", "scale": colours},
        },
    }


if __name__ == "__main__":
    draw()
