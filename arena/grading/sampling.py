"""Sampled grades from the start: a policy plays until enough of its moves can be graded."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...agents.registry import as_policy
from ...core.numbers import several, whole
from ...games.game import Game
from ..matches.faults import Faults
from ..planning.plan import MOST_GAMES
from ..planning.planning import make_plan
from ..planning.schedule import play_plan
from ..ratings.score import Score
from .calibration import Valuations, calibrated, check_calibration
from .decisions import Decisions, decisions_of
from .judged import can_be_judged, judge
from .sampled import Grade, graded_as

GAMES = 1000
"""So many games are played at a time, if their number is not given."""


def grade_sampled(
    policy: Any,
    game: Game,
    *,
    games: int | None,
    against: Any,
    opening_plies: int,
    most: int | None,
    calibration: int | None,
    seed: int,
    workers: int,
    faults: Faults,
    ask_again: bool,
    progress: Callable[[str], object],
) -> Grade:
    """A grade from the moves of games; arguments as for `grade`."""
    if most is not None:
        whole(most, "most", 1)
    if calibration is not None:
        check_calibration(as_policy(policy, game), calibration)
    at_most = MOST_GAMES if games is None else games
    plan, cast = make_plan(
        [game], [policy], at_most, against=[against], seed=seed, opening_plies=opening_plies, ask_again=ask_again
    )
    pairing = plan.pairings[0]
    score, parts, found = Score.empty(pairing, plan.seed), list[Decisions](), 0
    for start in range(0, at_most, GAMES if games is None else at_most):
        numbers = np.arange(start, min(at_most, start + GAMES) if games is None else at_most)
        before = found
        for _, played in play_plan(plan, cast, lambda _, some=numbers: some, workers=workers, stored=False, faults=faults):
            score += Score.of(pairing, played)
            parts.append(decisions_of(game, played))
            found += int(can_be_judged(game, parts[-1]).sum())
            progress(f"{several(score.games, 'game')}, {several(found, 'move')} that can be graded")
        if most is None or found >= most or found == before:
            break
    decisions = Decisions.joined(game, parts)
    judged = judge(game, decisions, seed=seed, most=most, progress=Clock(progress))
    curves = ()
    if calibration is not None and len(judged.rows):
        known = Valuations.counted(decisions.states[judged.rows], judged.before)
        curves = calibrated(as_policy(policy, game), [known.drawn(calibration, seed)], seed)
    graded = graded_as(game, pairing.a, decisions, judged)
    return replace(graded, score=score, opening_plies=opening_plies, calibration=curves)


class Clock:
    """Says how much is done, and how long the rest will take.

    Args:
        progress: called with a line.
    """

    def __init__(self, progress: Callable[[str], object]) -> None:
        self._progress, self._began = progress, time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        left = (time.monotonic() - self._began) * (total - done) / done
        self._progress(f"{done:,} of {total:,} different moves graded, {left:.0f} s left")
