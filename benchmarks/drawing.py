"""Plots side by side as one SVG, light or dark as the reader's page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import vl_convert

WIDTH, HEIGHT = 250, 220
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


def as_svg(panels: Sequence[dict[str, Any]]) -> str:
    """Plots side by side, as SVG, light or dark as the reader's page."""
    spec = {"hconcat": panels, "config": CONFIG, "background": "var(--paper)", "padding": 8}
    svg = LONG.sub(lambda part: part[1] or f"{float(part[2]):.1f}", vl_convert.vegalite_to_svg(spec))
    svg = CIRCLE.sub(r'<circle cx="\1" cy="\2" r="\3"', svg)
    svg = UNSEEN.sub(r"\1\2", svg)
    start = svg.index(">", svg.index("<svg")) + 1
    return svg[:start] + STYLE + svg[start:]


def short(value: Any) -> Any:
    """A number with three digits."""
    return float(f"{value:.3g}") if isinstance(value, float) else value
