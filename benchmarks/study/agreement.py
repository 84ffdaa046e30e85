"""H1: which cheap measure of strength orders policies as the value that they lose a game to perfect play does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from ludus.arena.ratings.comparison import adjust_p_values

from ..common import table
from .design import GAMES
from .measuring import COUNTS
from .policies import WHOLE, MeasuredPolicy, policies_of_game, title
from .resampling import (
    SEED,
    BothIntervals,
    Draws,
    Floats,
    Number,
    Resampled,
    decimals,
    draw_counts,
    kendall,
    mean_of_defined,
    mean_of_known,
    mean_of_resampled,
    p_text,
    p_value,
    share_text,
    signs_of,
    spearman,
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
TESTS = (0, 1)
APART = tuple(game for game in GAMES if game not in WHOLE)


class Parts(NamedTuple):
    """What a measure's agreement with the error is made of.

    Args:
        policies: how many policies are compared.
        discordant: of the pairs that differ in both, the share that the measure orders the other way round.
        spearman: Spearman's rank correlation.
        reliability: that of test and retest.
        corrected: Spearman's correlation if the measure had no error of its own.
        within: the mean of τ-b of each trainer's policies.
        between: τ-b of the trainers' means.
    """

    policies: int
    discordant: Number
    spearman: Number
    reliability: Number
    corrected: Number
    within: Number
    between: Number


class Agreement(NamedTuple):
    """How far a measure orders policies as the error does.

    Args:
        tau: Kendall's τ-b, where more is better in both.
        parts: what it is made of.
    """

    tau: Resampled
    parts: Parts


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

    Returns:
        By game, how many `policies` are compared and how many are `left_out`, since a measure of theirs is not known; by game and
        measure, `taus`, the `parts` they are made of, and τ-b among the `good` half; by measure, the `mean` τ-b over the games that
        are solved, not defined of one that gives no order in a game, and its `gains` over Elo; and the means at equal `cost`: after
        so many games, by measure, beside the calls of an oracle for the value lost, as a median.
    """
    each = {game: agreements(game, COUNTS[-1]) for game in GAMES}
    compared = {game: measures[BASELINE].parts.policies for game, measures in each.items()}
    good = {game: agreements(game, COUNTS[-1], good=True) for game in WHOLE}
    return {
        "policies": compared,
        "left_out": {game: len(compared_policies(game)) - count for game, count in compared.items()},
        "taus": {game: {name: agreement.tau.intervals for name, agreement in measures.items()} for game, measures in each.items()},
        "parts": {game: {name: agreement.parts for name, agreement in measures.items()} for game, measures in each.items()},
        "mean": mean_taus([each[game] for game in WHOLE]),
        "gains": find_gains([each[game] for game in WHOLE]),
        "cost": [(games, mean_taus([agreements(game, games) for game in WHOLE]), median_calls(games)) for games in COUNTS],
        "good": {
            game: {name: agreement.tau.intervals.of_trainers for name, agreement in measures.items()}
            for game, measures in good.items()
        },
    }


def find_gains(games: Sequence[Mapping[str, Agreement]], baseline: str = BASELINE) -> dict[str, TauGain]:
    """By how much τ of each other measure is above that of a measure in these games; of those that order policies in each game."""
    gains = {
        name: mean_of_resampled([measures[name].tau.minus(measures[baseline].tau) for measures in games])
        for name in games[0]
        if name != baseline and all(np.isfinite(measures[name].tau.value) for measures in games)
    }
    p_values = [p_value(gain.of_trainers) for gain in gains.values()]
    rows = zip(gains.items(), p_values, adjust_p_values(p_values), strict=True)
    return {name: TauGain(gain.intervals, p, holm) for (name, gain), p, holm in rows}


def median_calls(games: int) -> float:
    """How often an oracle is asked for the value that a policy loses in so many games."""
    return median(policy.tests[0][games].calls for game in WHOLE for policy in compared_policies(game))


def mean_taus(games: Sequence[Mapping[str, Agreement]]) -> dict[str, BothIntervals]:
    """The mean over games of τ of each measure."""
    return {name: mean_of_resampled([measures[name].tau for measures in games]).intervals for name in MEASURES}


@cache
def agreements(game: str, games: int, good: bool = False) -> Mapping[str, Agreement]:
    """How the measures agree with the error after so many games; `good`: if the error is at most half of random play's."""
    policies = compared_policies(game)
    if good:
        random = next(policy.truth for policy in policies_of_game(game) if policy.cell.trainer == "random")
        policies = [policy for policy in policies if policy.truth <= random / 2]
    return compare_measures(policies, read_panel(game), games, seed_of(game))


