"""How populations went: fitness and diversity by generation, and the one over the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..runs.plots import png


class History(NamedTuple):
    """What each generation came to.

    Args:
        rows: the fitness of the best, the mean fitness and the diversity, generation by generation (G, 3).
    """

    rows: NDArray[np.float64]

    @classmethod
    def empty(cls, width: int) -> History:
        """Before the first generation."""
        return cls(np.zeros((0, width)))

    def with_row(self, row: Sequence[float]) -> History:
        """With one generation more."""
        return History(np.vstack([self.rows, row]))


def picture(histories: Mapping[str, History], title: str) -> bytes | None:
    """Draws populations side by side, by their names, as PNG; None where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    figure = Figure(figsize=(12, 3.4), dpi=80, layout="constrained")
    figure.suptitle(title, fontsize=10)
    wins, diversity, both = figure.subplots(1, 3)
    for place, (name, history) in enumerate(histories.items()):
        generations, (best, mean, apart) = np.arange(1, len(history.rows) + 1), history.rows.T
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
