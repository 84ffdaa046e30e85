"""H1: which cheap measure of strength orders policies as the value that they lose a game to perfect play does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.arena.ratings.comparison import adjust_p_values

from ..common import table
from .design import GAMES
from .measuring import COUNTS
from .policies import WHOLE, MeasuredPolicy, policies_of_game, title
from .resampling import (
    SEED,
    BothIntervals,
    Floats,
    Resampled,
    decimals,
    draw_counts,
    mean_of_resampled,
    p_text,
    p_value,
    tau_of,
)
from .standing import Panel, draw_games, read_panel

MEASURES = {
    "wins": "wins against random play",
    "club": "points against minimax of depth 2",
    "elo": "Elo",
    "alpha_rank": "α-Rank",
    "nash": "Nash averaging",
    "value_lost": "value lost a move, by the oracle",
    "weak": "value lost a move, by a weak oracle",
}
"""The measures that all policies have. Each is turned so that more is better."""
BASELINE = "elo"
"""The measure that all others are compared with."""
APART = tuple(game for game in GAMES if game not in WHOLE)


class TauGain(NamedTuple):
    """By how much τ of a measure is above that of another, as the mean over games.

    Args:
        tau: the difference.
        p: its p-value by resamples of trainers, and of seeds within them.
        holm: the same after Holm's correction over all measures.
    """

    tau: BothIntervals
    p: float
    holm: float


# ---- what is found


def find_agreement() -> dict[str, Any]:
    """How measures agree with the error.

    By game, how many `policies` are compared and how many are `left_out`, since a measure of theirs is not known; by game and
    measure, `taus`; by measure, the `mean` τ-b over the games that are solved, not defined of one that gives no order in one, and
    its `gains` over Elo; and the means at equal `cost`: after this many games, by measure, beside the calls of an oracle for the
    value lost, as a median.
    """
    each = {game: agreements(game, COUNTS[-1]) for game in GAMES}
    compared = {game: int(known_measures(game, COUNTS[-1])[1].sum()) for game in GAMES}
    return {
        "policies": compared,
        "left_out": {game: len(compared_policies(game)) - count for game, count in compared.items()},
        "taus": {game: {name: tau.intervals for name, tau in measures.items()} for game, measures in each.items()},
        "mean": mean_taus([each[game] for game in WHOLE]),
        "gains": find_gains([each[game] for game in WHOLE]),
        "cost": [(games, mean_taus([agreements(game, games) for game in WHOLE]), median_calls(games)) for games in COUNTS],
    }


def find_gains(games: Sequence[Mapping[str, Resampled]], baseline: str = BASELINE) -> dict[str, TauGain]:
    """By how much τ of each other measure is above that of a measure in these games; of those that order policies in each game."""
    gains = {
        name: mean_of_resampled([measures[name].minus(measures[baseline]) for measures in games])
        for name in games[0]
        if name != baseline and all(np.isfinite(measures[name].value) for measures in games)
    }
    p_values = [p_value(gain.of_trainers) for gain in gains.values()]
    rows = zip(gains.items(), p_values, adjust_p_values(p_values), strict=True)
    return {name: TauGain(gain.intervals, p, holm) for (name, gain), p, holm in rows}


def median_calls(games: int) -> float:
    """How often an oracle is asked for the value that a policy loses in this many games."""
    return median(policy.tests[0][games].calls for game in WHOLE for policy in compared_policies(game))


def mean_taus(games: Sequence[Mapping[str, Resampled]]) -> dict[str, BothIntervals]:
    """The mean over games of τ of each measure."""
    return {name: mean_of_resampled([measures[name] for measures in games]).intervals for name in MEASURES}


@cache
def agreements(game: str, games: int) -> Mapping[str, Resampled]:
    """τ-b of each measure with the error after this many games, over the policies of which the error and all measures are known."""
    measures, known = known_measures(game, games)
    policies = [policy for policy, is_known in zip(compared_policies(game), known, strict=True) if is_known]
    trainers, seeds = [policy.trainer for policy in policies], [policy.cell.seed for policy in policies]
    random = np.random.default_rng((SEED, [*GAMES].index(game)))
    draws = draw_counts(trainers, seeds, random), draw_counts(trainers, seeds, random, clusters=False)
    good = -np.array([policy.truth for policy in policies])
    return {name: tau_of(values[known], good, *draws) for name, values in measures.items()}


@cache
def known_measures(game: str, games: int) -> tuple[Mapping[str, Floats], NDArray[np.bool_]]:
    """The measures of a game's compared policies after this many games (N,), and of whom all and the error are known (N,)."""
    policies = compared_policies(game)
    measures = take_measures(policies, read_panel(game), games)
    return measures, np.isfinite([[policy.truth for policy in policies], *measures.values()]).all(0)


