"""H2: how the error falls with budget, with the size of what is learnt and with simulations, and whether Elo shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from ludus.arena.report.words import MINUS

from ..common import table
from ..seeds import summarise
from .design import GAMES, LADDERS, SIZED
from .policies import CLASSIC, policies_of_game, title
from .resampling import SEED, Floats, Interval, bounds, decimals, draw_seeds, iqm
from .standing import ratings

CENSORED = 1e-4
"""Errors below are known to be below, and no more (Tobit's model; J. Tobin, Econometrica 26 (1958), 24–36)."""
LEAST_SPREAD = 0.02
"""The least standard deviation of the logarithm of an error, in decades: otherwise a law that meets all points is certain."""
SIZED_GAMES = tuple(game for game, studied in GAMES.items() if studied.sizes)


class Fit(NamedTuple):
    """A law fitted to all seeds.

    Args:
        law: its name.
        parameters: those of the law, and the logarithm of the spread.
        held_out: the mean logarithm of the likelihood of an error of a seed by the fit to all other seeds.
    """

    law: str
    parameters: tuple[float, ...]
    held_out: float


# ---- what is found


def find_learning(game: str) -> dict[str, dict[str, Any]]:
    """How each kind of trained policy that has the usual size learns a game.

    Returns:
        By kind, its `budgets`, rising, and how many `seeds` there are of each; the interquartile mean of the errors of `untrained`
        policies; the `error` and the `elo` as `progress_of` has them; whether it has `learnt`, so that the error at the largest
        budget lies below that of untrained policies by more than the interval; and the `laws` of the error, the likeliest first.
    """
    usual = [policy for policy in policies_of_game(game) if policy.trainer != CLASSIC and not policy.cell.size]
    findings = dict[str, dict[str, Any]]()
    for kind in dict.fromkeys(policy.kind for policy in usual):
        own = [policy for policy in usual if policy.kind == kind]
        by_run = {(policy.cell.budget, policy.cell.seed): policy for policy in own if policy.cell.level}
        budgets, seeds = (sorted({*each}) for each in zip(*by_run, strict=True))
        whole = [seed for seed in seeds if all((budget, seed) in by_run for budget in budgets)]
        runs = [[by_run[budget, seed] for seed in whole] for budget in budgets]
        errors = np.array([[policy.lost for policy in row] for row in runs], float)
        elo = np.array([[ratings(game)[policy.cell.name, policy.name].elo for policy in row] for row in runs])
        untrained = np.array([policy.lost for policy in own if not policy.cell.level], float)  # one where the seed does not matter
        random = np.random.default_rng(SEED)
        before = iqm(untrained[draw_seeds(len(untrained), random)])
        findings[kind] = {
            "budgets": tuple(budgets),
            "seeds": len(whole),
            "untrained": float(iqm(untrained)),
            "error": progress_of(errors),
            "elo": progress_of(elo),
            "learnt": bounds(iqm(errors[-1][draw_seeds(len(whole), random)]) - before)[1] < 0,
            "laws": fit_laws(np.array(budgets, float), errors),
        }
    return findings


def progress_of(values: Floats) -> tuple[list[Interval], Interval]:
    """The interquartile means of values by budget and seed (L, S), and their change from the first budget to the last; seeds are
    drawn, so that a seed's first and last value stay together."""
    first, last = values[0], values[-1]
    drawn = draw_seeds(len(first), np.random.default_rng(SEED))
    change = Interval.of(float(iqm(last) - iqm(first)), iqm(last[drawn]) - iqm(first[drawn]))
    return [summarise([seeds]).interval for seeds in values.tolist()], change


def find_sizes(game: str) -> dict[str, Interval]:
    """The error by the size of what is learnt, at the budget at which it is varied."""
    sizes = dict[str, Interval]()
    for ladder in LADDERS:
        own = [policy for policy in policies_of_game(game) if policy.trainer == ladder.trainer and policy.cell.level == SIZED]
        for size in ("", *ladder.sizes) if ladder.sizes else ():
            errors = np.array([policy.lost for policy in own if policy.cell.size == size], float)
            if len(errors):
                sizes[f"{ladder.trainer} {size}".strip()] = summarise([errors.tolist()]).interval
    return sizes


# ---- the law by which the error falls with budget, where very small errors are censored


def power(x: Floats, share: Floats, p: Floats) -> Floats:
    """A power law: the logarithm falls with that of the budget."""
    return p[0] - p[1] * x


def exponential(x: Floats, share: Floats, p: Floats) -> Floats:
    """An exponential: the logarithm falls with the budget."""
    return p[0] - p[1] * share


def floor_and_power(x: Floats, share: Floats, p: Floats) -> Floats:
    """A power law towards a floor."""
    return np.logaddexp(np.log(10) * p[2], np.log(10) * (p[0] - p[1] * x)) / np.log(10)


Law = Callable[[Floats, Floats, Floats], Floats]
"""The logarithm of the error, to the base 10, from that of the budget over the first one, the budget's share of the last, and
parameters."""
LAWS: dict[str, tuple[Law, tuple[tuple[float, ...], ...]]] = {
    "power law": (power, ((-0.5, 0.1), (-0.2, 0.6))),
    "exponential": (exponential, ((-0.5, 0.1), (-0.2, 3.0))),
    "floor and power law": (floor_and_power, ((-0.2, 0.5, -1.0), (-0.2, 1.0, -3.0), (-0.5, 0.1, -4.0))),
}
"""The laws, with the parameters that a search for the likeliest ones starts from."""


def fit_laws(budgets: Floats, errors: Floats) -> list[Fit]:
    """Each law, the likeliest of seeds that it has not seen first.

    Args:
        budgets: rising (L,).
        errors: of each seed (L, S).
    """
    x, share = np.log10(budgets / budgets[0]), budgets / budgets[-1]
    seeds = range(errors.shape[1])
    fits = list[Fit]()
    for name, (law, starts) in LAWS.items():
        parameters = fit(law, starts, x, share, errors)
        left = [
            -cost(fit(law, starts, x, share, np.delete(errors, seed, axis=1)), law, x, share, errors[:, [seed]]) for seed in seeds
        ]
        fits.append(Fit(name, tuple(parameters.tolist()), float(np.mean(left)) / len(budgets)))
    return sorted(fits, key=lambda each: -each.held_out)


def fit(law: Law, starts: tuple[tuple[float, ...], ...], x: Floats, share: Floats, errors: Floats) -> Floats:
    """The likeliest parameters of a law, and the logarithm of its spread."""
    from scipy.optimize import minimize

    ends = list[tuple[float, Floats]]()
    for start in starts:
        best = minimize(cost, [*start, np.log(0.3)], (law, x, share, errors), method="Nelder-Mead", options={"maxiter": 2_000})
        ends.append((best.fun, best.x))
    return min(ends, key=itemgetter(0))[1]


def cost(parameters: Floats, law: Law, x: Floats, share: Floats, errors: Floats) -> float:
    """Less the logarithm of the likelihood of errors (L, S) that are normal about a law, in decades, and censored below."""
    from scipy.special import log_ndtr

    spread = LEAST_SPREAD + np.exp(parameters[-1])
    away = (np.log10(np.maximum(errors, CENSORED)) - law(x, share, parameters)[:, None]) / spread
    seen = -(away**2) / 2 - np.log(spread * np.sqrt(2 * np.pi))
    return -float(np.where(errors < CENSORED, log_ndtr(away), seen).sum())


# ---- tables


def show_learning(games: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """What each kind of policy learns: the error at the first budget and the last, and by how much Elo rises."""
    rows = [row for kinds in games.values() for row in kinds.values()]
    names = dict.fromkeys(kind for kinds in games.values() for kind in kinds)
    lines = [[kind, *(learning_text(kinds[kind]) if kind in kinds else "" for kinds in games.values())] for kind in names]
    laws = [row["laws"][0][0] for row in rows if row["learnt"]]
    budgets = [[ladder.trainer, f"{ladder.budgets[0]:,} to {ladder.budgets[-1]:,} {ladder.unit}"] for ladder in LADDERS]
    searching = [
        [kind, *(Interval(*kinds[kind]["error"][0][-1]).text() for kinds in games.values())]
        for kind in names
        if kind.startswith("alphazero")
    ]
    return {
        "learning": table(["", *map(title, games)], lines, align="ll"),
        "search": table(["at the largest budget", *map(title, games)], searching),
        "budgets": table(["trainer", "budgets"], budgets, align="ll"),
        "learnt": f"{sum(row['learnt'] for row in rows)} of {len(rows)}",
        **{f"laws.{name.split()[0]}": str(laws.count(name)) for name in LAWS},
    }


def learning_text(row: Mapping[str, Any]) -> str:
    """The error before training, at the first budget and at the last, and by how much Elo rises; ¹ if it has not learnt."""
    (levels, _), (_, elo) = row["error"], row["elo"]
    first, *_, last = (decimals(mean) for mean, _, _ in levels)
    mark = "" if row["learnt"] else "¹"
    return f"{decimals(row['untrained'])} → {first} → {last}{mark}; {elo[0] or 0.0:+.0f}".replace("-", MINUS)


def show_sizes(games: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """A line for each size: the error in each game."""
    names = dict.fromkeys(name for sizes in games.values() for name in sizes)
    lines = [[name, *(Interval(*sizes[name]).text() if name in sizes else "" for sizes in games.values())] for name in names]
    return {"sizes": table(["what learns", *map(title, games)], lines)}
