"""A picture of how games ended: in total, by who began, and by the ply of their end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...arena.ratings.score import Score
from .plots import png

COLOURS = ("#3b7a57", "#c9b458", "#b0413e")
RESULTS = ("won", "drawn", "lost")


def outcomes(scores: Sequence[Score]) -> bytes | None:
    """Draws scores, a row for each, as PNG; None where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    figure = Figure(figsize=(10, 2.6 * len(scores)), dpi=90, layout="constrained")
    for row, axes in enumerate(figure.subplots(len(scores), 3, squeeze=False, width_ratios=(2, 3, 5))):
        _draw(axes, scores[row])
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside upper right", ncols=3, fontsize=8)
    return png(figure)


def _draw(axes: Any, score: Score) -> None:
    total, seats, plies = axes
    a, b = score.pairing.a, score.pairing.b
    by_seat = score.by_seat
    _stack(total, ["all"], by_seat.sum(axis=0, keepdims=True))
    _stack(seats, [f"{a} first", f"{b} first"], by_seat)
    ends = np.flatnonzero(score.plies.sum(axis=(0, 1)))
    shown = np.arange(ends[0], ends[-1] + 1)
    counts = score.plies.sum(axis=0)[:, shown]
    below = np.zeros(len(shown))
    for result, colour, name in zip(counts, COLOURS, RESULTS, strict=True):
        plies.bar(shown, result, bottom=below, color=colour, label=name, width=0.85)
        below += result
    total.set_title(f"{a} against {b}", fontsize=9, loc="left")
    total.set_ylabel("share of the games", fontsize=8)
    plies.set_title("by the ply of the end", fontsize=9, loc="left")
    plies.set_ylabel("games", fontsize=8)
    plies.set_xlim(shown[0] - 1, shown[-1] + 1)
    plies.xaxis.get_major_locator().set_params(integer=True)
    for axis in axes:
        axis.tick_params(labelsize=8)


def _stack(axis: Any, names: list[str], counts: np.ndarray[Any, np.dtype[np.int64]]) -> None:
    """Bars of shares that add up to 1, with the share in each that is not a sliver."""
    shares = counts / np.maximum(1, counts.sum(axis=1, keepdims=True))
    below = np.zeros(len(names))
    for share, colour, name in zip(shares.T, COLOURS, RESULTS, strict=True):
        bars = axis.bar(names, share, bottom=below, color=colour, label=name, width=0.7)
        axis.bar_label(bars, [f"{100 * one:.1f} %" if one > 0.05 else "" for one in share], label_type="center", fontsize=7)
        below += share
    axis.set_ylim(0, 1)
