"""The plot of evolved populations: fitness and diversity by generation, and one over the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..runs.plots import png


def picture(histories: Mapping[str, NDArray[np.float64]], title: str) -> bytes | None:
    """Draws populations side by side.

    Args:
        histories: by label, the best fitness, the mean fitness and the diversity of each generation (G, 3).
        title: what stands above.

    Returns:
        The plot as PNG; None where matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    figure = Figure(figsize=(12, 3.4), dpi=80, layout="constrained")
    figure.suptitle(title, fontsize=10)
    wins, diversity, both = figure.subplots(1, 3)
    for place, (name, history) in enumerate(histories.items()):
        generations, (best, mean, apart) = np.arange(1, len(history) + 1), history.T
        wins.plot(generations, best, color=f"C{place}", linewidth=1, label=f"{name}, best")
        wins.plot(generations, mean, color=f"C{place}", linewidth=1, linestyle=":", label=f"{name}, mean")
        diversity.plot(generations, apart, color=f"C{place}", linewidth=1, label=name)
        both.plot(apart, mean, color=f"C{place}", linewidth=0.6, marker=".", markersize=3, label=name)
    _name(wins, "fitness", "generation")
    _name(diversity, "diversity of the genomes", "generation")
    _name(both, "mean fitness over diversity", "diversity")
    return png(figure)


def _name(axis: Any, title: str, along: str) -> None:
    axis.set_title(title, fontsize=9)
    axis.set_xlabel(along, fontsize=8)
    axis.tick_params(labelsize=7)
    axis.grid(alpha=0.3)
    axis.legend(fontsize=7)
