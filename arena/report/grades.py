"""The grades that a report shows: how much value the moves in a tournament lose, of as many moves as can be graded quickly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...games.game import Game
from ...oracles.values import quick_oracle
from ..grading import Grade, grade_decisions
from ..grading.decisions import Decisions, decisions_of
from ..ratings.score import Score
from ..store.store import Store

LOOKED_AT = 400
"""Moves come from about so many games of each policy."""
FEWEST = 20
"""Of fewer moves a grade says nothing."""


def grades_of(game: Game, store: Store, scores: Sequence[Score], most: int) -> dict[str, Grade]:
    """The grades of the policies of one game, of the moves that the oracle knows.

    Args:
        game: the game and variant.
        store: where its games are kept.
        scores: of its pairings.
        most: how many moves of each policy are graded, in games where that takes a search each.
    """
    oracle = quick_oracle(game, at_once=True)
    decisions: dict[str, list[Decisions]] = {}
    met = Counter(name for score in scores for name in score.pairing[1:])
    games = LOOKED_AT // max(met.values()) + 1
    for score in scores:
        played = next(store.parts(score.pairing, games))
        for side, name in enumerate(score.pairing[1:]):
            decisions.setdefault(name, []).append(decisions_of(game, played, side == 0))
    joined = {name: Decisions.joined(game, parts) for name, parts in decisions.items()}
    grades = {name: grade_decisions(game, name, some, most=most, oracle=oracle) for name, some in joined.items()}
    return {name: grade for name, grade in grades.items() if grade.graded.sum() >= FEWEST}
