"""Which games of a tournament are worth showing, each for another reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game
from ...oracles.values import quick_oracle
from ..grading.verdict import Judge
from ..matches.games import FIRST_FAULT, RULES
from ..pages import Replay
from ..ratings.ratings import Ratings
from ..ratings.score import Score
from ..store.store import Store

LOOKED_AT = 512
"""So many games of each pairing are looked at."""


def samples_of(
    game: Game, store: Store, scores: Sequence[Score], ratings: Ratings, most: int = 4, *, forfeit: bool = False
) -> list[Replay]:
    """Games of one game that are worth showing, each for another reason, with their verdicts.

    Args:
        game: the game and variant.
        store: where its games are kept.
        scores: of its pairings.
        ratings: who is how strong.
        most: how many to show.
        forfeit: whether to show first one that was lost by a fault, as where policies speak.
    """
    judge, found = Judge(game, quick_oracle(game, at_once=True)), list[Replay]()
    for title, row in _picks(candidates := _candidates(store, scores, ratings), forfeit):
        if len(found) < most:
            score = scores[candidates.pairings[row]]
            record = store.record(score.pairing, int(candidates.numbers[row]))
            found.append(Replay(title, record, judge.verdicts(record.actions)))
    return found


class _Candidates(NamedTuple):
    """The first games of each pairing, and what could make them worth showing; every array is (N,).

    Args:
        pairings: which score's.
        numbers: which of the pairing's games.
        plies: how long they were.
        results: 1, 0, -1 for a.
        ruled: whether they ended by the rules.
        faulty: whether they ended by a fault.
        ahead: by how much a is stronger than b.
        weaker: the Elo of the weaker policy.
    """

    pairings: NDArray[np.int64]
    numbers: NDArray[np.int64]
    plies: NDArray[np.int64]
    results: NDArray[np.int64]
    ruled: NDArray[np.bool_]
    faulty: NDArray[np.bool_]
    ahead: NDArray[np.float64]
    weaker: NDArray[np.float64]


def _candidates(store: Store, scores: Sequence[Score], ratings: Ratings) -> _Candidates:
    parts: list[tuple[NDArray[np.generic], ...]] = []
    for pairing, score in enumerate(scores):
        played = next(store.parts(score.pairing, LOOKED_AT))
        a, b = (ratings.elo[name].elo for name in score.pairing[1:])
        of_a = np.where(played.numbers % 2, -1, 1) * played.results.astype(np.int64)
        same = np.ones(len(of_a))
        ended = played.endings == RULES, played.endings >= FIRST_FAULT
        parts.append(
            (pairing * same.astype(np.int64), played.numbers, played.plies, of_a, *ended, (a - b) * same, min(a, b) * same)
        )
    return _Candidates(*(np.concatenate(column) for column in zip(*parts, strict=True)))  # pyright: ignore[reportArgumentType]


def _picks(some: _Candidates, forfeit: bool) -> Iterator[tuple[str, int]]:
    """Why a game is worth showing, and its row; what is worth most comes first, and no row twice."""
    decided, taken = some.ruled & (some.results != 0), np.zeros(len(some.plies), np.bool_)
    surprise = -some.ahead * some.results
    reasons = (
        ("A forfeit", some.plies, some.faulty & forfeit),
        ("An upset", surprise, decided & (surprise > 0)),
        ("The two strongest", some.weaker + decided, some.ruled & (some.ahead != 0)),
        ("The shortest", -some.plies, decided),
        ("The longest", some.plies, some.plies > 0),
    )
    for title, worth, may_be in reasons:
        if (may_be & ~taken).any():
            row = int(np.argmax(np.where(may_be & ~taken, worth, -np.inf)))
            taken[row] = True
            yield title, row
