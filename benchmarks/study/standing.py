"""How policies stand by their games against the panel: Elo, their worth by Nash averaging, and their share by α-Rank.

The panel's own ratings come from games of each of it against each other. A policy is rated against them, so that its rating does
not depend on who else is measured.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from statistics import NormalDist, median
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.arena import evaluate
from ludus.arena.ratings.comparison import adjust_p_values
from ludus.arena.ratings.davidson import Davidson
from ludus.arena.ratings.payoffs import PayoffTable
from ludus.arena.ratings.ratings import ELO
from ludus.core.files.writing import make_folder, write_whole

from ..common import table
from .design import GAMES, panel
from .policies import CLASSIC, FOLDER, policies_of_game, title
from .resampling import SEED, Floats, bounds, decimals
from .training import opponent_of

PANEL_GAMES = 200
"""Games between each two of the panel."""
PANEL_GAMES_SEED = 303
GAME_RESAMPLES = 1_000
"""Resamples of a policy's games, for the interval of its rating."""
Counts = NDArray[np.int64]
"""Wins, draws and losses against each of the panel (P, 3)."""


class Elo(NamedTuple):
    """A rating: how far a policy is ahead of random play, with its standard error and 95 % interval."""

    elo: float
    error: float
    low: float
    high: float


class Panel(NamedTuple):
    """The opponents of all policies of a game.

    Args:
        payoffs: what they get against each other.
        weights: theirs by Nash averaging (P,).
        start: for the model of a policy's games against them: 0 for its strength, theirs, no advantage of the first move (the seats
            are even), and the parameter of draws (P + 3,).
    """

    payoffs: PayoffTable
    weights: Floats
    start: Floats

    @property
    def model(self) -> Davidson:
        """The model of games of a policy against each of them, in which its own strength is free."""
        count = len(self.weights)
        seats = np.column_stack([np.zeros(count, np.int64), np.arange(1, count + 1)])
        return Davidson(seats, count + 1, np.arange(count + 3) == 0)

    def elo(self, counts: Counts) -> float:
        """A policy's rating alone: the likeliest under Jeffreys' prior, which is finite if all games are won, too."""
        return ELO * float(self.model.fit_with_prior(counts.astype(float), self.start)[0][0])

    def rate(self, counts: Counts, random: np.random.Generator) -> Elo:
        """A policy's rating, with what the bootstrap over its games against each opponent says of it."""
        model = self.model
        strengths, prior = model.fit_with_prior(counts.astype(float), self.start)
        likely = counts + prior  # where all games ended alike, others might have ended otherwise
        drawn = random.multinomial(
            counts.sum(1), likely / np.maximum(likely.sum(1, keepdims=True), 1e-9), (GAME_RESAMPLES, len(counts))
        )
        resampled = ELO * model.fit(drawn + prior, strengths)[:, 0]
        return Elo(ELO * float(strengths[0]), float(resampled.std(ddof=1)), *bounds(resampled))

    def nash_value(self, counts: Counts) -> float:
        """What a policy gets a game against the panel's equilibrium, -1 to 1."""
        return float(payoffs_of(counts) @ self.weights)

    def alpha_rank(self, counts: Counts) -> float:
        """The share of time that a population of the panel and a policy spends with the policy."""
        against = payoffs_of(counts)
        table = np.block([[self.payoffs.payoffs, -against[:, None]], [against[None], np.zeros((1, 1))]])
        return PayoffTable((*self.payoffs.names, ""), table).alpha_rank()[""]


def payoffs_of(counts: NDArray[np.int64]) -> Floats:
    """The mean result of games (…,), from wins, draws and losses (…, 3); 0 without games."""
    return (counts[..., 0] - counts[..., 2]) / np.maximum(counts.sum(-1), 1)


