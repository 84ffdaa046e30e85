"""The study's tables and numbers, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from ..provenance import table
from .rows import MEASURES

SHORT = {
    "elo": "Elo",
    "win_rate_vs_random": "wins against random",
    "value_lost": "value lost a move",
    "value_thrown": "value lost a game, perfect opponent",
    "exploitability": "exploitability",
}
OUTCOMES = {"value_thrown": "value lost a game", "value_lost": "value lost a move", "elo": "Elo"}
DIGITS = {"elo": 0, "win_rate_vs_random": 3, "value_lost": 3, "value_thrown": 3, "exploitability": 2}
FREQUENCIES = {0: "never", 1: "1 to 3 times", 4: "4 to 31", 32: "32 and more"}
DISTANCES = ((1, "1"), (3, "2 to 3"), (7, "4 to 7"), (15, "8 to 15"), (10**6, "more"))
"""The longest distance of each column."""
FAR = 10
"""Positions of which a share is shown."""
FEW = "*too few policies yet*"


def shown(found: Mapping[str, Any]) -> dict[str, str]:
    """The figures of all games."""
    figures = dict[str, str]()
    for name, one in found.items():
        tables = {
            "ladder": ladder(one["ladder"]),
            "agreement": agreement(one["agreement"]),
            "fits": fits(one["fits"]),
            "distance": distances(one["where"]),
            "frequency": frequencies(one["where"]),
            "policies": f"{one['policies']}",
            **{f"confirmed.{what}": f"{count}" for what, count in one["confirmed"].items()},
            "forced": f"{one['forced']['policies']}",
            "forced.latest": f"{one['forced']['latest']}",
        }
        if one["start"]:
            tables["start"] = starts(one["start"])
        for which, before in ("all", ""), ("strong", "strong."), ("alone", "alone."):
            tables |= {f"{before}{measure}.{truth}": FEW for measure in MEASURES for truth in MEASURES}
            for truth, measures in one["agreement"][which].items():
                tables |= {f"{before}{measure}.{truth}": correlated(found) for measure, found in measures.items()}
        for which, known in one["sampled"].items():
            tables[which] = f"{known['policies']}"
            tables |= {f"{which}.{error}": number(known[error], 3) for error in OUTCOMES if error in known}
        tables |= misled(one["misled"]) | slopes(one["fits"])
        figures |= {f"{name}.{key}": text for key, text in tables.items()}
    return figures


def ladder(lines: Sequence[dict[str, Any]]) -> str:
    """A row for each kind of policy and budget."""
    names = [name for name in MEASURES if any(name in line["values"] for line in lines)]
    counts = ["policies"]
    if 0 < sum(line["exact"] for line in lines) < sum(line["policies"] for line in lines):
        counts.append("exact")  # where some are, and others are not
    rows = [
        [
            line["kind"],
            line["trained"],
            *(str(line[count]) for count in counts),
            *(span(line["values"].get(name), DIGITS[name]) for name in names),
        ]
        for line in lines
    ]
    return table(["policy", "trained", *counts, *(SHORT[name] for name in names)], rows, align="llr")


def starts(lines: Sequence[dict[str, Any]]) -> str:
    """A row for each kind of policy, budget and size, with the plies of its seeds."""
    rows = [
        [
            *(line[name] for name in ("kind", "trained", "size")),
            *(", ".join("never" if ply is None else str(ply) for ply in line[name]) for name in ("plies", "forced")),
        ]
        for line in lines
    ]
    return table(["policy", "trained", "size", "may lose the win at ply", "is forced into a loss at ply"], rows, align="lllrr")


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


def misled(found: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Numbers about the policies that a measure puts above perfect play."""
    parts = ("perfect.{}", "above.{}", "losing.{}", "worst.{}", "worst.{}.value", "worst.{}.lost")
    figures = {part.format(measure): FEW for measure in ("elo", "win_rate_vs_random") for part in parts}
    for measure, one in found.items():
        shares = measure != "elo"
        figures[f"perfect.{measure}"] = percent(one["perfect"]) if shares else number(one["perfect"], 0)
        figures |= {f"{name}.{measure}": f"{one[name]}" for name in ("above", "losing")}
        if "worst" in one:
            name, value, lost = one["worst"]
            figures[f"worst.{measure}"] = f"`{name}`"
            figures[f"worst.{measure}.value"] = percent(value) if shares else number(value, 0)
            figures[f"worst.{measure}.lost"] = number(lost, 3)
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


def distances(found: Mapping[str, Mapping[str, Sequence[Sequence[int]]]]) -> str:
    """How often the win was lost in a won position, by the plies that the win takes."""
    rows = list[list[str]]()
    for kind, one in found.items():
        cells, start = list[str](), 0
        for stop, _ in DISTANCES:
            counts = [(count, errors) for key, count, errors in one["by_distance"] if start < key <= stop]
            cells.append(rate(sum(count for count, _ in counts), sum(errors for _, errors in counts)))
            start = stop
        if any(cells):
            rows.append([kind, *cells])
    return table(["policies", *(f"won in {name}" for _, name in DISTANCES)], rows) if rows else FEW


def frequencies(found: Mapping[str, Mapping[str, Sequence[Sequence[int]]]]) -> str:
    """How often the move in a position lost value, by how often the position came up in self-play."""
    rows = [[kind, *(rate(count, errors) for _, count, errors in one["by_frequency"])] for kind, one in found.items()]
    return table(["policies", *FREQUENCIES.values()], rows) if rows else FEW


def rate(count: int, errors: int) -> str:
    """Errors in percent; empty where hardly anything was counted."""
    return percent(errors / count) if count >= FAR else ""


def slope(one: Sequence[float] | None, digits: int) -> str:
    """A slope with its bounds."""
    if one is None:
        return ""
    return f"{number(one[0], digits)} ({number(one[1], digits)} to {number(one[2], digits)})"


def span(one: Sequence[float] | None, digits: int) -> str:
    """A mean, and the least and the most where they differ."""
    if one is None:
        return ""
    mean, least, most = (number(value, digits) for value in one)
    return mean if least == most else f"{mean} ({least} to {most})"


def number(value: float, digits: int) -> str:
    """A number with so many digits, and a real minus."""
    return f"{value:.{digits}f}".replace("-", "−") if isfinite(value) else "?"
