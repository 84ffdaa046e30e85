"""`rate`: ratings from results that any program wrote, or that somebody counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from ..core.files.writing import path_of
from ..core.numbers import Range, several, short_repr
from ..games.display import Part
from ..records.results import read_results
from .matches.games import A_GAME, Pairing
from .ratings.comparison import describe_pairs
from .ratings.ratings import Ratings
from .ratings.ratings import rate as rate_scores
from .ratings.score import Score
from .results import Standings

ANCHORS = Range(-100_000, 100_000)
"""The ratings that a player can be given."""
FEW = 12
"""Of more players the results of each pair fill no table, and an error does not name them all."""


def rate(
    results: str | Path | Iterable[str | Path | Score],
    *,
    anchors: Mapping[str, float] | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> RatedPlayers:
    """Rates players by results, each game by itself.

    Args:
        results: a file, CSV or PGN (records/results.py says what it holds), or several; or scores, as `Score.from_counts` makes
            them.
        anchors: players whose Elo is given and does not change. One shifts the scale; to several, the others are fitted. Players
            whom no games connect with any of them have the mean 0.
        resamples, confidence, seed: of the intervals, as for a tournament; 0 resamples for none.

    Raises:
        OSError: the file cannot be read.
        ValueError: what is wrong with it and in which line; or an anchor names nobody, or has no number of Elo.
    """
    unfinished, given = 0, list[Score]()
    for part in [results] if isinstance(results, (str, Path)) else results:
        read, count = ([part], 0) if isinstance(part, Score) else _scores_in(path_of(part))
        given, unfinished = given + read, unfinished + count
    scores, anchors = dict[Pairing, Score](), dict(anchors or {})
    for score in given:
        if score.pairing not in scores and score.turned.pairing in scores:
            score = score.turned
        scores[score.pairing] = scores[score.pairing] + score if score.pairing in scores else score
    if not scores:
        raise ValueError("there are no games to rate")
    if alone := next((pairing.a for pairing in scores if pairing.a == pairing.b), None):
        raise ValueError(f"{short_repr(alone)} plays itself, which says nothing of its strength; leave such games out")
    _check(anchors, sorted({name for pairing in scores for name in pairing[1:]}))
    return RatedPlayers(scores, anchors, unfinished, resamples=resamples, confidence=confidence, seed=seed)


class RatedPlayers(Standings):
    """Players with their scores by pairing, the anchors, the number of unfinished games, and ratings by the settings of `rate`."""

    noun = "player"

    def __init__(self, scores: dict[Pairing, Score], anchors: Mapping[str, float], unfinished: int, **settings: Any) -> None:
        self.scores, self.anchors, self.unfinished = scores, anchors, unfinished
        self.sign = "" if anchors else "+"
        self._ratings = {game: rate_scores(self.scores_of(game), fixed=anchors, **settings) for game in self.games}

    @cached_property
    def ratings(self) -> dict[str, Ratings]:
        """For each game's spec, the Elo ratings."""
        return self._ratings

    def __repr__(self) -> str:
        players = {name for pairing in self.scores for name in pairing[1:]}
        return f"<RatedPlayers: {several(len(players), 'player')}, {several(len(self.scores), 'pair')}>"

    def _parts(self) -> Iterator[Part]:
        for game in self.games:
            yield self._standing_table(game)
            scores, rated = self.scores_of(game), self.ratings[game]
            if 2 < len(rated.elo) <= FEW:
                yield self.grid(game)
            yield from filter(None, [describe_pairs(scores, "players")])
            yield from self._payoff_words(game)
            if len(rated.groups) > 1:
                groups = " | ".join(", ".join(group) for group in rated.groups)
                yield f"No games connect these groups, whose ratings cannot be compared: {groups}."
        if self.anchors:
            how = "the scale is shifted to it" if len(self.anchors) == 1 else "these are kept, and the others fitted to them"
            yield f"Anchored: {', '.join(f'{name} {elo:g}' for name, elo in self.anchors.items())}; {how}."
        if self.unfinished:
            yield f"{several(self.unfinished, 'unfinished game')} passed over."

    def document(self) -> dict[str, Any]:
        """The results for JSON, as a tournament's; and `anchors`, and how many games were `unfinished`."""
        return {**super().document(), "anchors": dict(self.anchors), "unfinished": self.unfinished}


def _scores_in(path: Path) -> tuple[list[Score], int]:
    """The scores of a file, one for each pair of seats, and how many of its games are unfinished."""
    counts, unfinished = dict[tuple[Any, ...], Any](), 0
    for first, second, of, seat, game in read_results(path):
        counts[first, second, seat, game] = counts.get((first, second, seat, game), 0) + np.array(of)
        unfinished += not any(of)
    scores = (
        Score.from_counts(*of.tolist(), a=a, b=b, game=game or A_GAME, seat=seat) for (a, b, seat, game), of in counts.items()
    )
    return [score for score in scores if score.games], unfinished


def _check(anchors: Mapping[str, float], names: list[str]) -> None:
    """Checks that anchors are players, and have a rating that can be."""
    for name, elo in anchors.items():
        if name not in names:
            meant = "".join(f" (did you mean {close!r}?)" for close in get_close_matches(name, names, 1))
            some = ", ".join(names[:FEW]) + " …" * (len(names) > FEW)
            raise ValueError(f"{short_repr(name)} is to be an anchor and has no game{meant}; players are {some}")
        if not (isinstance(elo, Real) and ANCHORS.holds(elo)):
            raise ValueError(f"the rating of {short_repr(name)} is {elo}; it must be a number {ANCHORS.words()}")
