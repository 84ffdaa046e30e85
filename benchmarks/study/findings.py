"""The answers to the three questions, as numbers, from the rows of the cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from math import comb
from statistics import NormalDist, median
from typing import Any

import numpy as np

from ludus.arena.ratings.comparison import adjust_p_values

from .agreement import (
    BASELINE,
    MEASURES,
    Agreement,
    compare_measures,
    difference,
    is_compared,
    mean_of,
    take_measures,
    tau_of,
    truth_of,
)
from .design import GAMES, LADDERS, SIZED, cells, every_cell
from .laws import fit_laws
from .learning import Curve, curves, kind_of, level_of
from .measuring import COUNTS, max_level
from .mistakes import Mistakes, lost_by_ply
from .places import error_file, is_done, read_row, rounded, seconds_of
from .policies import CLASSIC, MeasuredPolicy, read_policies
from .resampling import bounds
from .standing import Elo, read_panel

WHOLE = tuple(game for game, studied in GAMES.items() if studied.whole)
"""The games that are solved, in which the error is known."""
SEED = 0
HOLM = 0.05
NAMED = 10
"""Cells that an error names."""
EXPLOITED_SHARE = 0.02
"""The least exact exploitability of which a share is given."""


@cache
def policies_of_game(game: str) -> tuple[MeasuredPolicy, ...]:
    """The policies of a game.

    Raises:
        ValueError: cells of the study are not measured; the sentence names them.
    """
    check_rows()
    return tuple(read_policies(game))


def check_rows() -> None:
    """Refuses to find answers in a part of the rows.

    Raises:
        ValueError: cells have neither a row nor a sentence that says why they have none; the sentence names them.
    """
    every = every_cell()
    missing = [cell for cell in every if not is_done(cell)]
    if missing:
        names = ", ".join(f"{cell.game} {cell.name}" for cell in missing[:NAMED])
        more = f" and {len(missing) - NAMED:,} more" if len(missing) > NAMED else ""
        seeds = ", ".join(map(str, sorted({cell.seed for cell in missing if not cell.is_classic})))
        of_seeds = f" (of seeds {seeds})" if seeds else ""
        raise ValueError(
            f"{len(missing):,} of {len(every):,} cells are not measured: {names}{more}{of_seeds}; "
            "`python -m benchmarks.study` measures them"
        )


@cache
def ratings(game: str) -> Mapping[tuple[str, str], Elo]:
    """The ratings of a game's policies from all of their games, by the names of cell and policy."""
    panel, random = read_panel(game), np.random.default_rng(SEED)
    return {(policy.cell.name, policy.name): panel.rate(policy.panel.sum(0), random) for policy in policies_of_game(game)}


# ---- what there is


def count_cells() -> dict[str, Any]:
    """For each game the cells, those that failed, policies, games for ratings and hours; why cells failed; and rows by commit."""
    found, failed, commits = dict[str, Any](), list[str](), Counter[str]()
    for game in GAMES:
        every = [*cells(game)]
        rows = [row for cell in every if (row := read_row(cell))]
        wrong = [cell for cell in every if error_file(cell).exists()]
        commits.update(row.get("commit") or "" for row in rows)
        failed += [error_file(cell).read_text(encoding="utf-8").strip() for cell in wrong]
        policies = policies_of_game(game)
        found[game] = {
            "cells": len(every),
            "rows": len(rows),
            "failed": len(wrong),
            "policies": len(policies),
            "rated": int(sum(policy.panel.sum() for policy in policies)),
            "hours": sum(map(seconds_of, rows)) / 3600,
        }
    return {"games": found, "failed": failed, "commits": dict(commits)}


# ---- H1


@cache
def agreements(game: str, games: int, good: bool = False) -> Mapping[str, Agreement]:
    """How the measures agree with the error after so many games; `good`: if the error is at most half of random play's."""
    policies = [policy for policy in policies_of_game(game) if is_compared(policy)]
    if good:
        random = next(truth_of(policy) for policy in policies_of_game(game) if policy.cell.trainer == "random")
        policies = [policy for policy in policies if truth_of(policy) <= random / 2]
    return compare_measures(policies, read_panel(game), games, [SEED, [*GAMES].index(game)])


