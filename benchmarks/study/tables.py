"""The study's tables and numbers, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from ..common import table
from .grid import Grid
from .rows import ERRORS, MEASURES, Row, errors_by, groups, rounded, truth_of

SHORT = {
    "elo": "Elo",
    "win_rate_vs_random": "wins against random",
    "value_lost": "value lost a move",
    "value_lost_per_game": "value lost a game, perfect opponent",
    "exploitability": "exploitability",
}
OUTCOMES = {"value_lost_per_game": "value lost a game", "value_lost": "value lost a move", "elo": "Elo"}
DIGITS = {"elo": 0, "win_rate_vs_random": 3, "value_lost": 3, "value_lost_per_game": 3, "exploitability": 2}
FREQUENCIES = {0: "never", 1: "1 to 3 times", 4: "4 to 31", 32: "32 and more"}
DISTANCES = {1: "won in 1", 2: "won in 2 to 3", 4: "won in 4 to 7", 8: "won in 8 to 15", 16: "won in more"}
"""The columns of errors by the least number of each."""
FAR = 10
"""Positions of which a share is shown."""
FEW = "*too few policies yet*"


def figures_of(grid: Grid, rows: Sequence[Row], measured: Mapping[str, Any], analysis: Mapping[str, Any]) -> dict[str, str]:
    """The figures of a game.

    Args:
        grid: its grid.
        rows: all its policies.
        measured: its results.
        analysis: what was resampled.
    """
    fitted = analysis["fits"]
    forced = [row.forced_at for row in rows if row.forced_at is not None]
    figures = {
        "ladder": ladder(grid, rows),
        "agreement": agreement(analysis["agreement"]),
        "fits": fits(fitted),
        "distance": errors(rows, "by_distance", DISTANCES),
        "frequency": errors(rows, "by_frequency", FREQUENCIES),
        "start": starts(grid, rows),
        "policies": f"{len(rows)}",
        "forced": f"{len(forced)}",
        "forced.latest": f"{max(forced, default=0)}",
    }
    for which, before in ("all", ""), ("strong", "strong."), ("alone", "alone."):
        figures |= {f"{before}{measure}.{truth}": FEW for measure in MEASURES for truth in MEASURES}
        for truth, measures in analysis["agreement"][which].items():
            figures |= {f"{before}{measure}.{truth}": correlated(known) for measure, known in measures.items()}
    looks = {cell.name: measured[cell.closer] for cell in grid.cells if cell.closer in measured}
    return figures | sampled(rows) | confirmed(rows, looks) | misled(rows) | slopes(fitted)


def ladder(grid: Grid, rows: Sequence[Row]) -> str:
    """A row for each kind of policy and budget: the mean of each measure over sizes and seeds, with the least and the most."""
    names = [name for name in MEASURES if any(name in row.values for row in rows)]
    exact = sum(row.exact for row in rows)
    mixed = 0 < exact < len(rows)  # where some are graded exactly, and others are not
    same = dict[tuple[str, int], list[Row]]()
    for row in rows:
        same.setdefault((row.kind, row.budget), []).append(row)
    lines = list[list[str]]()
    for (kind, budget), some in same.items():
        counts = [str(len(some)), *([str(sum(row.exact for row in some))] if mixed else [])]
        spans = [span([row.values[name] for row in some if name in row.values], DIGITS[name]) for name in names]
        lines.append([kind, trained(grid, some[0].trainer, budget), *counts, *spans])
    heads = ["policy", "trained", "policies", *(["exact"] if mixed else []), *(SHORT[name] for name in names)]
    return table(heads, lines, align="llr")


def trained(grid: Grid, trainer: str, budget: int) -> str:
    """A budget with its unit; empty for a classic policy."""
    units = {ladder.trainer: ladder.unit for ladder in grid.ladders}
    return f"{budget:,} {units[trainer]}" if budget else ""


def starts(grid: Grid, rows: Sequence[Row]) -> str:
    """A row for each kind of policy, budget and size: the ply at which each seed may first lose the start's value, and at which it
    can be forced into a lost position."""
    same = dict[tuple[str, int, str], list[Row]]()
    for row in rows:
        if row.start:
            same.setdefault((row.kind, row.budget, row.size), []).append(row)
    lines = list[list[str]]()
    for (kind, budget, size), some in same.items():
        plies = ([row.start_lost_at for row in some], [row.forced_at for row in some])
        each = (", ".join("never" if ply is None else str(ply) for ply in known) for known in plies)
        lines.append([kind, trained(grid, some[0].trainer, budget), size, *each])
    return table(["policy", "trained", "size", "may lose the win at ply", "is forced into a loss at ply"], lines, align="lllrr")


def sampled(rows: Sequence[Row]) -> dict[str, str]:
    """How many policies are graded by samples, closer or not, and half the median width of the intervals of their errors."""
    figures = dict[str, str]()
    for which, some in (
        ("closer", [row for row in rows if row.thrown_interval]),
        ("rough", [row for row in rows if row.interval and not row.thrown_interval]),
    ):
        figures[which] = f"{len(some)}"
        intervals = {"value_lost": [row.interval for row in some], "value_lost_per_game": [row.thrown_interval for row in some]}
        for error, known in intervals.items():
            if widths := [(each[1] - each[0]) / 2 for each in known if each]:
                figures[f"{which}.{error}"] = number(rounded(np.median(widths)), 3)
    return figures


def confirmed(rows: Sequence[Row], looks: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Of how many policies there is an exact grade besides a closer look, and of how many each exact error is in its interval.

    Args:
        rows: all policies.
        looks: the closer looks by the names of cells.
    """
    both = [(row, looks[row.cell]) for row in rows if row.exact and row.cell in looks and not row.policy.isdigit()]
    figures = {"confirmed.policies": f"{len(both)}"}
    for error in ERRORS:
        bounds = [(row.values[error], *look[f"{error}_interval"]) for row, look in both]
        figures[f"confirmed.{error}"] = f"{sum(low <= value <= high for value, low, high in bounds)}"
    return figures


