"""The figure of the page: Elo with its 95 % interval over the value that a policy loses a game to perfect play.

`python -m benchmarks.study` draws it when all cells are there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.core.files.writing import make_folder, write_whole

from .. import ROOT
from ..drawing import Part, as_svg, axis, colour, layer, level, panel
from ..runner import Rows
from .policies import title
from .report import STUDY
from .standing import DRAWN

FILE = ROOT / "docs" / "images" / "study" / "elo.svg"
COLOURS = {
    "qlearning": "#4c78a8",
    "montecarlo": "#72b7b2",
    "td_ntuple": "#54a24b",
    "neat": "#eeca3b",
    "maskable_ppo": "#e45756",
    "ppo": "#ff9da6",
    "dqn": "#9d755d",
    "alphazero": "#b279a2",
    "alphazero with search": "#f58518",
}


def draw() -> None:
    """Draws the figure of the findings that the repository keeps."""
    make_folder(FILE.parent)
    write_whole(FILE, as_svg(panels(STUDY.rows())).encode())


def panels(rows: Rows) -> list[Part]:
    """A plot for each game."""
    return [plot(title(game), rows[f"ratings {game}"]) for game in DRAWN]


def plot(name: str, ratings: Mapping[str, Any]) -> Part:
    """The plot of a game: a point and a bar for each trained policy, and a line at perfect play."""
    points = list[Part]()
    for trainer, (elo, _, low, high), lost, searches in ratings["points"]:
        who, heights = f"{trainer} with search" if searches else trainer, {"elo": elo, "low": low, "high": high}
        points.append({"x": round(lost or 0.0, 3), **{what: round(height) for what, height in heights.items()}, "who": who})
    x = axis(
        "x",
        "value lost a game to perfect play",
        {"type": "symlog", "constant": 0.02},
        values=[0, 0.01, 0.03, 0.1, 0.3, 1],
        format="~g",
    )
    y = {"title": "Elo above random play", "axis": {"titlePadding": 12}}
    color = colour(COLOURS, "who", symbolOpacity=1)
    low, elo = ({"field": field, "type": "quantitative", **y} for field in ("low", "elo"))
    bars = layer("rule", {"x": x, "y": low, "y2": {"field": "high"}, "color": color}, opacity=0.35, size=1)
    dots = layer("point", {"x": x, "y": elo, "color": color}, filled=True, size=14, opacity=0.8)
    return panel(points, bars, dots, level(round(ratings["perfect"][0]), **y), width=330, title=name)
