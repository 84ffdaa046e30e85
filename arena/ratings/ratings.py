"""Elo ratings from scores: by maximum likelihood, with draws and a first-move advantage, and with intervals.

Ratings are in Elo's unit: a policy that is d points ahead wins 10^(d/400) games for each that it loses, apart from the first move's
advantage.

The model is in davidson.py. It is fitted with Jeffreys' prior, so that a policy that won or lost all its games has a finite rating.
Intervals come from the Bayesian bootstrap: D. B. Rubin, Annals of Statistics 9 (1981), 130–134; M. A. Newton and
A. E. Raftery, Journal of the Royal Statistical Society B 56 (1994), 3–26. Each opening, which is two games with the seats swapped
(of a suite that was repeated, all its games), gets a random weight, and the prior's games get theirs. Where the ordinary bootstrap
draws the same sample every time (all games won), this one still gives an interval.

With few openings the intervals of the bootstrap are too narrow, since the estimate is fitted to the same games. They are widened as
those of the jackknife and of Student's t are, to the first order in 1 / openings: J. G. MacKinnon and H. White, Journal of
Econometrics 29 (1985), 305–325. docs/arena.md has how often they then contain the true value in simulated tournaments.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import seed_of, short_repr, whole
from .davidson import Davidson, Floats
from .intervals import Rating, tails
from .score import DRAW, Score

ELO = 400 / math.log(10)
"""Elo points in a unit of the natural logarithm."""
LEAST_WEIGHT = 1e-9
"""The lower limit of a weight, as a part of its mean: less would be lost in rounding, and does not move the bounds."""
MOST_NUMBERS = 2**20
"""How many numbers a fit of several resamples handles at a time."""
MOST_RESAMPLES = 10**8


class Share(NamedTuple):
    """A part of all games, 0 to 1, with its bounds; these are nan if none were requested."""

    part: float
    low: float
    high: float


@dataclass(frozen=True)
class Ratings:
    """The strengths of the policies that played a game.

    Args:
        elo: by policy, the strongest first.
        first_move: the advantage of seat 0.
        draws: the share of draws between two equally strong policies.
        groups: policies that are connected by games; ratings in different groups cannot be compared.
        resamples: the ratings in each resample, by policy as in `elo`, as far from it as bounds need (resamples, policies).
        confidence: how often the bounds contain the true value.
    """

    elo: dict[str, Rating]
    first_move: Rating
    draws: Share
    groups: tuple[tuple[str, ...], ...]
    resamples: Floats = field(repr=False, compare=False)
    confidence: float = 0.95

    def in_order(self, names: Sequence[str]) -> Ratings:
        """The same ratings, with the policies in another order."""
        rows = [[*self.elo].index(name) for name in names]
        return replace(self, elo={name: self.elo[name] for name in names}, resamples=self.resamples[:, rows])

    def difference(self, a: str, b: str) -> Rating:
        """How far a is ahead of b. The bounds are narrower than those of the two ratings suggest, since these share their errors.

        Raises:
            ValueError: one of them has no rating, or they are not connected by games.
        """
        for name in (a, b):
            if name not in self.elo:
                raise ValueError(f"there is no rating of {short_repr(name)}; there are those of {', '.join(self.elo)}")
        if not any(a in group and b in group for group in self.groups):
            raise ValueError(f"{a} and {b} are not connected by games, so their ratings cannot be compared")
        names = list(self.elo)
        ahead = self.resamples[:, names.index(a)] - self.resamples[:, names.index(b)]
        return Rating(*_with_bounds(self.elo[a].elo - self.elo[b].elo, ahead, self.confidence))


def rate(
    scores: Iterable[Score],
    *,
    fixed: Mapping[str, float] | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Ratings:
    """The ratings of the policies that played.

    A policy that played no game has no rating. Groups of policies that are not connected by games, even through others, are
    rated separately.

    Args:
        scores: of one game's pairings, in any order, in parts or whole. Games of a policy against itself count for
            the first move and draws only.
        fixed: policies whose Elo is known and does not change. In a group without any of them the mean is 0.
        resamples: from how many the bounds are computed; 0 for no bounds.
        confidence: how often the bounds are to contain the true value, more than 0 and less than 1. The bound above a policy that
            never lost, or below one that never won, comes from the prior alone.
        seed: the source of the resamples' randomness.

    Raises:
        ValueError: the scores are of different games, or the confidence, the number of resamples or the seed is invalid.
    """
    tails(confidence)
    seed, resamples = seed_of(seed), whole(resamples, "resamples", 0, MOST_RESAMPLES)
    names, pairs, openings, kinds = _table(scores)
    if not names:
        unknown = math.nan, math.nan, math.nan
        return Ratings(
            elo={},
            first_move=Rating(*unknown),
            draws=Share(*unknown),
            groups=(),
            resamples=np.empty((resamples, 0)),
            confidence=confidence,
        )
    known = {number: (fixed or {})[name] / ELO for number, name in enumerate(names) if name in (fixed or {})}
    groups = _groups(len(names), pairs)
    games = _games_of(openings, kinds)
    model, start = _model(pairs, games, groups, known)
    is_seated = openings[:, _SEATLESS].sum() < openings.sum()
    if model.free[:-2].any() and not (is_seated and model.tells_first_move(games.reshape(-1, 3))):
        model.free[-2] = False  # nobody knows who moved first, or strengths may explain all
    estimate, prior = model.fit_with_prior(games.reshape(-1, 3), start)
    weights = np.concatenate([openings, prior.reshape(len(pairs), 6)], 1)
    kinds = np.concatenate([kinds, np.broadcast_to(np.eye(6), (*kinds.shape[:-2], 6, 6))], -2)
    resampled = _resample(model, weights, kinds, estimate, resamples, np.random.default_rng(seed))
    free = model.free  # others may be infinite, of which there is no difference
    resampled[:, free] += (_widening(openings.sum(), free.sum(), confidence) - 1) * (resampled[:, free] - estimate[free])
    every = np.concatenate([estimate[None], resampled])
    for group in groups:
        if not any(number in known for number in group):
            every[:, group] -= every[:, group].mean(1, keepdims=True)
    return _ratings(names, groups, every, confidence)


def _widening(openings: float, parameters: int, confidence: float) -> float:
    """By what factor bounds from a number of openings are further from the estimate than resamples are."""
    z = NormalDist().inv_cdf(tails(confidence)[1])
    return (1 + parameters / openings) * (1 + (z**2 + 1) / (4 * openings))


def _ratings(names: list[str], groups: list[list[int]], every: Floats, confidence: float) -> Ratings:
    """The ratings for the parameters (1 + resamples, policies + 2), of which the estimate is the first."""
    elo = every[:, :-1] * ELO
    order = sorted(range(len(names)), key=lambda number: (-elo[0, number], names[number]))
    by_name = {names[number]: Rating(*_with_bounds(elo[0, number], elo[1:, number], confidence)) for number in order}
    odds = np.exp(every[:, -1])
    draws = odds / (odds + 2 * np.cosh(every[:, -2] / 2))
    return Ratings(
        elo=by_name,
        first_move=Rating(*_with_bounds(elo[0, -1], elo[1:, -1], confidence)),
        draws=Share(*_with_bounds(draws[0], draws[1:], confidence)),
        groups=tuple(tuple(names[number] for number in group) for group in groups),
        resamples=elo[1:, order],
        confidence=confidence,
    )


def _with_bounds(value: float, resampled: Floats, confidence: float) -> tuple[float, float, float]:
    """A value, with the bounds from its resamples."""
    if not len(resampled):
        return float(value), math.nan, math.nan
    low, high = np.quantile(resampled, tails(confidence), method="weibull")
    return float(value), float(min(low, value)), float(max(high, value))  # with few resamples, all may be on one side


_OPENINGS = np.eye(9).reshape(3, 3, 9)
_SEAT_0, _SEAT_1 = np.eye(6)[:3], np.eye(6)[:2:-1]
_KINDS = np.concatenate([np.concatenate([_OPENINGS.sum(1), _OPENINGS.sum(0)[::-1]]).T, _SEAT_0, _SEAT_1, (_SEAT_0 + _SEAT_1) / 2])
"""Turns counts of openings, by the pair of results, and of single games, by a's seat and result, into counts of games, by who has
seat 0 (a, b) and seat 0's result (18, 6). A single game whose seats are not known counts half from each."""
_SEATLESS = slice(15, 18)


