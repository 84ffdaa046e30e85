"""H2: how the error falls with budget, with the size of what is learnt and with simulations, and whether Elo shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludus.core.words import MINUS

from ..common import table
from ..seeds import summarise
from .design import GAMES, LADDERS, SIZED
from .policies import CLASSIC, policies_of_game, title
from .resampling import SEED, Floats, Interval, bounds, decimals, draw_seeds, iqm
from .standing import ratings

SIZED_GAMES = tuple(game for game, studied in GAMES.items() if studied.sizes)


# ---- what is found


def find_learning(game: str) -> dict[str, dict[str, Any]]:
    """How each kind of trained policy that has the usual size learns a game.

    By kind, its `budgets`, rising, and how many `seeds` there are of each; the interquartile mean of the errors of `untrained`
    policies; the `error` and the `elo` as `progress_of` has them; and whether it has `learnt`, so that the error at the largest
    budget lies below that of untrained policies by more than the interval.
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


# ---- tables


def show_learning(games: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """What each kind of policy learns: the error at the first budget and the last, and by how much Elo rises."""
    rows = [row for kinds in games.values() for row in kinds.values()]
    names = dict.fromkeys(kind for kinds in games.values() for kind in kinds)
    lines = [[kind, *(learning_text(kinds[kind]) if kind in kinds else "" for kinds in games.values())] for kind in names]
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