def draw_games(counts: Counts, games: int, random: np.random.Generator) -> Counts:
    """So many of the games against the panel, drawn without replacement, as evenly over the opponents as possible."""
    each = np.full(len(counts), games // len(counts))
    each[random.permutation(len(counts))[: games % len(counts)]] += 1
    return np.array([random.multivariate_hypergeometric(row, min(most, row.sum())) for row, most in zip(counts, each, strict=True)])


@cache
def read_panel(game: str) -> Panel:
    """The panel of a game, whose games against each other are played if they are not there."""
    members = panel(game)
    file = FOLDER / game / "panel.json"
    if not file.exists():
        make_folder(file.parent)
        write_whole(file, json.dumps(play_each_other(game)).encode())
    counts = np.array(json.loads(file.read_text(encoding="utf-8")), np.int64)  # a row for each pair
    pairs = np.array([*combinations(range(len(members)), 2)])
    table = np.zeros((len(members), len(members)))
    table[pairs[:, 0], pairs[:, 1]] = payoffs_of(counts)
    payoffs = PayoffTable(tuple(member.name for member in members), table - table.T)
    free = np.ones(len(members) + 2, bool)
    free[0] = free[-2] = False  # the first is random play, from which strengths are measured
    start = np.zeros(len(members) + 2)
    if not counts[:, 1].any():
        free[-1], start[-1] = False, -np.inf
    strengths = Davidson(pairs, len(members), free).fit_with_prior(counts.astype(float), start)[0]
    weights = np.array([worth.weight for worth in payoffs.nash().values()])
    return Panel(payoffs, weights, np.concatenate([[0.0], strengths]))


def play_each_other(game: str) -> list[list[int]]:
    """Wins, draws and losses of the first of each two of a game's panel."""
    spec, rows = GAMES[game].spec, list[list[int]]()
    for a, b in combinations(panel(game), 2):
        score = evaluate(opponent_of(a), spec, opponent_of(b), PANEL_GAMES, seed=PANEL_GAMES_SEED)
        rows.append([score.wins, score.draws, score.losses])
    return rows


@cache
def ratings(game: str) -> Mapping[tuple[str, str], Elo]:
    """The ratings of a game's policies from all of their games, by the names of cell and policy."""
    panel_of_game, random = read_panel(game), np.random.default_rng(SEED)
    return {(policy.cell.name, policy.name): panel_of_game.rate(policy.panel.sum(0), random) for policy in policies_of_game(game)}


# ---- ratings beside that of perfect play: how many policies are rated above it, and what these lose

DRAWN = ("tictactoe", "quixo_4")
"""The games of the figure."""
CERTAIN = 0.05
"""The largest p-value, after Holm's correction, of a policy that stands above perfect play."""


def find_ratings(game: str) -> dict[str, Any]:
    """The ratings of a game beside that of perfect play.

    The rating of `perfect` play; how many `trained` policies are rated, how many of these `above` it, how many of those are
    `losing` value, the `most_lost` a game by one of them, and how many are `certain` to be above after Holm's correction; the
    median standard `error`; and in the games of the figure `points`: trainer, rating, value lost a game, whether it searches.
    """
    elo = ratings(game)
    perfect = elo["perfect", ""]
    points = [
        (policy.trainer, elo[policy.cell.name, policy.name], policy.lost, policy.searches)
        for policy in policies_of_game(game)
        if policy.trainer != CLASSIC and policy.cell.level
    ]
    above = [lost or 0.0 for _, rating, lost, _ in points if rating.elo > perfect.elo]
    p_values = adjust_p_values([p_of_above(rating, perfect) for _, rating, _, _ in points])
    return {
        "perfect": perfect,
        "trained": len(points),
        "above": len(above),
        "losing": sum(lost > 0 for lost in above),
        "most_lost": max(above, default=0.0),
        "certain": sum(p < CERTAIN for p in p_values),
        "error": median(rating.error for _, rating, _, _ in points),
        "points": points if game in DRAWN else [],
    }


def p_of_above(rating: Elo, perfect: Elo) -> float:
    """How probable a rating so far above perfect play's is if they are equal: two-sided, of normal errors; 1 if it is not above."""
    ahead = (rating.elo - perfect.elo) / np.hypot(rating.error, perfect.error)
    return 2 * (1 - NormalDist().cdf(ahead)) if ahead > 0 else 1.0


def show_ratings(games: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Policies rated above perfect play."""
    lines = [
        [
            *(title(game), f"{row['trained']:,}", f"{row['perfect'][0]:.0f}", f"{row['error']:.0f}", f"{row['above']:,}"),
            *(str(row["losing"]), decimals(row["most_lost"]) if row["losing"] else "", str(row["certain"])),
        ]
        for game, row in games.items()
    ]
    heads = ["game", "trained", "Elo of `perfect`", "error", "above it", "of these losing", "most value lost", "clearly above"]
    return {
        "above": table(heads, lines),
        "above.all": str(sum(row["above"] for row in games.values())),
        "above.losing": str(sum(row["losing"] for row in games.values())),
        "above.lost": decimals(max(row["most_lost"] for row in games.values())),
        "above.certain": str(sum(row["certain"] for row in games.values())),
    }
