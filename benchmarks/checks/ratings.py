"""How often rating intervals contain the true value, in simulated tournaments of known strengths. Shown in docs/arena.md."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ludus.arena.matches.games import Pairing
from ludus.arena.ratings.evidence import Evidence
from ludus.arena.ratings.ratings import ELO, rate
from ludus.arena.ratings.score import Score

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study

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
        reached = np.minimum.outer(*(np.concatenate([[0], np.cumsum(each)]) for each in results))
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


STUDIES = (Study(RESULTS / "covering.json", covering_cells, show_covering, 0),)