def _games_of(openings: Floats, kinds: Floats) -> Floats:
    """The games (…, P, 6) of numbers of openings (…, P, K) of kinds (K, 6), or (P, K, 6) where each pair has its own."""
    return openings @ kinds if kinds.ndim == 2 else np.einsum("...pk,pkg->...pg", openings, kinds)


def _table(scores: Iterable[Score]) -> tuple[list[str], NDArray[np.int64], Floats, Floats]:
    """The names in alphabetical order, the pairs that played (P, 2), their openings by kind (P, K), and the games of each kind, as
    `_games_of` takes them.

    An opening's kind is what was played from it: two games, or all games from one of a suite that was repeated.

    It depends neither on the order of the scores nor on which of two policies is called a.
    """
    by_pair: dict[tuple[str, str], NDArray[np.int64]] = {}
    of_suites: dict[tuple[str, str], list[Floats]] = {}
    games: set[str] = set()
    for score in scores:
        games.add(score.pairing.game)
        a, b = sorted((score.pairing.a, score.pairing.b))
        if a != score.pairing.a:
            score = score.turned
        counted = np.concatenate([score.evidence.openings.ravel(), score.evidence.singles.ravel()])
        if counted.any():
            is_repeated = score.evidence.is_suite_repeated
            counted[:9] *= not is_repeated
            by_pair[a, b] = by_pair.get((a, b), 0) + counted
            of_suites.setdefault((a, b), []).extend([_games_by_opening(score.evidence.by_opening)] * is_repeated)
    if len(games) > 1:
        raise ValueError(f"each game is rated separately; these scores are of {', '.join(sorted(games))}")
    names = sorted({name for pair in by_pair for name in pair})
    pairs = np.array([[names.index(a), names.index(b)] for a, b in sorted(by_pair)], np.int64).reshape(-1, 2)
    openings = np.array([by_pair[pair] for pair in sorted(by_pair)], np.float64).reshape(-1, len(_KINDS))
    if not any(of_suites.values()):
        return names, pairs, openings, _KINDS
    repeated = [np.concatenate([np.zeros((0, 6)), *of_suites[pair]]) for pair in sorted(by_pair)]
    most = max(map(len, repeated))
    kinds = np.stack([np.concatenate([_KINDS, rows, np.zeros((most - len(rows), 6))]) for rows in repeated])
    ones = np.array([[row < len(rows) for row in range(most)] for rows in repeated], np.float64)
    return names, pairs, np.concatenate([openings, ones], 1), kinds


