"""Draws plots, which are described in Vega-Lite and converted to SVG here, so that a page needs no library.

Colours are names of the page's style sheet (`var(--win)`), so that one drawing serves light and dark. Each mark has a
description (its field `meaning`), for the pointer and for screen readers. All plots have the same width, which fits a
telephone and a third of a desktop screen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ...core.plugins.loading import libraries
from ..pages.single import Markup

with libraries("a plot", "report"):
    import vl_convert

Spec = dict[str, Any]
Values = list[dict[str, Any]]

WIDTH, ROW, SQUARE, AXIS = 352, 22, 250, 40
"""In pixels: a plot's width, the height of a policy's row, of a plot without such rows, and of the axis below."""
MEANING = {"field": "meaning", "type": "nominal"}
DOT = {"type": "circle", "color": "var(--accent)", "size": 70, "opacity": 1}
QUIET = {"domain": False, "ticks": False, "labelColor": "var(--faint)", "titleColor": "var(--faint)", "gridColor": "var(--line)"}
TEXT = {"labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal", "labelLimit": 116, "labelPadding": 6}
CONFIG = {"axis": {**QUIET, **TEXT, "titlePadding": 8}, "view": {"stroke": None}, "font": "system-ui, sans-serif"}


def draw_plot(name: str, spec: Spec) -> Markup:
    """Draws a plot by a name that is unique on the page, from its specification in Vega-Lite without the settings that all plots
    share."""
    fit = {"width": WIDTH, "autosize": {"type": "fit", "contains": "padding"}, "padding": 2, "background": None}
    return Markup(_embed(vl_convert.vegalite_to_svg({**spec, **fit, "config": CONFIG}), name))


def dots(name: str, policies: Sequence[str], values: Values, field: str, axis: Spec) -> Markup:
    """For each policy a dot at a number, and a line between its bounds, the fields `low` and `high`."""
    line = {"type": "rule", "color": "var(--accent)", "strokeWidth": 2, "opacity": 0.45, "strokeCap": "round"}
    return draw_plot(
        name,
        {
            "height": ROW * len(policies) + AXIS,
            "data": {"values": values},
            "encoding": {"y": rows(policies), "description": MEANING},
            "layer": [
                {"mark": line, "encoding": {"x": {"field": "low", **axis}, "x2": {"field": "high"}}},
                {"mark": DOT, "encoding": {"x": {"field": field, **axis}}},
            ],
        },
    )


def rows(policies: Sequence[str], room: float = 0) -> Spec:
    """An axis with a row for each policy; `room` is the share of a row that is left empty between two."""
    label = f"{json.dumps(names_in_plots(policies))}[indexof({json.dumps(policies)}, datum.value)]"
    scale = {"domain": policies, "paddingInner": room}
    return {"field": "policy", "type": "nominal", "title": None, "scale": scale, "axis": {"labelExpr": label}}


def axis(title: str, **scale: Any) -> Spec:
    """A field that is a number."""
    return {"type": "quantitative", "title": title, "scale": {"zero": False, **scale}, "axis": {"tickCount": 5, "grid": True}}


def colours(names: dict[str, str]) -> Spec:
    """The colours of the values of the field `outcome`."""
    scale = {"domain": [*names], "range": [*names.values()]}
    return {"field": "outcome", "type": "nominal", "scale": scale, "legend": None}


def _embed(svg: str, name: str) -> str:
    """A drawing as a part of a page: with ids that are unique there, and as wide as its container."""
    head, rest = svg[: svg.index(">")], svg[svg.index(">") :]
    head = re.sub(r' (xmlns(:xlink)?|version|class|width|height)="[^"]*"', "", head)
    rest = re.sub(r'(\bid="|url\(#)', rf"\1{name}-", rest)
    return head.replace("<svg", '<svg class="plot"', 1) + rest


CHARACTER, LINE, GAP = 6.2, 11.0, 8.0
"""In pixels: the width of a character, the height of a line, and the distance from a point to its name."""
LONGEST = 21
"""Names are cut to this many characters."""


def names_in_plots(names: Sequence[str]) -> list[str]:
    """Names as written in a plot: if some are too long and must be cut, all have their ranks before them."""
    long = max(map(len, names), default=0) > LONGEST
    return [f"{rank} {name}" if long else name for rank, name in enumerate(names, 1)]


def align_names(points: Sequence[tuple[float, float]], names: Sequence[str], width: float) -> Iterator[str]:
    """How each name is aligned to its point: `left`, to stand right of it, or `right`; empty where it would cover something.

    Vega has a transform for this (`label`), which needs a canvas to measure text, and vl-convert has none.

    Args:
        points: the points in pixels, y downwards.
        names: their names; earlier ones choose first.
        width: that of the plot.
    """
    taken = [(x - GAP, x + GAP, y) for x, y in points]
    for (x, y), name in zip(points, names, strict=True):
        length = CHARACTER * min(len(name), LONGEST)
        for align, left in (("left", x + GAP), ("right", x - GAP - length)):
            right = left + length
            is_free = all(abs(y - other) >= LINE or right <= start or end <= left for start, end, other in taken)
            if is_free and left >= 0 and right <= width + LINE:
                taken.append((left, right, y))
                yield align
                break
        else:
            yield ""