def compared_policies(game: str) -> list[MeasuredPolicy]:
    """The policies of a game whose order is compared."""
    return [policy for policy in policies_of_game(game) if policy.is_compared]


def seed_of(game: str) -> tuple[int, int]:
    """The seed of a game's resamples."""
    return SEED, [*GAMES].index(game)


def draw_policies(policies: Sequence[MeasuredPolicy], seed: Sequence[int]) -> tuple[Draws, Draws]:
    """How often each policy is drawn in each resample of trainers, and of seeds within them, and of seeds alone."""
    trainers, seeds = [policy.trainer for policy in policies], [policy.cell.seed for policy in policies]
    random = np.random.default_rng(seed)
    return draw_counts(trainers, seeds, random), draw_counts(trainers, seeds, random, clusters=False)


def compare_measures(policies: Sequence[MeasuredPolicy], panel: Panel, games: int, seed: Sequence[int]) -> dict[str, Agreement]:
    """How each measure agrees with the error, over the policies of which the error and all measures are known.

    Args:
        policies: those that are compared.
        panel: their game's panel.
        games: after so many of their games.
        seed: that of the resamples, another one for each game.
    """
    good = -np.array([policy.truth for policy in policies])
    test, retest = (take_measures(policies, panel, games, number) for number in TESTS)
    known = np.isfinite([good, *test.values(), *retest.values()]).all(0)
    some = [policies[row] for row in np.flatnonzero(known).tolist()]
    trainers, (of_trainers, of_seeds) = [policy.trainer for policy in some], draw_policies(some, seed)
    return {name: agree(test[name][known], retest[name][known], good[known], trainers, of_trainers, of_seeds) for name in MEASURES}


def take_measures(policies: Sequence[MeasuredPolicy], panel: Panel, games: int, test: int) -> Mapping[str, Floats]:
    """The measures of policies after so many of their games, each turned so that more is better (N,); nan where no move was judged.

    Args:
        policies: the policies.
        panel: their game's panel.
        games: one of COUNTS; all games against the panel count at the last, and a part drawn without replacement before.
        test: 0 for the test, 1 for the retest.
    """
    random = np.random.default_rng([SEED, games, test])
    taken = [policy.tests[test][min(games, max(policy.tests[test]))] for policy in policies]
    against = [policy.panel[test] if games == COUNTS[-1] else draw_games(policy.panel[test], games, random) for policy in policies]
    return {
        "wins": np.array([measures.wins for measures in taken]),
        "club": np.array([measures.club_points for measures in taken]),
        "elo": np.array([panel.elo(counts) for counts in against]),
        "alpha_rank": np.array([panel.alpha_rank(counts) for counts in against]),
        "nash": np.array([panel.nash_value(counts) for counts in against]),
        "value_lost": -np.array([measures.value_lost for measures in taken], float),  # None becomes nan
        "weak": -np.array([measures.weak_value_lost for measures in taken], float),
    }


def agree(measure: Floats, again: Floats, good: Floats, trainers: Sequence[str], of_trainers: Draws, of_seeds: Draws) -> Agreement:
    """How a measure and its retest agree with what they should say, all three (N,) and more if better.

    Args:
        measure, again, good: the measure, its retest, and what they should say (N,).
        trainers: the trainer of each policy (N).
        of_trainers: how often each policy is drawn in each resample of trainers, and of seeds within them (B, N).
        of_seeds: the same where seeds alone are drawn (B, N).
    """
    x, y = signs_of(measure), signs_of(good)
    rho, reliability = spearman(measure, good), spearman(measure, again)
    inner = list[float]()
    means = list[tuple[float, float]]()
    for trainer in sorted({*trainers}):
        own = np.array([name == trainer for name in trainers])
        inner.append(float(kendall(x[np.ix_(own, own)], y[np.ix_(own, own)])[0]))
        means.append((float(measure[own].mean()), float(good[own].mean())))
    between = np.array(means)
    differ = np.abs(x * y).sum()
    parts = Parts(
        policies=len(good),
        discordant=float((x * y < 0).sum() / differ) if differ else float("nan"),
        spearman=rho,
        reliability=reliability,
        corrected=float(min(1.0, rho / np.sqrt(reliability))) if reliability > 0 else float("nan"),
        within=float(mean_of_defined(inner)),
        between=float(kendall(signs_of(between[:, 0]), signs_of(between[:, 1]))[0]),
    )
    return Agreement(tau_of(measure, good, of_trainers, of_seeds), parts)


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
        "parts": show_parts(row, ordering),
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


