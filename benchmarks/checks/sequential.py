"""How often sequential tests err, and how many games they save, in simulated matches of known strength. Shown in docs/arena.md."""

from __future__ import annotations

import math
from functools import partial
from itertools import accumulate, repeat, takewhile
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.arena import Sprt
from ludus.arena.ratings.score import SHARES
from ludus.arena.ratings.sprt import count_shares, first_crossing, log_likelihood_ratio
from ludus.arena.report.words import percent
from ludus.arena.rounds import next_stop

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study
from .covering import chances

MATCHES, FIRST_MOVE, BLOCK, MOST = 2000, 40, 16, 100_000
SETTINGS = (
    # the test; the games in words, the odds of a draw against a win, the share of openings whose two games are fully correlated
    (Sprt(0, 20), "few draws", 0.2, 0.0),
    (Sprt(0, 20), "a quarter drawn", 0.8, 0.0),
    (Sprt(0, 20), "most drawn", 8.0, 0.0),
    (Sprt(0, 20), "the same luck in both games of four openings in five", 0.8, 0.8),
    (Sprt(0, 50), "a quarter drawn", 0.8, 0.0),
    (Sprt(0, 50, 0.01, 0.01), "a quarter drawn", 0.8, 0.0),
    (Sprt(0, 100), "a quarter drawn", 0.8, 0.0),
    (Sprt(-50, 50), "a quarter drawn", 0.8, 0.0),
)
STOPS = np.array([*takewhile(lambda games: games < 2 * MOST, accumulate(repeat(2 * MOST), next_stop, initial=0)), 2 * MOST])
"""After how many games rounds of the arena end."""


class Simulated(NamedTuple):
    """Simulated matches.

    Args:
        decisions: of each, "H0", "H1" or "undecided" (M,).
        games: after how many games (M,).
    """

    decisions: NDArray[np.str_]
    games: NDArray[np.int64]


def cells() -> dict[str, Any]:
    """A cell for each setting."""
    return {f"{test}: {words}": partial(measure, test, *odds) for test, words, *odds in SETTINGS}


def measure(test: Sprt, drawn: float, alike: float) -> dict[str, Any]:
    """How matches end at either hypothesis, midway, and as far above H1 as that is above H0; and the fixed number of games."""
    gap = test.elo1 - test.elo0
    ends = dict[str, list[float]]()
    for elo in (test.elo0, test.elo0 + gap / 2, test.elo1, test.elo1 + gap):
        matches = simulate(results_at(elo, drawn, alike), test, MATCHES)
        counts = ((matches.decisions == decision).sum() for decision in ("H0", "H1"))
        played = STOPS[np.searchsorted(STOPS, matches.games)]
        ends[f"{elo:g}"] = [*map(int, counts), *(round(float(games.mean()), 1) for games in (matches.games, played))]
    return {"fixed": fixed_games(test, drawn, alike), "ends": ends}


def simulate(results: NDArray[np.float64], test: Sprt, matches: int, seed: int = 0) -> Simulated:
    """Matches, each until its test decides.

    Args:
        results: how probable each of SHARES is of an opening (5,).
        test: the test.
        matches: how many.
        seed: the source of the randomness.
    """
    rng, (low, _) = np.random.default_rng(seed), test.bounds
    decisions, openings = np.full(matches, "undecided"), np.full(matches, MOST)
    counts, going = np.zeros((matches, 1, len(SHARES)), np.int64), np.arange(matches)
    for start in range(0, MOST, BLOCK):
        drawn = np.searchsorted(np.cumsum(results)[:-1], rng.random((len(going), BLOCK)), side="right")
        each = counts[going] + count_shares(drawn)
        ratios = log_likelihood_ratio(each, test)
        crossings = first_crossing(ratios, test)
        ended = crossings < BLOCK
        last = np.take_along_axis(ratios[ended], crossings[ended, None], 1)[:, 0]
        decisions[going[ended]] = np.where(last <= low, "H0", "H1")
        openings[going[ended]] = start + crossings[ended] + 1
        counts[going], going = each[:, -1:], going[~ended]
        if not len(going):
            break
    return Simulated(decisions, 2 * openings)


def results_at(elo: float, drawn: float, alike: float) -> NDArray[np.float64]:
    """How probable each of SHARES is of an opening (5,) where a share of points that is worth so much Elo is expected.

    Args:
        elo: the logistic difference.
        drawn, alike: as for `covering.chances`.
    """
    low, high = -4000.0, 4000.0
    results = np.zeros(len(SHARES))
    for _ in range(60):
        strength = (low + high) / 2
        (probable,) = chances((strength, 0), FIRST_MOVE, drawn, alike).values()
        results = np.bincount(4 - np.add.outer(range(3), range(3)).ravel(), probable, len(SHARES))
        low, high = (strength, high) if results @ SHARES < 1 / (1 + 10 ** (-elo / 400)) else (low, strength)
    return results


def fixed_games(test: Sprt, drawn: float, alike: float) -> int:
    """How many games a match of fixed length needs so that its mean errs as rarely, by the normal approximation."""
    spread = 0.0
    for elo, rate in ((test.elo0, test.alpha), (test.elo1, test.beta)):
        results = results_at(elo, drawn, alike)
        spread += NormalDist().inv_cdf(1 - rate) * math.sqrt(results @ (SHARES - results @ SHARES) ** 2)
    mean0, mean1 = test.points
    return 2 * math.ceil((spread / (mean1 - mean0)) ** 2)


def show(rows: Rows) -> dict[str, str]:
    """A row for each setting: both errors, and the games."""
    lines = list[list[str]]()
    for (test, words, *_), row in zip(SETTINGS, rows.values(), strict=True):
        at0, between, at1, above = row["ends"].values()
        errors = (percent(wrong / MATCHES) for wrong in (at0[1], at1[0]))
        games = (f"{end[3]:,.0f}" for end in (at0, between, at1, above))
        saved = " to ".join(f"{100 * (1 - games / row['fixed']):.0f}" for games in sorted((at0[3], at1[3]), reverse=True))
        named = [f"{test.elo0:g}, {test.elo1:g}", f"{test.alpha:g}, {test.beta:g}", words]
        lines.append([*named, *errors, f"{row['fixed']:,}", *games, f"{saved} %"])
    played = ("at elo0", "midway", "at elo1", "far above")
    heads = ["elo0, elo1", "alpha, beta", "games", "H1 at elo0", "H0 at elo1", "fixed number", *played, "saved"]
    return {"table": table(heads, lines, "lllr"), "matches": f"{MATCHES:,}"}


STUDIES = (Study(RESULTS / "sprt.json", cells, show, 0),)
