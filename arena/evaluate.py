"""`evaluate`: one policy against another, in a line of a training script."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..envs.game import Game
from .planning import draw_up
from .schedule import play_plan
from .score import Score


def evaluate(
    policy: Any,
    game: str | Game,
    against: Any = "random",
    games: int = 1000,
    *,
    seed: int = 0,
    opening_plies: int | None = None,
    move_time: float | None = None,
    workers: int = 1,
) -> Score:
    """Plays a policy against another, half of the games in each seat, and tells how it fared.

    Args:
        policy: a spec, a policy, or whatever `as_policy` takes: a function, a Stable-Baselines3 model, a torch module.
        game: the game, or its spec.
        against: the other, named likewise.
        games: how many games to play, an even number.
        seed: the source of all randomness: same seed, same games.
        opening_plies: how many random plies games begin with; None for what fits the game, 0 for none.
        move_time: seconds that a policy may take for a move. Policies run in processes of their own then.
        workers: how many processes play; 1 for this one. It changes no result.

    Raises:
        ValueError: a policy does not play this game, or a number is not as it must be.
    """
    plan, cast = draw_up([game], [policy], games, against=[against], seed=seed, opening_plies=opening_plies, move_time=move_time)
    score = Score.empty(plan.pairings[0])
    for pairing, played in play_plan(plan, cast, lambda _: np.arange(games), workers=workers, stored=False):
        score += Score.of(pairing, played)
    return score
