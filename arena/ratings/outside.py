"""`rate`: ratings from results that any program wrote, or that somebody counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from ...core.files.writing import path_of
from ...core.numbers import Range, several, short_repr
from ...games.display import Part
from ...records.results import read_results
from ..matches.games import A_GAME, Pairing
from .comparison import describe_pairs
from .ratings import rate as rate_scores
from .score import Score
from .standings import Standings

ANCHORS = Range(-100_000, 100_000)
"""The ratings that a player can be given."""
MOST_IN_GRID = 12
"""Of more players the results of each pair fill no table, but are in the document."""
OF_PLAY = ("seconds_a_move", "nodes_a_game", "opening_plies", "openings", "suite", "faults", "reasons")
"""What the arena knows of its own games alone."""


def rate(
    results: str | Path | Iterable[Score],
    *,
    anchors: Mapping[str, float] | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> RatedPlayers:
    """Rates players by results, each game by itself.

    Args:
        results: a file, CSV or PGN (records/results.py says what it holds), or scores, as `Score.from_counts` makes them.
        anchors: players whose Elo is given and does not change. One shifts the scale; to several, the others are fitted. Players
            whom no games connect with any of them have the mean 0.
        resamples, confidence, seed: of the intervals, as for a tournament: from how many resamples they come, 0 for none; how often
            they are to contain the true rating; and the source of the resamples' randomness.

    Raises:
        OSError: the file cannot be read.
        ValueError: what is wrong with it and in which line; or an anchor names nobody, or is no number of Elo.
    """
    unfinished = 0
    if isinstance(results, (str, Path)):
        results, unfinished = _scores_in(path_of(results))
    scores = dict[Pairing, Score]()
    for score in results:
        game, a, b = score.pairing
        score = score.turned if Pairing(game, b, a) in scores and a != b else score
        scores[score.pairing] = scores[score.pairing] + score if score.pairing in scores else score
    anchors = dict(anchors or {})
    _check(anchors, sorted({name for pairing in scores for name in pairing[1:]}))
    return RatedPlayers(scores, anchors, unfinished, resamples=resamples, confidence=confidence, seed=seed)


class RatedPlayers(Standings):
    """Players with their scores and ratings.

    Args:
        scores: by pairing.
        anchors: whose Elo was given.
        unfinished: how many games had no result.
        settings: of the intervals, as for `rate`.
    """

    noun = "player"

    def __init__(self, scores: Mapping[Pairing, Score], anchors: Mapping[str, float], unfinished: int, **settings: Any) -> None:
        self.scores, self.anchors, self.unfinished = scores, anchors, unfinished
        self.sign = "" if anchors else "+"
        self._ratings = {game: rate_scores(self.scores_of(game), fixed=anchors, **settings) for game in self.games}

    @property
    def ratings(self):
        """For each game's spec, the Elo ratings."""
        return self._ratings

    def _parts(self) -> Iterator[Part]:
        for game in self.games:
            yield self._standing_table(game)
            scores, rated = self.scores_of(game), self.ratings[game]
            if len(scores) > 1 and len(rated.elo) <= MOST_IN_GRID:
                yield self.grid(game)
            yield from filter(None, [describe_pairs(scores)])
            yield from self._payoff_words(game)
            if self.payoffs(game) is None:
                yield "Not all players have met each other, so there is neither Nash averaging nor α-Rank."
            if len(rated.groups) > 1:
                groups = " | ".join(", ".join(group) for group in rated.groups)
                yield f"No games connect these groups, whose ratings cannot be compared: {groups}."
        if self.anchors:
            how = "the scale is shifted to it" if len(self.anchors) == 1 else "these are kept, and the others fitted to them"
            yield f"Anchored: {', '.join(f'{name} {elo:g}' for name, elo in self.anchors.items())}; {how}."
        if self.unfinished:
            yield f"{several(self.unfinished, 'unfinished game')} passed over."

    def _rows(self) -> list[dict[str, Any]]:
        tables = {game: table.columns() for game in self.games if (table := self.payoffs(game))}
        return [
            {
                "game": game,
                "player": name,
                **self.ratings[game].elo[name]._asdict(),
                **{count: getattr(played, count) for count in ("games", "wins", "draws", "losses", "points")},
                **tables.get(game, {}).get(name, {}),
            }
            for game in self.games
            for name, played in self.standing(game).items()
        ]

    def document(self) -> dict[str, Any]:
        """The results for JSON, as a tournament's; and `anchors`, and how many games were `unfinished`."""
        document = super().document()
        for pair, name in ((pair, name) for pair in document["pairs"] for name in OF_PLAY):
            del pair[name]
        return {**document, "anchors": dict(self.anchors), "unfinished": self.unfinished}


def _scores_in(path: Path) -> tuple[list[Score], int]:
    """The scores of a file, one for each pair of seats, and how many of its games are unfinished."""
    counts, unfinished = dict[tuple[str, str, str, int | None], Any](), 0
    for result in read_results(path):
        key = result.game or A_GAME, result.first, result.second, 0 if result.is_seated else None
        if any(result.counts):
            counts[key] = counts.get(key, 0) + np.array(result.counts)
        else:
            unfinished += 1
    return [
        Score.from_counts(*of.tolist(), a=a, b=b, game=game, seat=seat) for (game, a, b, seat), of in counts.items()
    ], unfinished


def _check(anchors: Mapping[str, float], names: list[str]) -> None:
    """Checks that anchors are players, and have a rating that can be."""
    for name, elo in anchors.items():
        if name not in names:
            meant = "".join(f"did you mean {close!r}? " for close in get_close_matches(name, names, 1))
            some = ", ".join(names[:MOST_IN_GRID]) + " …" * (len(names) > MOST_IN_GRID)
            raise ValueError(f"{short_repr(name)} is to be an anchor and has no game; {meant}(players are {some})")
        if not ANCHORS.holds(elo):
            raise ValueError(f"the rating of {short_repr(name)} is {elo}; it must be a number {ANCHORS.words()}")