def compared_policies(game: str) -> list[MeasuredPolicy]:
    """The policies of a game whose order is compared."""
    return [policy for policy in policies_of_game(game) if policy.is_compared]


def take_measures(policies: Sequence[MeasuredPolicy], panel: Panel, games: int) -> Mapping[str, Floats]:
    """The measures of policies after this many of their games, turned so that more is better (N,); nan where no move was judged.

    Args:
        policies: the policies.
        panel: their game's panel.
        games: one of COUNTS; all games against the panel count at the last, and a part drawn without replacement before.
    """
    random = np.random.default_rng([SEED, games, 0])
    taken = [policy.tests[0][min(games, max(policy.tests[0]))] for policy in policies]
    against = [policy.panel[0] if games == COUNTS[-1] else draw_games(policy.panel[0], games, random) for policy in policies]
    return {
        "wins": np.array([measures.wins for measures in taken]),
        "club": np.array([measures.club_points for measures in taken]),
        "elo": np.array([panel.elo(counts) for counts in against]),
        "alpha_rank": np.array([panel.alpha_rank(counts) for counts in against]),
        "nash": np.array([panel.nash_value(counts) for counts in against]),
        "value_lost": -np.array([measures.value_lost for measures in taken], float),  # None becomes nan
        "weak": -np.array([measures.weak_value_lost for measures in taken], float),
    }


# ---- tables


def show_agreement(row: Mapping[str, Any]) -> dict[str, str]:
    """The tables of H1, the measure with the largest mean τ first."""
    mean = {name: BothIntervals.read(tau) for name, tau in row["mean"].items()}
    gains = {name: TauGain(BothIntervals.read(tau), *p_values) for name, (tau, *p_values) in row["gains"].items()}
    costs = {games: ({name: BothIntervals.read(tau) for name, tau in taus.items()}, calls) for games, taus, calls in row["cost"]}
    order = sorted(MEASURES, key=lambda name: mean[name].mean or 0.0, reverse=True)
    ordering = [name for name in order if mean[name].mean is not None]  # those that order policies in each game
    taus = {game: {name: decimals(of_trainers[0]) for name, (of_trainers, _) in row["taus"][game].items()} for game in GAMES}
    whole, apart = ({name: [taus[game][name] for game in games] for name in order} for games in (WHOLE, APART))
    return {
        "agreement": table(
            ["measure", f"mean of {len(WHOLE)}", "seeds alone", *map(title, WHOLE)],
            [[MEASURES[name], mean[name].text(), mean[name].of_seeds.span(), *whole[name]] for name in order],
        ),
        "apart": table(["measure", *map(title, APART)], [[MEASURES[name], *apart[name]] for name in order]),
        "gains": table(
            ["measure", "τ above that of Elo", "seeds alone", "p, Holm"],
            [
                [MEASURES[name], gains[name].tau.text(), gains[name].tau.of_seeds.span(), p_text(gains[name].holm)]
                for name in order
                if name in gains
            ],
        ),
        "cost": table(
            ["measure", *(f"{games:,} games" for games in costs)],
            [[MEASURES[name], *(tau[name].text() for tau, _ in costs.values())] for name in ordering],
        ),
        "compared": f"{sum(row['policies'][game] for game in WHOLE):,}",
        "compared.apart": f"{sum(row['policies'][game] for game in APART):,}",
        "left_out": f"{sum(row['left_out'].values()):,}",
        **{f"tau.{name}": mean[name].text() for name in MEASURES},
        **{f"gain.{name}": gain.tau.text() for name, gain in gains.items()},
        **{f"calls.{games}": f"{calls:,.0f}" for games, (_, calls) in costs.items()},
        **{f"tau.{name}.{games}": decimals(tau[name].mean) for name in MEASURES for games, (tau, _) in costs.items()},
        **{f"{game}.{name}": tau for game, measures in taus.items() for name, tau in measures.items()},
    }