def _games_by_opening(by_opening: NDArray[np.int64]) -> Floats:
    """The games from each opening of a suite, by who has seat 0 (a, b) and seat 0's result (S, 6)."""
    games = by_opening[by_opening.any((1, 2))]
    return np.concatenate([games[:, 0], games[:, 1, ::-1]], 1).astype(np.float64)


def _groups(policies: int, pairs: NDArray[np.int64]) -> list[list[int]]:
    """The policies that are connected by games, as groups."""
    group = np.arange(policies)
    for a, b in pairs:
        group[group == group[a]] = group[b]
    return [np.flatnonzero(group == number).tolist() for number in dict.fromkeys(group.tolist())]


def _model(pairs: NDArray[np.int64], games: Floats, groups: list[list[int]], known: Mapping[int, float]) -> tuple[Davidson, Floats]:
    """The model of these pairings, and the start of its fit; without drawn games it has no draws."""
    policies = sum(len(group) for group in groups)
    start = np.zeros(policies + 2)
    start[:policies] = sum(known.values()) / max(1, len(known))
    start[list(known)] = list(known.values())
    free = np.ones(policies + 2, np.bool_)
    free[list(known)] = False
    for group in groups:
        if not any(number in known for number in group):
            free[group[0]] = False
    if not games[:, [DRAW, 3 + DRAW]].any():
        start[-1], free[-1] = -np.inf, False
    return Davidson(np.stack([pairs, pairs[:, ::-1]], 1).reshape(-1, 2), policies, free), start


def _resample(model: Davidson, weights: Floats, kinds: Floats, start: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """The parameters (resamples, policies + 2) for random weights of openings and prior, given the means of the weights (P, K) and
    the games of each, as `_games_of` takes them."""
    parameters = np.empty((resamples, len(start)))
    size = max(1, MOST_NUMBERS // (4 * len(weights) * len(start)))  # 2 seats, and x and d
    for begin in range(0, resamples, size):
        end = min(begin + size, resamples)
        draws = rng.standard_gamma(np.broadcast_to(weights, (end - begin, *weights.shape)))
        games = _games_of(np.maximum(draws, LEAST_WEIGHT * weights), kinds)
        parameters[begin:end] = model.fit(games.reshape(end - begin, -1, 3), start)
    return parameters