def show_parts(row: Mapping[str, Any], order: Sequence[str]) -> str:
    """The table of what agreement is made of, as means over the games that are solved."""
    lines = list[list[str]]()
    for measure in order:
        games = [Parts(*row["parts"][game][measure]) for game in WHOLE]
        columns = dict(zip(Parts._fields, map(mean_of_known, zip(*games, strict=True)), strict=True))
        means = [decimals(columns[name]) for name in ("spearman", "reliability", "corrected", "within", "between")]
        good = mean_of_known(measures[measure][0] for measures in row["good"].values())
        lines.append([MEASURES[measure], *means, share_text(columns["discordant"]), decimals(good)])
    return table(["measure", "Spearman", "reliability", "corrected", "within", "between", "wrong pairs", "good half"], lines)


# ---- what a search for a best response finds of the exact exploitability, and how both agree with the error, beside Elo

GRADED_GAMES = tuple(game for game, studied in GAMES.items() if studied.graded)
LEAST = 0.02
"""The least exact exploitability of which a share is given."""


def find_exploits(game: str) -> dict[str, Any]:
    """What a search for a best response finds in a game, of the policies of which the exact exploitability is known, too.

    Returns:
        Of how many `policies` it is known, how many of these are `beatable`, having LEAST or more, the median `share` of that which
        is found, and of how many `at_least_four_fifths`; how many have `exactly_one`; how many are `compared` with the error; and
        τ-b with the error of what is found, of the exact exploitability and of Elo, and the `gain` of the first over the last.
    """
    known = [
        (policy, policy.exploited, policy.exact["exploitability"])
        for policy in policies_of_game(game)
        if policy.exploited is not None and policy.exact
    ]
    shares = [max(0.0, gain) / exact for _, gain, exact in known if exact >= LEAST]
    compared = [(policy, gain, exact) for policy, gain, exact in known if policy.is_compared]
    taus: Sequence[BothIntervals | None] = [None] * 4
    if compared:
        policies, found, exact = zip(*compared, strict=True)
        good, draws = -np.array([policy.truth for policy in policies]), draw_policies(policies, seed_of(game))
        panel = read_panel(game)
        elo = np.array([panel.elo(policy.panel[TESTS[0]]) for policy in policies])
        of_found, of_exact, of_elo = (tau_of(measure, good, *draws) for measure in (-np.array(found), -np.array(exact), elo))
        taus = [tau.intervals for tau in (of_found, of_exact, of_elo, of_found.minus(of_elo))]
    return {
        "policies": len(known),
        "beatable": len(shares),
        "share": median(shares) if shares else None,
        "at_least_four_fifths": sum(share >= 0.8 for share in shares),
        "exactly_one": sum(exact > 1 - 1e-6 for _, _, exact in known),
        "compared": len(compared),
        **dict(zip(("tau_found", "tau_exact", "tau_elo", "gain"), taus, strict=True)),
    }


def show_exploits(games: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """What a search for a best response finds."""
    lines = list[list[str]]()
    for game, row in games.items():
        found, exact, gain = (row[name] and BothIntervals.read(row[name]) for name in ("tau_found", "tau_exact", "gain"))
        counts = str(row["policies"]), str(row["beatable"]), share_text(row["share"])
        over = str(row["at_least_four_fifths"]), str(row["exactly_one"])
        taus = [found.text(), decimals(exact.mean), gain.text()] if row["compared"] else ["", "", ""]
        lines.append([title(game), *counts, *over, *taus])
    heads = ["game", "policies", f"exploitability of {LEAST} or more", "found, median", "four fifths or more"]
    taus = {
        f"exploits.{name}": decimals(mean_of_known(row[name][0][0] for row in games.values() if row[name]))
        for name in ("tau_found", "tau_exact", "tau_elo")
    }
    return taus | {
        "exploits": table([*heads, "exploitability is 1", "τ, found", "τ, exact", "above Elo's τ"], lines),
        "exploits.policies": str(sum(row["policies"] for row in games.values())),
        "exploits.one": str(sum(row["exactly_one"] for row in games.values())),
    }