def find_agreement() -> dict[str, Any]:
    """τ-b of each measure with its interval, by game and on average; what each gains over Elo; the same at equal cost."""
    most, every = COUNTS[-1], [agreements(game, COUNTS[-1]) for game in WHOLE]
    gains = {name: difference(every, name) for name in MEASURES if name != BASELINE}
    adjusted = adjust_p_values([gain.p for gain in gains.values()])
    compared = {game: agreements(game, most)[BASELINE].policies for game in GAMES}
    return {
        "policies": compared,
        "left_out": {game: sum(map(is_compared, policies_of_game(game))) - count for game, count in compared.items()},
        "games": {game: {name: numbers(one) for name, one in agreements(game, most).items()} for game in GAMES},
        "mean": {name: interval_of_mean(every, name) for name in MEASURES},
        "gains": {name: {**gain._asdict(), "holm": p} for (name, gain), p in zip(gains.items(), adjusted, strict=True)},
        "cost": {str(games): cost_of(games) for games in COUNTS},
        "good": {game: good_half(game) for game in WHOLE},
    }


def numbers(agreement: Agreement) -> dict[str, Any]:
    """An agreement without its resamples, but with the bounds of τ."""
    found = agreement._asdict()
    resampled, alone = found.pop("resampled"), found.pop("alone")
    return {**found, "bounds": bounds(resampled), "bounds_alone": bounds(alone)}


def interval_of_mean(every: Sequence[Mapping[str, Agreement]], name: str) -> list[float]:
    """The mean over games of τ of a measure, with its interval, and with that of seeds alone."""
    tau, resampled, alone = (mean_of(every, name, what) for what in ("tau", "resampled", "alone"))
    return [float(tau), *bounds(resampled), *bounds(alone)]


def cost_of(games: int) -> dict[str, Any]:
    """After so many games: the mean τ and reliability of each measure, and how often an oracle is asked for it, as a median."""
    every = [agreements(game, games) for game in WHOLE]
    calls = [policy.tests[0][games].calls for game in WHOLE for policy in policies_of_game(game) if is_compared(policy)]
    return {
        "tau": {name: interval_of_mean(every, name) for name in MEASURES},
        "reliability": {name: float(mean_of(every, name, "reliability")) for name in MEASURES},
        "calls": median(calls),
    }


def good_half(game: str) -> dict[str, Any]:
    """The same among policies whose error is at most half of random play's."""
    found = agreements(game, COUNTS[-1], good=True)
    return {name: [one.tau, *bounds(one.resampled)] for name, one in found.items()}


# ---- ratings beside perfect play


def find_ratings(game: str) -> dict[str, Any]:
    """Ratings beside that of perfect play, and the points of the figure: trainer, Elo with its bounds, error."""
    elo, policies = ratings(game), policies_of_game(game)
    perfect = elo["perfect", ""]
    trained = [policy for policy in policies if policy.trainer != CLASSIC and policy.cell.level]
    above = [policy for policy in trained if elo[policy.cell.name, policy.name].elo > perfect.elo]
    p_values = adjust_p_values([p_of_above(elo[policy.cell.name, policy.name], perfect) for policy in trained])
    certain = [policy for policy, p in zip(trained, p_values, strict=True) if p < HOLM]
    return {
        "perfect": perfect,
        "trained": len(trained),
        "above": len(above),
        "above_lost": max((policy.lost or 0.0 for policy in above), default=0.0),
        "certain": [
            [f"{policy.cell.name} {policy.name}".strip(), *elo[policy.cell.name, policy.name], policy.lost]
            for policy in sorted(certain, key=lambda one: -elo[one.cell.name, one.name].elo)[:5]
        ],
        "number_certain": len(certain),
        "certain_losing": sum(bool(policy.lost) for policy in certain),
        "error": median(elo[policy.cell.name, policy.name].error for policy in trained),
        "points": [[policy.trainer, *(elo[policy.cell.name, policy.name]), policy.lost, policy.searches] for policy in trained],
    }


