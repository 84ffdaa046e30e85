"""What the study's measures say of each other, and how error falls, from the results of the games. Shown in docs/study.md.

python -m benchmarks measures --anew              # after the results of a game have changed
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.cli.bench.study import Rows, Study

from .. import RESULTS
from .games import GAMES
from .grid import GRIDS
from .rows import BETTER, ERRORS, MEASURES, Row, groups, rounded, rows_of
from .statistics import SEED, bounds, discordant, least_squares, spearman
from .tables import figures_of

TRUTHS = ("value_lost_per_game", "exploitability", "value_lost")
"""What other measures are compared with: exact ones where they are known, otherwise the value lost in games."""
FEWEST = 6
"""Policies or runs of which something is computed."""


def cells() -> dict[str, Any]:
    """A cell for each game."""
    return {name: partial(analyse, name) for name in GRIDS}


def policies(name: str) -> list[Row]:
    """The rows of all policies of a game."""
    return rows_of(GRIDS[name], GAMES[name].rows())


def analyse(name: str) -> dict[str, Any]:
    """The agreement of measures, and power laws: what takes resampling. `alone` are all policies but networks with search."""
    rows = policies(name)
    alone = [row for row in rows if not row.policy.isdigit()]
    return {
        "agreement": {"all": agreement(rows), "strong": agreement(strong(rows)), "alone": agreement(strong(alone))},
        "fits": {
            group: fit for group, some in groups(rows).items() if len({row.run for row in some}) >= FEWEST and (fit := fitted(some))
        },
    }


def strong(rows: Sequence[Row]) -> list[Row]:
    """The half that wins most against random play."""
    middle = float(np.median([row.values["win_rate_vs_random"] for row in rows]))
    return [row for row in rows if row.values["win_rate_vs_random"] >= middle]


def agreement(rows: Sequence[Row]) -> dict[str, dict[str, list[float]]]:
    """For each truth and each measure: Spearman's correlation, more being better in both, its bounds, and the share of discordant
    pairs."""
    found = dict[str, dict[str, list[float]]]()
    for truth in TRUTHS:
        for name in MEASURES:
            both = [row for row in rows if truth in row.values and name in row.values]
            if name == truth or len(both) < FEWEST:
                continue
            x, y = (np.array([BETTER[one] * row.values[one] for row in both]) for one in (name, truth))
            if any(len(values) - np.unique(values, return_counts=True)[1].max() < FEWEST for values in (x, y)):
                continue  # nearly all are equal
            found.setdefault(truth, {})[name] = correlation(x, y, [row.run for row in both])
    return found


def correlation(x: NDArray[np.float64], y: NDArray[np.float64], runs: Sequence[str]) -> list[float]:
    """Spearman's correlation, its bounds, and the share of discordant pairs."""
    ((low, high),) = bounds(runs, lambda rows: spearman(x[rows], y[rows]))
    return [rounded(number) for number in (spearman(x, y), low, high, discordant(x, y))]


def fitted(rows: Sequence[Row]) -> dict[str, Any]:
    """Error as a power of budget, parameters and simulations, and Elo as a line over their logarithms."""
    found = dict[str, Any]()
    for name in (*ERRORS, "elo"):
        known = [row for row in rows if name in row.values]
        kept = known if name == "elo" else [row for row in known if row.values[name] > 0]
        if len(kept) < FEWEST:
            if known:
                found[name] = {"points": len(kept), "zeros": len(known) - len(kept)}
            continue
        base = np.log10([[row.budget, row.parameters, float(row.policy) if row.policy.isdigit() else 1.0] for row in kept])
        heights = np.array([row.values[name] for row in kept])
        heights = heights if name == "elo" else np.log10(heights)
        slopes, explained = least_squares(base, heights)
        between = bounds([row.run for row in kept], lambda rows, b=base, h=heights: least_squares(b[rows], h[rows])[0])
        lines = zip(("budget", "parameters", "simulations"), slopes.tolist(), between, strict=True)
        found[name] = {
            "points": len(kept),
            "zeros": len(known) - len(kept),
            "explained": rounded(explained),
            "slopes": {what: [rounded(one) for one in (slope, *span)] for what, slope, span in lines if np.isfinite(slope)},
        }
    return found


def show(rows: Rows) -> dict[str, str]:
    """The figures of all games."""
    return {
        f"{name}.{key}": text
        for name, analysis in rows.items()
        for key, text in figures_of(GRIDS[name], policies(name), GAMES[name].rows(), analysis).items()
    }


STUDIES = (Study(RESULTS / "measures.json", cells, show, SEED, ("numpy",)),)
