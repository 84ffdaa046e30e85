"""The plot of a run: its results against the ladder, and the metrics of its parts."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

MAX_METRICS = 8
"""How many metrics are drawn."""
MAX_POINTS = 1000
"""How many points a curve has at most."""


def plot(title: str, unit: str, rows: Sequence[Mapping[str, float]], evaluations: Sequence[Mapping[str, Any]]) -> bytes | None:
    """The plot of a run as PNG; None where matplotlib is not installed, or nothing was recorded.

    Args:
        title: what stands above it.
        unit: what progress counts, the column that the metrics are drawn over.
        rows: the metrics, one row a part.
        evaluations: the measurements, as evaluations.json has them.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    names = [name for name in rows[0] if name not in ("part", "seconds", unit)][:MAX_METRICS] if rows else []
    count = len(names) + bool(evaluations)
    if not count:
        return None
    columns = min(3, count)
    figure = Figure(figsize=(4.2 * columns, 2.9 * -(-count // columns)), dpi=80, layout="constrained")
    figure.suptitle(title, fontsize=10)
    axes = [figure.add_subplot(-(-count // columns), columns, place + 1) for place in range(count)]
    if evaluations:
        _draw_ladder(axes.pop(0), evaluations)
    drawn = rows[:: -(-len(rows) // MAX_POINTS)] if rows else []
    for axis, name in zip(axes, names, strict=True):
        axis.plot([row[unit] for row in drawn], [row[name] for row in drawn], linewidth=1)
        axis.set_title(name, fontsize=9)
    for axis in figure.axes:
        axis.set_xlabel(unit, fontsize=8)
        axis.tick_params(labelsize=7)
        axis.grid(alpha=0.3)
    return png(figure)


def _draw_ladder(axis: Any, evaluations: Sequence[Mapping[str, Any]]) -> None:
    """Points against each policy of the ladder: a win counts 1, a draw a half."""
    done = [one["done"] for one in evaluations]
    for place, score in enumerate(evaluations[0]["scores"]):
        found = [one["scores"][place] for one in evaluations]
        axis.plot(done, [(one["wins"] + one["draws"] / 2) / one["games"] for one in found], marker=".", label=score["b"])
    axis.set_title("points a game against", fontsize=9)
    axis.set_ylim(-0.03, 1.03)
    axis.legend(fontsize=7)


def png(figure: Any) -> bytes:
    """A figure of matplotlib as PNG, without the time at which it was made."""
    content = io.BytesIO()
    figure.savefig(content, format="png", metadata={"Software": None})
    return content.getvalue()
