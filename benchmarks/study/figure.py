"""The figure of the page: Elo with its 95 % interval over the value that a policy loses a game to perfect play.

`python -m benchmarks.study` draws it when all cells are there.
"""

from __future__ import annotations

from typing import Any

from ludus.core.files.writing import make_folder, write_whole

from .. import ROOT
from ..drawing import HEIGHT, as_svg
from ..runner import Rows
from .findings.ratings import DRAWN, RatedPoint, RatingsFinding
from .policies import title
from .report import STUDY, read_answer

FILE = ROOT / "docs" / "images" / "study" / "elo.svg"
WIDTH = 330
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


def panels(rows: Rows) -> list[dict[str, Any]]:
    """A plot for each game."""
    answers = read_answer(rows, "ratings")
    return [plot(title(game), answers[game]) for game in DRAWN]


def plot(name: str, ratings: RatingsFinding) -> dict[str, Any]:
    """The plot of a game: a point and a bar for each trained policy, and a line at perfect play."""
    points = [
        {
            "x": round(point.lost or 0.0, 3),
            "elo": round(point.elo.elo),
            "low": round(point.elo.low),
            "high": round(point.elo.high),
            "who": who_of(point),
        }
        for point in ratings.points
    ]
    colours = {"domain": [*COLOURS], "range": [*COLOURS.values()]}
    x = {
        "field": "x",
        "type": "quantitative",
        "title": "value lost a game to perfect play",
        "scale": {"type": "symlog", "constant": 0.02},
        "axis": {"values": [0, 0.01, 0.03, 0.1, 0.3, 1], "format": "~g"},
    }
    y = {"type": "quantitative", "title": "Elo above random play", "axis": {"titlePadding": 12}}
    colour = {"field": "who", "type": "nominal", "scale": colours, "legend": {"symbolOpacity": 1}}
    perfect = {"data": {"values": [{"y": round(ratings.perfect.elo)}]}, "encoding": {"y": {"field": "y", **y}}}
    return {
        "title": name,
        "width": WIDTH,
        "height": HEIGHT,
        "data": {"values": points},
        "layer": [
            {
                "mark": {"type": "rule", "opacity": 0.35, "size": 1, "aria": False},
                "encoding": {"x": x, "y": {"field": "low", **y}, "y2": {"field": "high"}, "color": colour},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 14, "opacity": 0.8, "aria": False},
                "encoding": {"x": x, "y": {"field": "elo", **y}, "color": colour},
            },
            {**perfect, "mark": {"type": "rule", "strokeDash": [4, 4], "color": "var(--faint)", "aria": False}},
        ],
    }


def who_of(point: RatedPoint) -> str:
    """Whose point it is."""
    return f"{point.trainer} with search" if point.searches else point.trainer
