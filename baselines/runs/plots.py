"""Plots as PNG, where matplotlib is installed: of a run, of the outcomes of games, and of evolved populations."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...arena.ratings.score import Score

MAX_METRICS = 8
"""How many metrics are drawn."""
MAX_POINTS = 1000
"""How many points a curve has at most."""
COLOURS = ("#3b7a57", "#c9b458", "#b0413e")
RESULTS = ("won", "drawn", "lost")


def plot_run(title: str, unit: str, rows: Sequence[Mapping[str, float]], evaluations: Sequence[Mapping[str, Any]]) -> bytes | None:
    """Draws the results of a run against its ladder, and the metrics of its parts.

    Args:
        title: what stands above it.
        unit: what progress counts, the column that the metrics are drawn over.
        rows: the metrics, one row a part.
        evaluations: the measurements, as evaluations.json has them.

    Returns:
        The plot as PNG; None where matplotlib is not installed, or nothing was recorded.
    """
    names = [name for name in rows[0] if name not in ("part", "seconds", unit)][:MAX_METRICS] if rows else []
    count = len(names) + bool(evaluations)
    columns = min(3, count)
    if not count or (figure := new_figure(4.2 * columns, 2.9 * -(-count // columns))) is None:
        return None
    figure.suptitle(title, fontsize=10)
    axes = [figure.add_subplot(-(-count // columns), columns, number) for number in range(1, count + 1)]
    if evaluations:
        _draw_ladder(axes.pop(0), evaluations, unit)
    sample = rows[:: -(-len(rows) // MAX_POINTS)] if rows else []
    for axis, name in zip(axes, names, strict=True):
        axis.plot([row[unit] for row in sample], [row[name] for row in sample], linewidth=1)
        _label(axis, name, unit)
    return png(figure)


def _draw_ladder(axis: Any, evaluations: Sequence[Mapping[str, Any]], unit: str) -> None:
    """Points against each policy of the ladder: a win counts 1, a draw a half."""
    done = [evaluation["done"] for evaluation in evaluations]
    for rung, first in enumerate(evaluations[0]["scores"]):
        scores = [evaluation["scores"][rung] for evaluation in evaluations]
        points = [(score["wins"] + score["draws"] / 2) / score["games"] for score in scores]
        axis.plot(done, points, marker=".", label=first["b"])
    _label(axis, "points a game against", unit)
    axis.set_ylim(-0.03, 1.03)
    axis.legend(fontsize=7)


def plot_outcomes(scores: Sequence[Score]) -> bytes | None:
    """Draws how games ended, in total, by who began, and by the ply of their end, a row for each score, as PNG.

    Returns:
        The plot; None where matplotlib is not installed.
    """
    if (figure := new_figure(10, 2.6 * len(scores), dpi=90)) is None:
        return None
    for row, axes in enumerate(figure.subplots(len(scores), 3, squeeze=False, width_ratios=(2, 3, 5))):
        _draw_score(axes, scores[row])
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside upper right", ncols=3, fontsize=8)
    return png(figure)


def _draw_score(axes: Any, score: Score) -> None:
    """Draws the three plots of a score."""
    total, seats, plies = axes
    a, b = score.pairing.a, score.pairing.b
    by_seat = score.by_seat
    _stack(total, ["all"], by_seat.sum(axis=0, keepdims=True))
    _stack(seats, [f"{a} first", f"{b} first"], by_seat)
    ends = np.flatnonzero(score.plies.sum(axis=(0, 1)))
    plies_drawn = np.arange(ends[0], ends[-1] + 1)
    counts = score.plies.sum(axis=0)[:, plies_drawn]
    below = np.zeros(len(plies_drawn))
    for result, colour, name in zip(counts, COLOURS, RESULTS, strict=True):
        plies.bar(plies_drawn, result, bottom=below, color=colour, label=name, width=0.85)
        below += result
    total.set_title(f"{a} against {b}", fontsize=9, loc="left")
    total.set_ylabel("share of the games", fontsize=8)
    plies.set_title("by the ply of the end", fontsize=9, loc="left")
    plies.set_ylabel("games", fontsize=8)
    plies.set_xlim(plies_drawn[0] - 1, plies_drawn[-1] + 1)
    plies.xaxis.get_major_locator().set_params(integer=True)
    for axis in axes:
        axis.tick_params(labelsize=8)


def _stack(axis: Any, names: list[str], counts: NDArray[np.int64]) -> None:
    """Draws bars of shares that add up to 1, with the share written on each that is high enough for it."""
    shares = counts / np.maximum(1, counts.sum(axis=1, keepdims=True))
    below = np.zeros(len(names))
    for share, colour, name in zip(shares.T, COLOURS, RESULTS, strict=True):
        bars = axis.bar(names, share, bottom=below, color=colour, label=name, width=0.7)
        axis.bar_label(bars, [f"{100 * part:.1f} %" if part > 0.05 else "" for part in share], label_type="center", fontsize=7)
        below += share
    axis.set_ylim(0, 1)


def plot_populations(histories: Mapping[str, NDArray[np.float64]], title: str) -> bytes | None:
    """Draws the fitness and the diversity of populations by generation, and the mean fitness over the diversity.

    Args:
        histories: by label, the best fitness, the mean fitness and the diversity of each generation (G, 3).
        title: what stands above.

    Returns:
        The plot as PNG; None where matplotlib is not installed.
    """
    if (figure := new_figure(12, 3.4)) is None:
        return None
    figure.suptitle(title, fontsize=10)
    wins, diversity, both = figure.subplots(1, 3)
    for number, (name, history) in enumerate(histories.items()):
        generations, (best, mean, apart) = np.arange(1, len(history) + 1), history.T
        wins.plot(generations, best, color=f"C{number}", linewidth=1, label=f"{name}, best")
        wins.plot(generations, mean, color=f"C{number}", linewidth=1, linestyle=":", label=f"{name}, mean")
        diversity.plot(generations, apart, color=f"C{number}", linewidth=1, label=name)
        both.plot(apart, mean, color=f"C{number}", linewidth=0.6, marker=".", markersize=3, label=name)
    titles = ("fitness", "generation"), ("diversity of the genomes", "generation"), ("mean fitness over diversity", "diversity")
    for axis, (about, along) in zip((wins, diversity, both), titles, strict=True):
        _label(axis, about, along)
        axis.legend(fontsize=7)
    return png(figure)


def _label(axis: Any, title: str, along: str) -> None:
    axis.set_title(title, fontsize=9)
    axis.set_xlabel(along, fontsize=8)
    axis.tick_params(labelsize=7)
    axis.grid(alpha=0.3)


def new_figure(width: float, height: float, dpi: int = 80) -> Any:
    """A figure of matplotlib of this size in inches; None where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    return Figure(figsize=(width, height), dpi=dpi, layout="constrained")


def png(figure: Any) -> bytes:
    """A figure of matplotlib as PNG, without the time at which it was made, so that the same figure gives the same bytes."""
    content = io.BytesIO()
    figure.savefig(content, format="png", metadata={"Software": None})
    return content.getvalue()
