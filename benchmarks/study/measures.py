"""What the study's measures say of each other, how error falls, and where policies err. Shown in docs/study.md.

python -m benchmarks.study.measures              # from the results of the games, again where they have changed
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..provenance import Part, Study
from . import nim, othello, quixo, tictactoe
from .grid import Grid
from .rows import BETTER, CLASSIC, MEASURES, Row, rows_of, truth_of
from .statistics import SEED, bounds, discordant, least_squares, spearman
from .tables import shown

GAMES = {one.STUDY.name: one for one in (tictactoe, nim, quixo, othello)}
TRUTHS = ("value_thrown", "exploitability", "value_lost")
"""What other measures are compared with: exact ones where they are known, otherwise the value lost in games."""
FEWEST = 6
"""Policies or runs of which something is computed."""
ERRORS = ("value_thrown", "value_lost")


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each game that has results."""
    found = dict[str, Part]()
    for name, game in GAMES.items():
        if game.STUDY.place.exists():
            place = f"benchmarks/results/study/{name}.json"
            analysis = tuple(f"benchmarks/study/{part}.py" for part in ("rows", "statistics", "measures"))
            found[name] = Part(partial(measured, name), partial(again, name), (place, *analysis))
    return found


def again(name: str, kept: dict[str, Any]) -> tuple[Any, Any]:
    """All of it, as stored and now."""
    return kept, measured(name)


def measured(name: str) -> dict[str, Any]:
    """The analysis of a game; `alone` are all policies but networks with search."""
    grid, found = GAMES[name].GRID, GAMES[name].STUDY.found()
    rows = rows_of(grid, found)
    alone = [row for row in rows if not row.policy.isdigit()]
    fits = {
        group: fit for group, some in groups(rows).items() if len({row.run for row in some}) >= FEWEST and (fit := fitted(some))
    }
    return {
        "title": grid.title,
        "policies": len(rows),
        "ladder": ladder(grid, rows),
        "agreement": {"all": agreement(rows), "strong": agreement(strong(rows)), "alone": agreement(strong(alone))},
        "fits": fits,
        "where": {group: where(some) for group, some in groups(rows).items()},
        "misled": misled(rows),
        "sampled": sampled(rows),
        "confirmed": confirmed(rows, {cell.name: found[cell.closer] for cell in grid.cells if cell.closer in found}),
        "start": starts(grid, rows),
        "forced": forced(rows),
    }


def groups(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """What is trained, by its group."""
    found = dict[str, list[Row]]()
    for row in rows:
        if row.group != CLASSIC:
            found.setdefault(row.group, []).append(row)
    return found


def strong(rows: Sequence[Row]) -> list[Row]:
    """The half that wins most against random play."""
    middle = float(np.median([row.values["win_rate_vs_random"] for row in rows]))
    return [row for row in rows if row.values["win_rate_vs_random"] >= middle]


def ladder(grid: Grid, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """For each kind of policy and budget, the mean of each measure over sizes and seeds, with the least and the most."""
    same = dict[tuple[str, int], list[Row]]()
    for row in rows:
        same.setdefault((row.kind, row.budget), []).append(row)
    units = {one.trainer: one.unit for one in grid.ladders}
    found = list[dict[str, Any]]()
    for (kind, budget), some in same.items():
        values = {name: known for name in MEASURES if (known := [row.values[name] for row in some if name in row.values])}
        spans = {name: [rounded(number) for number in (np.mean(known), min(known), max(known))] for name, known in values.items()}
        trained = f"{budget:,} {units[some[0].trainer]}" if budget else ""
        exact = sum(row.exact for row in some)
        found.append({"kind": kind, "trained": trained, "policies": len(some), "exact": exact, "values": spans})
    return found


def sampled(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """How many policies are graded by samples, closer or not, and half the median width of the intervals of their errors."""
    found = dict[str, dict[str, float]]()
    for which, some in (
        ("closer", [row for row in rows if row.thrown_interval]),
        ("rough", [row for row in rows if row.interval and not row.thrown_interval]),
    ):
        found[which] = {"policies": len(some)}
        for error, intervals in (
            ("value_lost", [row.interval for row in some]),
            ("value_thrown", [row.thrown_interval for row in some if row.thrown_interval]),
        ):
            if intervals:
                found[which][error] = rounded(np.median([(high - low) / 2 for low, high in intervals]))
    return found


def confirmed(rows: Sequence[Row], looks: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """Of how many policies there is an exact grade besides a closer look, and of how many each exact error is in its interval.

    Args:
        rows: all policies.
        looks: the closer looks by the names of cells.
    """
    both = [(row, looks[row.cell]) for row in rows if row.exact and row.cell in looks and not row.policy.isdigit()]
    inside = {
        error: sum(low <= row.values[error] <= high for row, look in both for low, high in [look[f"{error}_interval"]])
        for error in ERRORS
    }
    return {"policies": len(both), **inside}


def starts(grid: Grid, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """For each kind of policy, budget and size, the ply at which each seed may first lose the start's value, and at which it can be
    forced into a lost position; None for never."""
    same = dict[tuple[str, int, str], list[tuple[int | None, int | None]]]()
    for row in rows:
        if row.start_lost_at is not None:
            same.setdefault((row.kind, row.budget, row.size), []).append((next(iter(row.start_lost_at), None), row.forced_at))
    units = {ladder.trainer: ladder.unit for ladder in grid.ladders}
    return [
        {
            "kind": kind,
            "trained": f"{budget:,} {units[kind.partition(',')[0]]}" if budget else "",
            "size": size,
            "plies": [ply for ply, _ in plies],
            "forced": [ply for _, ply in plies],
        }
        for (kind, budget, size), plies in same.items()
    ]


def forced(rows: Sequence[Row]) -> dict[str, int]:
    """How many policies can be forced into a lost position, and from which ply at the latest."""
    plies = [row.forced_at for row in rows if row.forced_at is not None]
    return {"policies": len(plies), "latest": max(plies, default=0)}


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


def where(rows: Sequence[Row]) -> dict[str, list[list[int]]]:
    """Errors at the largest budget that is measured, by ply, distance to a win and frequency in self-play: sums over policies."""
    last = max(row.level for row in rows)
    found = dict[str, list[list[int]]]()
    for name in ("by_ply", "by_distance", "by_frequency"):
        sums = dict[int, list[int]]()
        for row in rows:
            if row.level == last:
                for key, *counts in getattr(row, name):
                    sums[key] = [a + b for a, b in zip(sums.get(key, [0, 0]), counts, strict=True)]
        found[name] = [[key, *sums[key]] for key in sorted(sums)]
    return found


def misled(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """For Elo and wins against random play: the number that perfect play has, how many policies have more, how many of those lose
    value, and the one that loses most: its name, number and value lost."""
    truth = truth_of(rows)
    found = dict[str, dict[str, Any]]()
    for name in ("elo", "win_rate_vs_random"):
        known = [row for row in rows if name in row.values and truth in row.values]
        for perfect in (row for row in known if row.name == "perfect"):
            above = [row for row in known if row.values[name] > perfect.values[name]]
            losing = [row for row in above if row.values[truth] > 0]
            found[name] = {"perfect": perfect.values[name], "above": len(above), "losing": len(losing)}
            if losing:
                worst = max(losing, key=lambda row: row.values[truth])
                found[name]["worst"] = [worst.name, worst.values[name], worst.values[truth]]
    return found


def rounded(number: Any) -> float:
    """Four digits are enough for a page."""
    return float(f"{float(number):.4g}")


STUDY = Study(__file__, parts, shown, ("benchmarks/study/statistics.py",), SEED, ("numpy",))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
