"""How far ratings and sequential tests can be trusted: simulated tournaments, and matches. Shown in docs/arena.md."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import accumulate, repeat, takewhile
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.arena import Sprt
from ludus.arena.matches.games import Pairing
from ludus.arena.ratings.evidence import Evidence
from ludus.arena.ratings.ratings import ELO, rate
from ludus.arena.ratings.score import SHARES, Score
from ludus.arena.ratings.sprt import count_shares, first_crossing, log_likelihood_ratio
from ludus.arena.report.words import percent
from ludus.arena.rounds import next_stop

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study

# ---- how often rating intervals contain the true value, in simulated tournaments of known strengths

TOURNAMENTS, RESAMPLES, FIRST_MOVE, DRAWN = 2000, 100, 40, 0.8
SETTINGS = {
    # strengths, openings per pair in turn, the share of openings whose two games are fully correlated
    "5": ((-200, -100, 0, 100, 200), (5,), 0.0),
    "20": ((-200, -100, 0, 100, 200), (20,), 0.0),
    "50": ((-200, -100, 0, 100, 200), (50,), 0.0),
    "5; one policy far ahead": ((-350, -250, 0, 50, 550), (5,), 0.0),
    "100, 12, 30, 60, 20 in turn; one policy far ahead": ((-350, -250, 0, 50, 550), (100, 12, 30, 60, 20), 0.0),
    "50, in four of five of which both games have the same luck": ((-200, -100, 0, 100, 200), (50,), 0.8),
}


def covering_cells() -> dict[str, Any]:
    """A cell for each setting."""
    return {name: partial(cover, *setting, TOURNAMENTS) for name, setting in SETTINGS.items()}


def cover(elo: Sequence[int], openings: Sequence[int], alike: float, tournaments: int) -> dict[str, int]:
    """In how many tournaments each interval contains the true value: of each rating, the first-move advantage, the draws."""
    rng, probable = np.random.default_rng(0), chances(elo, FIRST_MOVE, DRAWN, alike)
    equals = DRAWN / (DRAWN + 2 * math.cosh(FIRST_MOVE / ELO / 2))
    truth = {**{f"p{i}": strength for i, strength in enumerate(elo)}, "first move": FIRST_MOVE, "draws": equals}
    covered = dict.fromkeys(truth, 0)
    for seed in range(tournaments):
        rated = rate(simulated(rng, probable, *openings), resamples=RESAMPLES, seed=seed)
        for name, (_, low, high) in {**rated.elo, "first move": rated.first_move, "draws": rated.draws}.items():
            covered[name] += int(low <= truth[name] <= high)
    return covered


def chances(elo: Sequence[int], first_move: float, drawn: float, alike: float = 0.0) -> dict[tuple[str, str], Any]:
    """The probability of each pair of results by the model's textbook formula: {(a, b): (9,)}.

    Args:
        elo, first_move: in Elo points.
        drawn: odds of a draw against a win, between equal players without first-move advantage.
        alike: the share of openings whose two games are fully correlated.
    """
    probable = dict[tuple[str, str], Any]()
    for a, b in itertools.combinations(range(len(elo)), 2):
        results = []
        for advantage in (first_move, -first_move):
            odds = np.array([10 ** ((elo[a] - elo[b] + advantage) / 800), drawn, 10 ** ((elo[b] - elo[a] - advantage) / 800)])
            results.append(odds / odds.sum())
        reached = np.minimum.outer(*(np.concatenate([[0], np.cumsum(one)]) for one in results))
        together = np.diff(np.diff(reached, axis=0), axis=1).clip(0)
        mixed = (alike * together + (1 - alike) * np.multiply.outer(*results)).ravel()
        probable[f"p{a}", f"p{b}"] = mixed / mixed.sum()
    return probable


def simulated(rng: np.random.Generator, probable: Mapping[tuple[str, str], Any], *openings: int) -> list[Score]:
    """Scores of a simulated tournament; the pairings take their numbers of openings in turn."""
    return [score(*pair, rng.multinomial(n, p)) for (pair, p), n in zip(probable.items(), itertools.cycle(openings), strict=False)]


def score(a: str, b: str, openings: Any, game: str = "nim") -> Score:
    """A score from counts of openings by a's results in seat 0 and seat 1, each won, drawn, lost (3, 3)."""
    return Score(Pairing(game, a, b), evidence=Evidence(openings=np.array(openings, np.int64).reshape(3, 3)))


def show_covering(rows: Rows) -> dict[str, str]:
    """A row for each setting."""
    lines = list[list[str]]()
    for name, row in rows.items():
        *policies, first, draws = row.values()
        shares = (np.mean(policies), min(policies), max(policies), first, draws)
        mean, least, most, *others = (f"{100 * count / TOURNAMENTS:.1f}" for count in shares)
        lines.append([name, mean, f"{least} to {most}", *others])
    return {"table": table(["openings a pair", "a policy's rating, on average, %", "each policy's", "first move", "draws"], lines)}


# ---- how often sequential tests err, and how many games they save, in simulated matches of known strength

SIMULATED, BLOCK, MOST = 2000, 16, 100_000
SPRT_SETTINGS = (
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


def sprt_cells() -> dict[str, Any]:
    """A cell for each setting."""
    return {f"{test}: {words}": partial(measure, test, *odds) for test, words, *odds in SPRT_SETTINGS}


def measure(test: Sprt, drawn: float, alike: float) -> dict[str, Any]:
    """How matches end where one of the hypotheses is true: how many accept H0 and H1, and the mean of their games."""
    ends = dict[str, list[float]]()
    for elo in (test.elo0, test.elo1):
        matches = simulate(results_at(elo, drawn, alike), test, SIMULATED)
        counts = ((matches.decisions == decision).sum() for decision in ("H0", "H1"))
        played = STOPS[np.searchsorted(STOPS, matches.games)]
        ends[f"{elo:g}"] = [*map(int, counts), round(float(played.mean()), 1)]
    return {"ends": ends}


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
        drawn, alike: as for `chances`.
    """
    low, high = -4000.0, 4000.0
    results = np.zeros(len(SHARES))
    for _ in range(60):
        strength = (low + high) / 2
        (probable,) = chances((strength, 0), FIRST_MOVE, drawn, alike).values()
        results = np.bincount(4 - np.add.outer(range(3), range(3)).ravel(), probable, len(SHARES))
        low, high = (strength, high) if results @ SHARES < 1 / (1 + 10 ** (-elo / 400)) else (low, strength)
    return results


def show_sprt(rows: Rows) -> dict[str, str]:
    """A row for each setting: both errors, and the games."""
    lines = list[list[str]]()
    for (test, words, *_), row in zip(SPRT_SETTINGS, rows.values(), strict=True):
        at0, at1 = row["ends"][f"{test.elo0:g}"], row["ends"][f"{test.elo1:g}"]
        errors = (percent(wrong / SIMULATED) for wrong in (at0[1], at1[0]))
        games = (f"{end[-1]:,.0f}" for end in (at0, at1))
        lines.append([f"{test.elo0:g}, {test.elo1:g}", f"{test.alpha:g}, {test.beta:g}", words, *errors, *games])
    heads = ["elo0, elo1", "alpha, beta", "games", "H1 at elo0", "H0 at elo1", "games at elo0", "games at elo1"]
    return {"table": table(heads, lines, "lllr"), "matches": f"{SIMULATED:,}"}


STUDIES = (
    Study(RESULTS / "covering.json", covering_cells, show_covering, 0),
    Study(RESULTS / "sprt.json", sprt_cells, show_sprt, 0),
)
