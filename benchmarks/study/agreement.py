"""H1: which cheap measure of strength orders policies as the value that they lose a game to perfect play does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import NamedTuple

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
    Interval,
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


class EqualCost(NamedTuple):
    """The measures after so many games of each policy.

    Args:
        games: the number.
        tau: the mean τ-b over games, by measure.
        calls: how often an oracle is asked for the value lost, as a median.
    """

    games: int
    tau: dict[str, BothIntervals]
    calls: float


@dataclass(frozen=True)
class AgreementFinding:
    """How measures agree with the error.

    Args:
        policies: how many policies are compared, by game.
        left_out: how many are not, since a measure of theirs is not known, by game.
        taus: τ-b, by game and measure.
        parts: what it is made of, by game and measure.
        mean: the mean τ-b over the games that are solved, by measure; of one that gives no order in a game it is not defined.
        gains: how far it is above that of Elo, by measure.
        cost: the same after other numbers of games.
        good: τ-b among the policies whose error is at most half of random play's, by game and measure.
    """

    policies: dict[str, int]
    left_out: dict[str, int]
    taus: dict[str, dict[str, BothIntervals]]
    parts: dict[str, dict[str, Parts]]
    mean: dict[str, BothIntervals]
    gains: dict[str, TauGain]
    cost: list[EqualCost]
    good: dict[str, dict[str, Interval]]


# ---- what is found


def find_agreement() -> AgreementFinding:
    """τ-b of each measure with its interval, by game and on average; what each gains over Elo; the same at equal cost."""
    each = {game: agreements(game, COUNTS[-1]) for game in GAMES}
    compared = {game: measures[BASELINE].parts.policies for game, measures in each.items()}
    return AgreementFinding(
        policies=compared,
        left_out={game: len(compared_policies(game)) - count for game, count in compared.items()},
        taus={game: {name: agreement.tau.intervals for name, agreement in measures.items()} for game, measures in each.items()},
        parts={game: {name: agreement.parts for name, agreement in measures.items()} for game, measures in each.items()},
        mean={name: mean_tau([each[game] for game in WHOLE], name).intervals for name in MEASURES},
        gains=find_gains([each[game] for game in WHOLE]),
        cost=[find_cost(games) for games in COUNTS],
        good={
            game: {name: agreement.tau.intervals.of_trainers for name, agreement in agreements(game, COUNTS[-1], good=True).items()}
            for game in WHOLE
        },
    )


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


def find_cost(games: int) -> EqualCost:
    """The measures after so many games of each policy."""
    every = [agreements(game, games) for game in WHOLE]
    calls = [policy.tests[0][games].calls for game in WHOLE for policy in compared_policies(game)]
    return EqualCost(games, {name: mean_tau(every, name).intervals for name in MEASURES}, median(calls))


def mean_tau(games: Sequence[Mapping[str, Agreement]], measure: str) -> Resampled:
    """The mean over games of τ of a measure."""
    return mean_of_resampled([measures[measure].tau for measures in games])


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


def show_agreement(finding: AgreementFinding) -> dict[str, str]:
    """The tables of H1, the measure with the largest mean τ first."""
    mean, gains = finding.mean, finding.gains
    order = sorted(MEASURES, key=lambda name: mean[name].mean or 0.0, reverse=True)
    ordering = [name for name in order if mean[name].mean is not None]  # those that order policies in each game
    taus = {game: {name: decimals(tau.mean) for name, tau in measures.items()} for game, measures in finding.taus.items()}
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
        "parts": show_parts(finding, ordering),
        "cost": table(
            ["measure", *(f"{cost.games:,} games" for cost in finding.cost)],
            [[MEASURES[name], *(cost.tau[name].text() for cost in finding.cost)] for name in ordering],
        ),
        "compared": f"{sum(finding.policies[game] for game in WHOLE):,}",
        "compared.apart": f"{sum(finding.policies[game] for game in APART):,}",
        "left_out": f"{sum(finding.left_out.values()):,}",
        **{f"tau.{name}": mean[name].text() for name in MEASURES},
        **{f"gain.{name}": gain.tau.text() for name, gain in gains.items()},
        **{f"calls.{cost.games}": f"{cost.calls:,.0f}" for cost in finding.cost},
        **{f"tau.{name}.{cost.games}": decimals(cost.tau[name].mean) for name in MEASURES for cost in finding.cost},
        **{f"{game}.{name}": tau for game, measures in taus.items() for name, tau in measures.items()},
    }


def show_parts(finding: AgreementFinding, order: Sequence[str]) -> str:
    """The table of what agreement is made of, as means over the games that are solved."""
    names = ("spearman", "reliability", "corrected", "within", "between")
    lines = list[list[str]]()
    for measure in order:
        games = [finding.parts[game][measure] for game in WHOLE]
        means = [decimals(mean_of_known(getattr(parts, name) for parts in games)) for name in names]
        wrong = share_text(mean_of_known(parts.discordant for parts in games))
        good = mean_of_known(measures[measure].mean for measures in finding.good.values())
        lines.append([MEASURES[measure], *means, wrong, decimals(good)])
    return table(["measure", "Spearman", "reliability", "corrected", "within", "between", "wrong pairs", "good half"], lines)


# ---- what a search for a best response finds of the exact exploitability, and how both agree with the error, beside Elo

GRADED_GAMES = tuple(game for game, studied in GAMES.items() if studied.graded)
LEAST = 0.02
"""The least exact exploitability of which a share is given."""


@dataclass(frozen=True)
class ExploitsFinding:
    """What a search for a best response finds in a game.

    Args:
        policies: of how many policies this and the exact exploitability are known.
        beatable: how many of these have an exact exploitability of LEAST or more.
        share: what is found of that, as a median.
        at_least_four_fifths: of how many four fifths or more is found.
        exactly_one: how many policies have an exploitability of 1.
        compared: how many policies are compared with the error.
        tau_found: τ-b of what is found with the error.
        tau_exact: τ-b of the exact exploitability with the error.
        tau_elo: τ-b of the Elo of the same policies with the error.
        gain: how far `tau_found` is above `tau_elo`.
    """

    policies: int
    beatable: int
    share: Number
    at_least_four_fifths: int
    exactly_one: int
    compared: int
    tau_found: BothIntervals | None
    tau_exact: BothIntervals | None
    tau_elo: BothIntervals | None
    gain: BothIntervals | None


def find_exploits(game: str) -> ExploitsFinding:
    """What a search for a best response finds in a game, of the policies of which the exact exploitability is known, too."""
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
    tau_found, tau_exact, tau_elo, gain = taus
    return ExploitsFinding(
        policies=len(known),
        beatable=len(shares),
        share=median(shares) if shares else None,
        at_least_four_fifths=sum(share >= 0.8 for share in shares),
        exactly_one=sum(exact > 1 - 1e-6 for _, _, exact in known),
        compared=len(compared),
        tau_found=tau_found,
        tau_exact=tau_exact,
        tau_elo=tau_elo,
        gain=gain,
    )


def show_exploits(games: Mapping[str, ExploitsFinding]) -> dict[str, str]:
    """What a search for a best response finds."""
    lines = [
        [
            title(game),
            str(finding.policies),
            str(finding.beatable),
            share_text(finding.share),
            str(finding.at_least_four_fifths),
            str(finding.exactly_one),
            finding.tau_found.text() if finding.tau_found else "",
            decimals(finding.tau_exact.mean) if finding.tau_exact else "",
            finding.gain.text() if finding.gain else "",
        ]
        for game, finding in games.items()
    ]
    heads = [
        "game",
        "policies",
        f"exploitability of {LEAST} or more",
        "found, median",
        "four fifths or more",
        "exploitability is 1",
    ]
    taus = {
        f"exploits.{name}": decimals(mean_of_known(tau.mean for finding in games.values() if (tau := getattr(finding, name))))
        for name in ("tau_found", "tau_exact", "tau_elo")
    }
    return taus | {
        "exploits": table([*heads, "τ, found", "τ, exact", "above Elo's τ"], lines),
        "exploits.policies": str(sum(finding.policies for finding in games.values())),
        "exploits.one": str(sum(finding.exactly_one for finding in games.values())),
    }
