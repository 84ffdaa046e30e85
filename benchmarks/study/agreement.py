"""H1: which cheap measure of strength orders policies as the value that they lose a game to perfect play does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .measuring import COUNTS
from .policies import CLASSIC, MeasuredPolicy
from .resampling import Floats, bounds, draw_counts, mean_of_defined, p_value
from .standing import Panel, draw_games

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
Signs = NDArray[np.float32]


class Agreement(NamedTuple):
    """How far a measure orders policies as the error does.

    Args:
        tau: Kendall's τ-b, where more is better in both.
        resampled: the same in each resample of trainers, and of seeds within them (B,).
        alone: the same in each resample of seeds alone, within each trainer (B,).
        policies: how many policies are compared.
        discordant: of the pairs that differ in both, the share that the measure orders the other way round.
        spearman: Spearman's rank correlation.
        reliability: that of test and retest.
        corrected: Spearman's correlation if the measure had no error of its own.
        within: the mean of τ-b of each trainer's policies.
        between: τ-b of the trainers' means.
    """

    tau: float
    resampled: Floats
    alone: Floats
    policies: int
    discordant: float
    spearman: float
    reliability: float
    corrected: float
    within: float
    between: float


def take_measures(policies: Sequence[MeasuredPolicy], panel: Panel, games: int, test: int, seed: int = 0) -> Mapping[str, Floats]:
    """The measures of policies after so many of their games, each turned so that more is better (N,); nan where no move was judged.

    Args:
        policies: the policies.
        panel: their game's panel.
        games: one of COUNTS; all games against the panel count at the last, and a part drawn without replacement before.
        test: 0 for the test, 1 for the retest.
        seed: that of the draw.
    """
    random = np.random.default_rng([seed, games, test])
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


def is_compared(policy: MeasuredPolicy) -> bool:
    """Whether a policy is among those whose order is compared: trained, without search of a game."""
    return policy.trainer != CLASSIC and not policy.searches and policy.cell.level > 0


def truth_of(policy: MeasuredPolicy) -> float:
    """The policy's error; where that is not known, the value lost a move of the retest; nan where no move of that was judged."""
    known = policy.tests[1][COUNTS[-1]].value_lost if policy.lost is None else policy.lost
    return float("nan") if known is None else known


def compare_measures(policies: Sequence[MeasuredPolicy], panel: Panel, games: int, seed: Sequence[int]) -> dict[str, Agreement]:
    """How each measure agrees with the error, over the policies of which the error and all measures are known.

    Args:
        policies: those that are compared.
        panel: their game's panel.
        games: after so many of their games.
        seed: that of the resamples, another one for each game.
    """
    good = -np.array([truth_of(policy) for policy in policies])
    test, retest = (take_measures(policies, panel, games, number) for number in TESTS)
    known = np.isfinite([good, *test.values(), *retest.values()]).all(0)
    trainers = [policy.trainer for policy, is_known in zip(policies, known, strict=True) if is_known]
    seeds = [policy.cell.seed for policy, is_known in zip(policies, known, strict=True) if is_known]
    random = np.random.default_rng(seed)
    counts, alone = (draw_counts(trainers, seeds, random, clusters=clusters) for clusters in (True, False))
    return {name: agree(test[name][known], retest[name][known], good[known], trainers, counts, alone) for name in MEASURES}


def agree(measure: Floats, again: Floats, good: Floats, trainers: Sequence[str], counts: Signs, alone: Signs) -> Agreement:
    """How a measure and its retest agree with what they should say, all three (N,) and more if better.

    Args:
        measure, again, good: the measure, its retest, and what they should say (N,).
        trainers: the trainer of each policy (N).
        counts: how often each policy is drawn in each resample of trainers, and of seeds within them (B, N).
        alone: the same where seeds alone are drawn (B, N).
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
    return Agreement(
        tau=float(kendall(x, y)[0]),
        resampled=kendall(x, y, counts),
        alone=kendall(x, y, alone),
        policies=len(good),
        discordant=float((x * y < 0).sum() / differ) if differ else float("nan"),
        spearman=rho,
        reliability=reliability,
        corrected=min(1.0, rho / np.sqrt(reliability)) if reliability > 0 else float("nan"),
        within=float(mean_of_defined(inner)),
        between=float(kendall(signs_of(between[:, 0]), signs_of(between[:, 1]))[0]),
    )


def tau_of(measure: Floats, good: Floats, policies: Sequence[MeasuredPolicy], seed: Sequence[int]) -> list[float]:
    """τ-b of a measure of policies with what it should say, with its interval, and with that of seeds alone.

    Args:
        measure, good: the measure, and what it should say, both more if better (N,).
        policies: the policies (N).
        seed: that of the resamples.
    """
    random, x, y = np.random.default_rng(seed), signs_of(measure), signs_of(good)
    trainers, seeds = [policy.trainer for policy in policies], [policy.cell.seed for policy in policies]
    counts, alone = (draw_counts(trainers, seeds, random, clusters=clusters) for clusters in (True, False))
    return [float(kendall(x, y)[0]), *bounds(kendall(x, y, counts)), *bounds(kendall(x, y, alone))]


def signs_of(values: Floats) -> Signs:
    """For each two policies the sign of the difference of their values (N, N)."""
    return np.sign(values[:, None] - values).astype(np.float32)


def kendall(x: Signs, y: Signs, counts: Signs | None = None) -> Floats:
    """Kendall's τ-b of policies that count so many times in each resample (B, N), or once; nan where one does not vary."""
    counts = np.ones((1, len(x)), np.float32) if counts is None else counts
    together, one, other = (np.einsum("bn,bn->b", counts @ pairs, counts, dtype=np.float64) for pairs in (x * y, abs(x), abs(y)))
    with np.errstate(invalid="ignore", divide="ignore"):
        return together / np.sqrt(one * other)


def ranks(values: Floats) -> Floats:
    """Ranks from 0; equal values share the mean of theirs."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    stops = np.cumsum(counts)
    return ((stops - counts + stops - 1) / 2)[which]


def spearman(x: Floats, y: Floats) -> float:
    """Spearman's rank correlation; nan where one of them does not vary."""
    a, b = (ranks(values) - (len(values) - 1) / 2 for values in (x, y))
    size = np.sqrt((a @ a) * (b @ b))
    return float(a @ b / size) if size else float("nan")


class Gain(NamedTuple):
    """By how much τ of a measure is above that of another, as the mean over games.

    Args:
        tau: the difference.
        low, high: its interval, by resamples of trainers, and of seeds within them.
        p: its p-value by these.
        low_alone, high_alone: its interval by resamples of seeds alone.
    """

    tau: float
    low: float
    high: float
    p: float
    low_alone: float
    high_alone: float


def difference(games: Sequence[Mapping[str, Agreement]], measure: str, other: str = BASELINE) -> Gain:
    """By how much τ of a measure is above that of another in these games."""
    tau, resampled, alone = (
        mean_of_defined([getattr(each[measure], what) - getattr(each[other], what) for each in games])
        for what in ("tau", "resampled", "alone")
    )
    return Gain(float(tau), *bounds(resampled), p_value(resampled), *bounds(alone))


def mean_of(games: Sequence[Mapping[str, Agreement]], measure: str, what: str) -> Any:
    """The mean over games of what an agreement says, or of its resamples (B,), where it is defined."""
    return mean_of_defined([getattr(each[measure], what) for each in games])