def p_of_above(rating: Elo, perfect: Elo) -> float:
    """How probable a rating so far above perfect play's is if they are equal: two-sided, of normal errors; 1 if it is not above."""
    ahead = (rating.elo - perfect.elo) / np.hypot(rating.error, perfect.error)
    return 2 * (1 - NormalDist().cdf(ahead)) if ahead > 0 else 1.0


# ---- H2


@cache
def curves_of_game(game: str) -> tuple[Curve, ...]:
    """How each kind of policy does at each budget."""
    return tuple(curves(policies_of_game(game), {names: rating.elo for names, rating in ratings(game).items()}))


def find_learning(game: str) -> dict[str, Any]:
    """For each kind: levels of error and Elo at each budget, their changes, whether it learnt, and laws, the likeliest first."""
    return {
        curve.kind: {
            "budgets": curve.budgets,
            "seeds": curve.values["error"].shape[1],
            "untrained": float(np.mean(curve.untrained)),
            "error": [curve.level("error", number) for number in range(len(curve.budgets))],
            "elo": [curve.level("elo", number) for number in range(len(curve.budgets))],
            "change": {what: curve.change(what) for what in ("error", "elo")},
            "learnt": curve.has_learnt,
            "seconds": curve.seconds,
            "laws": fit_laws(np.array(curve.budgets, float), curve.values["error"]),
        }
        for curve in curves_of_game(game)
    }


def find_sizes(game: str) -> dict[str, Any]:
    """The error by the size of what is learnt, at the budget at which it is varied: the size, parameters, mean and bounds."""
    found = dict[str, Any]()
    for ladder in LADDERS:
        own = [policy for policy in policies_of_game(game) if policy.trainer == ladder.trainer and policy.cell.level == SIZED]
        for size in ("", *ladder.sizes) if ladder.sizes else ():
            some = [policy for policy in own if policy.cell.size == size]
            if some:
                parameters = median(policy.training["parameters"] for policy in some)
                found[f"{ladder.trainer} {size}".strip()] = [parameters, *level_of(np.array([p.lost for p in some], float))]
    return found


# ---- H3


def at_last_budget(game: str) -> dict[str, list[MeasuredPolicy]]:
    """The policies with the largest budget and the usual size, by kind."""
    last = [
        policy
        for policy in policies_of_game(game)
        if policy.trainer != CLASSIC and not policy.cell.size and policy.cell.level == max_level(policy.cell)
    ]
    return {kind: [policy for policy in last if kind_of(policy) == kind] for kind in dict.fromkeys(map(kind_of, last))}


def find_mistakes(game: str) -> dict[str, Any]:
    """For each kind: how often it errs by distance and by frequency, the slopes, and by which ply half of the value is lost."""
    found = dict[str, Any]()
    for kind, policies in at_last_budget(game).items():
        row = dict[str, Any]()
        for what in ("by_distance", "by_frequency"):
            if mistakes := Mistakes.of(policies, what):
                row[what] = {"least": mistakes.least, "rates": mistakes.rates.tolist(), "slope": mistakes.slope()}
        lost = lost_by_ply(policies)
        row["half_lost"] = next((ply for ply, share in lost.items() if share >= 0.5), None)
        found[kind] = row
    return found


# ---- best responses


