"""`evaluate`: one policy against another, in one line of a training script."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.progress import ProgressLog
from ..games.game import Game
from .matches.settings import MatchKeywords, split_keywords
from .planning.planning import make_plan
from .planning.schedule import play_plan
from .ratings.score import Score

if TYPE_CHECKING:
    from typing_extensions import Unpack


USUAL_GAMES = 1000
"""How many games are played where the caller names no number."""


def evaluate(
    policy: Any,
    game: str | Game,
    against: Any = "random",
    games: int | None = None,
    *,
    seed: int = 0,
    watch: Callable[[Score], object] = lambda _: None,
    **how: Unpack[MatchKeywords],
) -> Score:
    """Plays a policy against another, half of the games in each seat, and counts wins, draws and losses.

    A policy loses a game by a fault, such as an error or an illegal action. The score counts these games and keeps the reasons.

    Args:
        policy: a spec, a policy, or whatever `as_policy` takes: a function, a Stable-Baselines3 model, a torch module.
        game: the game, or its spec.
        against: its opponent, given in the same way.
        games: how many games to play, an even number; None for 1000 or, with `openings`, for two of each.
        seed: the source of all randomness; the same seed gives the same games.
        watch: called with the score so far each time that some games were played.
        how: how they are played: `settings`, a `MatchSettings`, or six of its fields, `openings`, `opening_plies`, `move_time`,
            `game_time`, `faults` and `common_keys`; and `workers` and `engine`, as for `tournament`.

    Raises:
        ValueError: a policy does not play this game, or a number is invalid.
        Exception: what a policy raised at its first call, unless faults="count".
    """
    settings, playing = split_keywords(how)
    if games is None and settings.openings is None:
        games = USUAL_GAMES
    plan, cast = make_plan([game], [policy], games, against=[against], seed=seed, settings=settings)
    score, log = Score.empty(plan.pairings[0], plan.seed), ProgressLog(str(plan.pairings[0]), "games")
    for pairing, played in play_plan(plan, cast, [{plan.pairings[0]: np.arange(plan.games)}], stored=False, **playing):
        score += Score.of(pairing, played)
        log.count(score.games, plan.games)
        watch(score)
    return score
