"""The plot of a run: how it fared against the ladder, and what its parts told."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .run import Run

MOST = 8
"""How many of the metrics are drawn."""
MOST_POINTS = 1000


def plot(run: Run) -> bytes | None:
    """The plot of a run as PNG; None where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    names = [name for name in run.rows[0] if name not in ("part", "seconds", run.trainer.unit)][:MOST] if run.rows else []
    count = len(names) + bool(run.evaluations)
    if not count:
        return None
    columns = min(3, count)
    figure = Figure(figsize=(4.2 * columns, 2.9 * -(-count // columns)), dpi=80, layout="constrained")
    figure.suptitle(f"{run.plan.trainer}, {run.plan.game}, seed {run.plan.seed}", fontsize=10)
    axes = [figure.add_subplot(-(-count // columns), columns, place + 1) for place in range(count)]
    if run.evaluations:
        _draw_ladder(axes.pop(0), run)
    rows = run.rows[:: -(-len(run.rows) // MOST_POINTS)] if run.rows else []
    for axis, name in zip(axes, names, strict=True):
        axis.plot([row[run.trainer.unit] for row in rows], [row[name] for row in rows], linewidth=1)
        axis.set_title(name, fontsize=9)
    for axis in figure.axes:
        axis.set_xlabel(run.trainer.unit, fontsize=8)
        axis.tick_params(labelsize=7)
        axis.grid(alpha=0.3)
    return png(figure)


def _draw_ladder(axis: Any, run: Run) -> None:
    """Points against each policy of the ladder: a win counts 1, a draw a half."""
    done = [one["done"] for one in run.evaluations]
    for place, score in enumerate(run.evaluations[0]["scores"]):
        found = [one["scores"][place] for one in run.evaluations]
        axis.plot(done, [(one["wins"] + one["draws"] / 2) / one["games"] for one in found], marker=".", label=score["b"])
    axis.set_title("points a game against", fontsize=9)
    axis.set_ylim(-0.03, 1.03)
    axis.legend(fontsize=7)


def png(figure: Any) -> bytes:
    """A figure of matplotlib as PNG, with nothing in it that tells when it was made."""
    content = io.BytesIO()
    figure.savefig(content, format="png", metadata={"Software": None})
    return content.getvalue()