def agreement(found: Mapping[str, Mapping[str, Mapping[str, Sequence[float]]]]) -> str:
    """A row for each measure, a pair of columns for each truth: all policies, and the stronger half."""
    truths = [*found["all"]]
    names = [name for name in MEASURES if any(name in found["all"][truth] for truth in truths)]
    if not truths:
        return FEW
    heads = [f"{SHORT[truth]}: {which}" for truth in truths for which in ("all", "stronger half")]
    rows = [
        [SHORT[name], *(correlated(found[which].get(truth, {}).get(name)) for truth in truths for which in ("all", "strong"))]
        for name in names
    ]
    return table(["", *heads], rows)


def misled(rows: Sequence[Row]) -> dict[str, str]:
    """For Elo and wins against random play: the number that perfect play has, how many policies have more, how many of those lose
    value, and the one that loses most."""
    truth = truth_of(rows)
    parts = ("perfect.{}", "above.{}", "losing.{}", "worst.{}", "worst.{}.value", "worst.{}.lost")
    figures = dict[str, str]()
    for name, show in (("elo", lambda value: number(value, 0)), ("win_rate_vs_random", percent)):
        figures |= {part.format(name): FEW for part in parts}
        known = [row for row in rows if name in row.values and truth in row.values]
        for perfect in (row.values[name] for row in known if row.name == "perfect"):
            above = [row for row in known if row.values[name] > perfect]
            losing = [row for row in above if row.values[truth] > 0]
            figures |= {f"perfect.{name}": show(perfect), f"above.{name}": f"{len(above)}", f"losing.{name}": f"{len(losing)}"}
            if losing:
                worst = max(losing, key=lambda row: row.values[truth])
                figures[f"worst.{name}"] = f"`{worst.name}`"
                figures[f"worst.{name}.value"] = show(worst.values[name])
                figures[f"worst.{name}.lost"] = number(worst.values[truth], 3)
    return figures


def percent(share: float) -> str:
    """A share in percent."""
    return f"{100 * share:.1f} %"


def correlated(one: Sequence[float] | None) -> str:
    """A correlation with its bounds, and the share of discordant pairs."""
    if one is None or not isfinite(one[0]):
        return ""
    rho, low, high, against = one
    return f"{number(rho, 2)} ({number(low, 2)} to {number(high, 2)}); {percent(against)}"


def fits(found: Mapping[str, Mapping[str, Any]]) -> str:
    """A row for each kind of policy and outcome."""
    rows = list[list[str]]()
    for kind, outcomes in found.items():
        for name, fit in outcomes.items():
            slopes = fit.get("slopes", {})
            digits = 0 if name == "elo" else 2
            cells = (slope(slopes.get(what), digits) for what in ("budget", "parameters", "simulations"))
            explained = f"{fit['explained']:.2f}" if "explained" in fit else ""
            rows.append([kind, OUTCOMES[name], f"{fit['points']}", f"{fit['zeros']}", *cells, explained])
    heads = ["policies", "of", "points", "without error", "budget", "parameters", "simulations", "R²"]
    return table(heads, rows, align="llrr") if rows else FEW


def slopes(found: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Each exponent, and each slope of Elo, alone."""
    return {
        f"slope.{kind.replace(' ', '_').replace(',', '')}.{name}.{what}": slope(fit.get("slopes", {}).get(what), digits) or FEW
        for kind, outcomes in found.items()
        for name, fit in outcomes.items()
        for digits in (0 if name == "elo" else 2,)
        for what in ("budget", "parameters", "simulations")
    }


def errors(rows: Sequence[Row], name: str, columns: Mapping[int, str]) -> str:
    """How often the move in a position lost value, `by_distance` to a win or `by_frequency` in self-play."""
    lines = list[list[str]]()
    for kind, some in groups(rows).items():
        counts = {least: rate(*both) for least, *both in errors_by(some, name)}
        if any(counts.values()):
            lines.append([kind, *(counts.get(least, "") for least in columns)])
    return table(["policies", *columns.values()], lines) if lines else FEW


def rate(count: int, errors: int) -> str:
    """Errors in percent; empty where hardly anything was counted."""
    return percent(errors / count) if count >= FAR else ""


def slope(one: Sequence[float] | None, digits: int) -> str:
    """A slope with its bounds."""
    if one is None:
        return ""
    return f"{number(one[0], digits)} ({number(one[1], digits)} to {number(one[2], digits)})"


def span(values: Sequence[float], digits: int) -> str:
    """A mean, and the least and the most where they differ."""
    if not values:
        return ""
    mean, least, most = (number(rounded(value), digits) for value in (np.mean(values), min(values), max(values)))
    return mean if least == most else f"{mean} ({least} to {most})"


def number(value: float, digits: int) -> str:
    """A number with so many digits, and a real minus."""
    return f"{value:.{digits}f}".replace("-", "−") if isfinite(value) else "?"
