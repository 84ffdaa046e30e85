"""Plots as PNG, where matplotlib is installed: of a run, of the outcomes of games, and of evolved populations."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...arena.ratings.score import Score
from .measure import beats_random

MAX_METRICS = 8
"""The most metrics that are drawn."""
MAX_POINTS = 1000
"""The most points of a curve."""
COLOURS = ("#3b7a57", "#c9b458", "#b0413e")
"""Of games won, drawn and lost."""
RESULTS = ("won", "drawn", "lost")
COLLAPSED = COLOURS[2]
FEW_POINTS = 40
"""Curves of fewer points have marks."""
UNITS = {
    **dict.fromkeys(("first wins", "draws", "second wins", "illegal"), "share of games"),
    **dict.fromkeys(("plies", "plies a game", "actions a game"), "number a game"),
    **dict.fromkeys(("best fitness", "mean fitness", "champion"), "fitness"),
    **dict.fromkeys(("change", "error", "value error"), "value, from −1 to 1"),
    **dict.fromkeys(("nodes", "links", "layers", "species", "games"), "number"),
    "first player": "result a game, from −1 to 1",
    "positions seen": "share of positions",
    "optimal": "share of test positions",
    "winning moves": "share of won positions",
}
"""The units of metrics by name; metrics of a trainer from outside need none."""
Curves: TypeAlias = tuple[str, str, Mapping[str, tuple[Sequence[float], Sequence[float]]]]
"""A plot: its title, what it counts, and by label its lines, each with progress and numbers."""


def plot_run(
    title: str,
    unit: str,
    rows: Sequence[Mapping[str, float]],
    evaluations: Sequence[Mapping[str, Any]],
    *,
    logarithmic: bool = False,
) -> bytes | None:
    """Draws the results of a run against its ladder and its exact grades, as evaluations.json has them, and the metrics of its
    parts, one row each, over the column that is named `unit`; as PNG, or None where matplotlib is not installed, or nothing was
    recorded.

    A run that is no better than random play when it is measured last is marked. A logarithmic axis of progress begins at 0.
    """
    sample = rows[:: -(-len(rows) // MAX_POINTS)] if rows else []
    names = [name for name in rows[0] if name not in ("part", "seconds", unit)][:MAX_METRICS] if rows else []
    done = [row[unit] for row in sample]
    curves = [(name, UNITS.get(name, ""), {"": (done, [row[name] for row in sample])}) for name in names]
    measured = [*_measured_curves(evaluations)]
    curves = [*measured, *curves]
    columns = min(3, len(curves))
    if not curves or (figure := new_figure(4.2 * columns, 2.9 * -(-len(curves) // columns))) is None:
        return None
    if any(score["b"] == "random" and not beats_random(score) for score in (evaluations[-1]["scores"] if evaluations else ())):
        figure.suptitle(f"{title}: collapsed, no better than random play at the end", fontsize=10, color=COLLAPSED)
    else:
        figure.suptitle(title, fontsize=10)
    for number, (name, measure, lines) in enumerate(curves, 1):
        axis = figure.add_subplot(-(-len(curves) // columns), columns, number)
        for label, (along, values) in lines.items():
            axis.plot(along, values, linewidth=1, marker="." if len(along) < FEW_POINTS else "", label=label)
        _label(axis, name, unit, measure)
        if number <= len(measured):
            axis.set_ylim(bottom=-0.03)
        if logarithmic:
            first = min((x for along, _ in lines.values() for x in along if x), default=1)
            axis.set_xscale("symlog", linthresh=first, linscale=0.5)
            axis.set_xlim(left=0)
        if len(lines) > 1:
            axis.legend(fontsize=7)
    return png(figure)


def _measured_curves(evaluations: Sequence[Mapping[str, Any]]) -> Iterator[Curves]:
    """The curves of measurements: points against each policy of the ladder, where a win counts 1 and a draw a half; and what exact
    grades say."""
    if not evaluations:
        return
    done = [evaluation["done"] for evaluation in evaluations]
    rungs = [*zip(*(evaluation["scores"] for evaluation in evaluations), strict=True)]
    points = {rung[0]["b"]: (done, [(score["wins"] + score["draws"] / 2) / score["games"] for score in rung]) for rung in rungs}
    if points:
        yield "results against other policies", "points a game", points
    grades = [evaluation["grade"] or {} for evaluation in evaluations]
    if all("value_lost_per_game" in grade for grade in grades):
        lost = [grade["value_lost_per_game"] for grade in grades]
        yield "exact grade: lost to perfect play", "value a game", {"": (done, lost)}


def plot_outcomes(scores: Sequence[Score]) -> bytes | None:
    """Draws how games ended, in total, by who began, and by the ply of their end, a row for each score, as PNG; None where
    matplotlib is not installed."""
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
    _stack_shares(total, ["all"], by_seat.sum(axis=0, keepdims=True))
    _stack_shares(seats, [f"{a} first", f"{b} first"], by_seat)
    ends = np.flatnonzero(score.plies.sum(axis=(0, 1)))
    plies_drawn = np.arange(ends[0], ends[-1] + 1)
    _stack(plies, plies_drawn, score.plies.sum(axis=0)[:, plies_drawn], 0.85)
    total.set_title(f"{a} against {b}", fontsize=9, loc="left")
    total.set_ylabel("share of the games", fontsize=8)
    plies.set_title("by the ply of the end", fontsize=9, loc="left")
    plies.set_xlabel("ply", fontsize=8)
    plies.set_ylabel("games", fontsize=8)
    plies.set_xlim(plies_drawn[0] - 1, plies_drawn[-1] + 1)
    plies.xaxis.get_major_locator().set_params(integer=True)
    for axis in axes:
        axis.tick_params(labelsize=8)


def _stack(axis: Any, along: Any, heights: NDArray[Any], width: float) -> list[Any]:
    """Draws bars (3, N) for won, drawn and lost on top of each other."""
    below = np.cumsum(heights, axis=0) - heights
    rows = zip(heights, below, COLOURS, RESULTS, strict=True)
    return [axis.bar(along, high, bottom=low, color=colour, label=name, width=width) for high, low, colour, name in rows]


def _stack_shares(axis: Any, names: list[str], counts: NDArray[np.int64]) -> None:
    """Draws bars of shares that add up to 1, with the share written on each that is high enough for it."""
    shares = (counts / np.maximum(1, counts.sum(axis=1, keepdims=True))).T
    for bars, share in zip(_stack(axis, names, shares, 0.7), shares, strict=True):
        axis.bar_label(bars, [f"{100 * part:.1f} %" if part > 0.05 else "" for part in share], label_type="center", fontsize=7)
    axis.set_ylim(0, 1)


def plot_populations(histories: Mapping[str, NDArray[np.float64]], title: str) -> bytes | None:
    """Draws populations by generation, and the mean fitness over the diversity, as PNG; None where matplotlib is not installed.

    Each has a label, and of each generation the best fitness, the mean fitness and the diversity (G, 3).
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
    _label(wins, "the generations", "generation", "fitness")
    _label(diversity, "how far genomes are apart", "generation", "diversity")
    _label(both, "fitness over diversity", "diversity", "mean fitness")
    for axis in figure.axes:
        axis.legend(fontsize=7)
    return png(figure)


def _label(axis: Any, title: str, along: str, measure: str) -> None:
    axis.set_title(title, fontsize=9)
    axis.set_xlabel(along, fontsize=8)
    axis.set_ylabel(measure, fontsize=8)
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
