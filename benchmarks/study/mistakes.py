"""H3: how often policies lose the win, by the plies that it takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common import table
from .measuring import DISTANCES, max_level
from .policies import CLASSIC, WHOLE, MeasuredPolicy, policies_of_game, title
from .resampling import SEED, Floats, Interval, draw_seeds, mean_of_known, share_text

FEW = 50
"""Positions of a group, over all seeds, of which no share is given."""
RANDOM = "random"
"""The kind of random play, which stands beside the trained ones."""


# ---- what is found


def find_mistakes(game: str) -> dict[str, dict[str, Any]]:
    """How often the policies of a game with the largest budget and the usual size lose the win, and random play.

    By kind, the shares of errors `by_distance`, the plies that a win takes, as `find_rates` has them, and the `far_slope`, by how
    much errors rise with the distance without wins in one ply. None where it is not known.
    """
    last = [
        policy
        for policy in policies_of_game(game)
        if policy.cell.trainer == RANDOM
        or (policy.trainer != CLASSIC and not policy.cell.size and policy.cell.level == max_level(policy.cell))
    ]
    findings = dict[str, dict[str, Any]]()
    for kind in dict.fromkeys(map(kind_of, last)):
        own = [policy.by_distance for policy in last if kind_of(policy) == kind]
        far = find_rates([rows[1:] for rows in own])
        findings[kind] = {"by_distance": find_rates(own), "far_slope": far and far["slope"]}
    return findings


def slopes_of(kind: Mapping[str, Any]) -> tuple[Interval | None, Interval | None]:
    """By how much errors of a kind rise with the plies that a win takes, and without wins in one ply."""
    slopes = kind["by_distance"] and kind["by_distance"]["slope"], kind["far_slope"]
    near, far = (slope and Interval(*slope) for slope in slopes)
    return near, far


def kind_of(policy: MeasuredPolicy) -> str:
    """The kind of a policy, or RANDOM."""
    return RANDOM if policy.cell.is_classic else policy.kind


def without_random(kinds: Mapping[str, Any]) -> dict[str, Any]:
    """The kinds without random play."""
    return {kind: row for kind, row in kinds.items() if kind != RANDOM}


def find_rates(policies: Sequence[list[list[int]]]) -> dict[str, Any] | None:
    """How often policies err, from the rows of each as `count_errors` returns them: the `rates` of each group, None of too few
    positions, and the `slope`, by how much they rise from a group to the next. None where none are known."""
    known = [rows for rows in policies if rows]
    if not known:
        return None
    counts = np.array(known, np.int64)[..., 1:]
    return {"rates": rates_of(counts.sum(0)).tolist(), "slope": find_slope(counts)}


def find_slope(counts: NDArray[np.int64]) -> Interval | None:
    """By how much the share of errors rises from a group to the next, from positions and errors of each seed in each group (S, G,
    2); None with fewer than two groups."""
    together = counts.sum(0)
    if np.isfinite(rates_of(together)).sum() < 2:
        return None
    drawn = draw_seeds(len(counts), np.random.default_rng(SEED))
    return Interval.of(slope_of(together), np.array([slope_of(some) for some in counts[drawn].sum(1)]))


def rates_of(counts: NDArray[np.int64]) -> Floats:
    """The share of errors in each group, from positions and errors (G, 2); nan of too few positions."""
    return np.where(counts[:, 0] >= FEW, counts[:, 1] / np.maximum(counts[:, 0], 1), np.nan)


def slope_of(counts: NDArray[np.int64]) -> float:
    """The slope of the share of errors over the group's number, weighted by positions (G, 2); nan with fewer than two groups."""
    rates = rates_of(counts)
    known = np.isfinite(rates)
    if known.sum() < 2:
        return float("nan")
    groups, weights = np.flatnonzero(known), counts[known, 0]
    away = groups - np.average(groups, weights=weights)
    return float((weights * away * rates[known]).sum() / (weights * away**2).sum())


# ---- tables


def show_mistakes(games: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """How often wins are lost by the plies that they take, as means over kinds, and the slopes without wins in one ply."""
    whole = [without_random(kinds) for game, kinds in games.items() if game in WHOLE]
    up, down, total = count_slopes(slopes_of(kind)[1] for kinds in whole for kind in kinds.values())
    return {"distance": show_distances(games), "slopes.far": f"{up} up and {down} down of {total}"}


def show_distances(games: Mapping[str, Mapping[str, Any]]) -> str:
    """The share of wins that are lost, by the plies that they take: the mean over the kinds of each game, and random play's."""
    lines = list[list[str]]()
    for game, findings in games.items():
        kinds = without_random(findings).values()
        rates = [kind["by_distance"]["rates"] for kind in kinds if kind["by_distance"]]
        if rates:
            means = [mean_of_known(group) for group in zip(*rates, strict=True)]
            slopes = map(count_slopes, zip(*map(slopes_of, kinds), strict=True))
            lines.append([title(game), *map(share_text, means), *(f"{up} · {down} of {total}" for up, down, total in slopes)])
            if (chance := findings[RANDOM]["by_distance"]) is not None:
                lines.append(["random play", *map(share_text, chance["rates"]), "", ""])
    return table(["game", *name_groups(DISTANCES), "slopes up · down", "without the first group"], lines)


def count_slopes(slopes: Iterable[Interval | None]) -> tuple[int, int, int]:
    """How many slopes are clearly up, how many clearly down, and how many are known."""
    known = [slope for slope in slopes if slope]
    return sum(slope.is_above_zero for slope in known), sum(slope.is_below_zero for slope in known), len(known)


def name_groups(least: Sequence[int]) -> list[str]:
    """The groups as tables name them, from the least number of each."""
    ends = [*(following - 1 for following in least[1:]), None]
    return [
        f"{first} and more" if last is None else f"{first}" if first == last else f"{first} to {last}"
        for first, last in zip(least, ends, strict=True)
    ]
