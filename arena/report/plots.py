"""How plots are drawn: described in Vega-Lite, turned into SVG here, so that a page carries no library.

Colours are names of the page's style sheet (`var(--win)`), so that one drawing serves light and dark. Each mark says what it
shows (its field `meaning`), for the pointer and for who cannot see it. All plots have one width: a telephone's, and a third of
a desk's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import vl_convert
from markupsafe import Markup

from .labels import ranked

Spec = dict[str, Any]
Values = list[dict[str, Any]]

WIDTH, ROW, SQUARE, AXIS = 352, 22, 250, 40
"""In pixels: a plot's width, the height of a policy's row, of a plot without such rows, and of the axis below."""
MEANING = {"field": "meaning", "type": "nominal"}
QUIET = {"domain": False, "ticks": False, "labelColor": "var(--faint)", "titleColor": "var(--faint)", "gridColor": "var(--line)"}
TEXT = {"labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal", "labelLimit": 116, "labelPadding": 6}
CONFIG = {"axis": {**QUIET, **TEXT, "titlePadding": 8}, "view": {"stroke": None}, "font": "system-ui, sans-serif"}


def drawn(name: str, spec: Spec) -> Markup:
    """The drawing of a plot.

    Args:
        name: a name that it has alone on the page.
        spec: in Vega-Lite, without what all plots have in common.
    """
    fit = {"width": WIDTH, "autosize": {"type": "fit", "contains": "padding"}, "padding": 2, "background": None}
    return Markup(_embedded(vl_convert.vegalite_to_svg({**spec, **fit, "config": CONFIG}), name))


def dots(name: str, policies: Sequence[str], values: Values, field: str, axis: Spec) -> Markup:
    """For each policy a dot at a number, and a line between its bounds, the fields `low` and `high`."""
    line = {"type": "rule", "color": "var(--accent)", "strokeWidth": 2, "opacity": 0.45, "strokeCap": "round"}
    dot = {"type": "circle", "color": "var(--accent)", "size": 70, "opacity": 1}
    return drawn(
        name,
        {
            "height": ROW * len(policies) + AXIS,
            "data": {"values": values},
            "encoding": {"y": rows(policies), "description": MEANING},
            "layer": [
                {"mark": line, "encoding": {"x": {"field": "low", **axis}, "x2": {"field": "high"}}},
                {"mark": dot, "encoding": {"x": {"field": field, **axis}}},
            ],
        },
    )


def rows(policies: Sequence[str], room: float = 0) -> Spec:
    """A row for each policy, with so much room between two."""
    label = f"{json.dumps(ranked(policies))}[indexof({json.dumps(policies)}, datum.value)]"
    scale = {"domain": policies, "paddingInner": room}
    return {"field": "policy", "type": "nominal", "title": None, "scale": scale, "axis": {"labelExpr": label}}


def axis(title: str, *, grid: bool = True, **scale: Any) -> Spec:
    """A field that is a number."""
    return {"type": "quantitative", "title": title, "scale": {"zero": False, **scale}, "axis": {"tickCount": 5, "grid": grid}}


def colours(names: dict[str, str]) -> Spec:
    """The colours of the values of the field `outcome`."""
    scale = {"domain": [*names], "range": [*names.values()]}
    return {"field": "outcome", "type": "nominal", "scale": scale, "legend": None}


def _embedded(svg: str, name: str) -> str:
    """A drawing as a part of a page: with names of its own, and as wide as its place."""
    head, rest = svg[: svg.index(">")], svg[svg.index(">") :]
    head = re.sub(r' (xmlns(:xlink)?|version|class|width|height)="[^"]*"', "", head)
    rest = re.sub(r'(\bid="|url\(#)', rf"\1{name}-", rest)
    return head.replace("<svg", '<svg class="plot"', 1) + rest