def find_exploits(game: str) -> dict[str, Any]:
    """What a search for a best response finds of the exact exploitability: the median share, and of how many policies; and how both
    agree with the error."""
    known = [
        (policy.exploited, policy.exact["exploitability"])
        for policy in policies_of_game(game)
        if policy.exploited is not None and policy.exact
    ]
    shares = [max(0.0, found) / exact for found, exact in known if exact >= EXPLOITED_SHARE]
    return {
        "policies": len(known),
        "beatable": len(shares),
        "share": median(shares) if shares else None,
        "at_least_four_fifths": sum(share >= 0.8 for share in shares),
        "exactly_one": sum(exact > 1 - 1e-6 for _, exact in known),
        **agree_exploits(game),
    }


def agree_exploits(game: str) -> dict[str, Any]:
    """τ-b with the error of what a search for a best response finds, and of the exact exploitability, where both are known."""
    compared = [
        policy for policy in policies_of_game(game) if is_compared(policy) and policy.exploited is not None and policy.exact
    ]
    good = -np.array([truth_of(policy) for policy in compared])
    measures = {
        "tau_found": [policy.exploited for policy in compared],
        "tau_exact": [policy.exact["exploitability"] for policy in compared],
    }
    seed = [SEED, [*GAMES].index(game)]
    taus = {name: tau_of(-np.array(values, float), good, compared, seed) for name, values in measures.items()} if compared else {}
    return {"compared": len(compared), **taus}


# ---- all policies, as a table


def policy_rows() -> list[dict[str, Any]]:
    """A row for each policy, with all its measures of the test after all its games; value that is lost is negative."""
    rows = list[dict[str, Any]]()
    for game in GAMES:
        policies, elo = policies_of_game(game), ratings(game)
        measures = take_measures(policies, read_panel(game), COUNTS[-1], 0)
        for number, policy in enumerate(policies):
            cell, rating = policy.cell, elo[policy.cell.name, policy.name]
            rows.append(
                rounded(
                    {
                        "game": game,
                        "policy": cell.name,
                        "simulations": policy.name,
                        "trainer": policy.trainer,
                        "size": cell.size,
                        "budget": cell.budget,
                        "seed": cell.seed,
                        "seconds": policy.training.get("seconds"),
                        "lost": policy.lost,
                        "lost_error": policy.error,
                        "elo_of_all_games": rating.elo,
                        "elo_low": rating.low,
                        "elo_high": rating.high,
                        "exploitability": policy.exact.get("exploitability"),
                        "exploited": policy.exploited,
                        **{name: float(column[number]) for name, column in measures.items()},
                    }
                )
            )
    return rows


def primary_outcomes(agreement: Mapping[str, Any], learning: Mapping[str, Any], mistakes: Mapping[str, Any]) -> dict[str, Any]:
    """The three primary outcomes, each with its p-value, and corrected by Holm.

    The second is the exact sign test of how many kinds and games show a change in the error alone against in Elo alone; the third
    that of how many slopes are clear of 0 on either side.
    """
    only_error = only_elo = both = neither = 0
    for kinds in learning.values():
        for kind in kinds.values():
            falls, rises = kind["change"]["error"][2] < 0, kind["change"]["elo"][1] > 0
            both, neither = both + (falls and rises), neither + (not falls and not rises)
            only_error, only_elo = only_error + (falls and not rises), only_elo + (rises and not falls)
    slopes = [kind["by_distance"]["slope"] for kinds in mistakes.values() for kind in kinds.values() if "by_distance" in kind]
    slopes = [slope for slope in slopes if slope]
    up, down = sum(slope[1] > 0 for slope in slopes), sum(slope[2] < 0 for slope in slopes)
    p_values = [agreement["gains"]["value_lost"]["p"], sign_test(only_error, only_elo), sign_test(up, down)]
    return {
        "p": adjust_p_values(p_values),
        "changes": {"both": both, "neither": neither, "only_error": only_error, "only_elo": only_elo},
        "slopes": {"all": len(slopes), "up": up, "down": down},
    }


def sign_test(one: int, other: int) -> float:
    """How probable so uneven a split is if both sides are as likely, two-sided."""
    total = one + other
    return min(1.0, 2 * sum(comb(total, count) for count in range(min(one, other) + 1)) / 2**total) if total else 1.0
