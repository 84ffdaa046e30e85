"""Plots side by side as one SVG, light or dark as the reader's page; and the parts of a plot, in Vega-Lite's words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import vl_convert

Part = dict[str, Any]
STYLE = (
    "<style>:root{--ink:#1f2328;--faint:#59636e;--line:#d1d9e0;--paper:#fff}"
    "@media(prefers-color-scheme:dark){:root{--ink:#f0f6fc;--faint:#9198a1;--line:#3d444d;--paper:#0d1117}}</style>"
)
FAINT = {"labelColor": "var(--faint)", "titleColor": "var(--faint)", "titleFontWeight": "normal"}
CONFIG = {
    "axis": {**FAINT, "domain": False, "ticks": False, "gridColor": "var(--line)"},
    "legend": {**FAINT, "labelColor": "var(--ink)", "title": None, "orient": "bottom", "columns": 5},
    "title": {"color": "var(--ink)", "fontWeight": "normal", "fontSize": 12},
    "view": {"stroke": None},
    "font": "system-ui, sans-serif",
}
LONG = re.compile(r"(>[^<]*)|(\d+\.\d{2,})")
"""A text, or a number of more digits than pixels need."""
CIRCLE = re.compile(r'<path transform="translate\(([\d.]+),([\d.]+)\)" d="M([\d.]+),0A[^"]*"')
"""A circle that is drawn as a path, which takes twice the room."""
UNSEEN = re.compile(r'(<circle [^>]*) stroke-width="2"(?= opacity)|(<line [^>]*) stroke-width="1"')
"""The width of a circle's line, which is not drawn, or a line's width of 1, which is the default."""


def as_svg(panels: Sequence[Part]) -> str:
    """Plots side by side, as SVG, light or dark as the reader's page."""
    spec = {"hconcat": panels, "config": CONFIG, "background": "var(--paper)", "padding": 8}
    svg = LONG.sub(lambda part: part[1] or f"{float(part[2]):.1f}", vl_convert.vegalite_to_svg(spec))
    svg = CIRCLE.sub(r'<circle cx="\1" cy="\2" r="\3"', svg)
    svg = UNSEEN.sub(r"\1\2", svg)
    start = svg.index(">", svg.index("<svg")) + 1
    return svg[:start] + STYLE + svg[start:]


def panel(points: Sequence[Part], *layers: Part, width: int = 250, height: int = 220, **title: str) -> Part:
    """A plot of points: with one layer, or several."""
    drawn = layers[0] if len(layers) == 1 else {"layer": [*layers]}
    return {**title, "width": width, "height": height, "data": {"values": points}, **drawn}


def layer(mark: str, encoding: Mapping[str, Part], **look: Any) -> Part:
    """Marks of one look, and what their places and colours say."""
    return {"mark": {"type": mark, **look, "aria": False}, "encoding": encoding}


def level(y: float, **axis: Any) -> Part:
    """A broken line at a height."""
    line = layer("rule", {"y": {"field": "y", "type": "quantitative", **axis}}, strokeDash=[4, 4], color="var(--faint)")
    return {"data": {"values": [{"y": y}]}, **line}


def axis(field: str, title: str, scale: Part | None = None, **labels: Any) -> Part:
    """An axis with the numbers of a field."""
    given = {"scale": scale, "axis": labels}
    return {"field": field, "type": "quantitative", "title": title, **{name: part for name, part in given.items() if part}}


def colour(colours: Mapping[str, str], field: str = "group", **legend: Any) -> Part:
    """The colour of each value of a field."""
    scale = {"domain": [*colours], "range": [*colours.values()]}
    return {"field": field, "type": "nominal", "scale": scale, **({"legend": legend} if legend else {})}
