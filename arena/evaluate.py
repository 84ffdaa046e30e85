"""`evaluate`: one policy against another, in one line of a training script."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..games.game import Game
from .matches.faults import Faults
from .planning.planning import make_plan
from .planning.schedule import play_plan
from .ratings.score import Score


def evaluate(
    policy: Any,
    game: str | Game,
    against: Any = "random",
    games: int = 1000,
    *,
    seed: int = 0,
    opening_plies: int | None = None,
    move_time: float | None = None,
    start_time: float | None = None,
    workers: int = 1,
    faults: Faults = "raise",
    ask_again: bool = True,
) -> Score:
    """Plays a policy against another, half of the games in each seat, and counts wins, draws and losses.

    A policy loses a game by a fault: an error, an illegal action, a move that takes too long, or a process that dies. The score
    counts these games and keeps the reasons.

    Args:
        policy: a spec, a policy, or whatever `as_policy` takes: a function, a Stable-Baselines3 model, a torch module.
        game: the game, or its spec.
        against: its opponent, given in the same way.
        games: how many games to play, an even number.
        seed: the source of all randomness; the same seed gives the same games.
        opening_plies: how many random plies games begin with; None for the game's default, 0 for none.
        move_time: seconds that a policy may take for a move. With a limit, policies run in processes of their own.
        start_time: seconds that a policy with a `move_time` may take until it is ready for its first move; None for 120, or for
            20 times the `move_time` if that is longer. If it fails to start three times in a row, it loses all further games.
        workers: how many processes play; 1 for this one. The results do not depend on it.
        faults: "raise" raises an error at a policy's first call, with its traceback; "count" counts it like every other fault.
        ask_again: whether a policy that fails on a batch (with an error, or an answer that is not one whole number per position)
            is queried again position by position, so that it loses only the games in which it fails. With False nothing is
            queried twice, which suits a policy that is slow or costs money, and it loses all games of the batch.

    Raises:
        ValueError: a policy does not play this game, or a number is invalid.
        Exception: what a policy raised at its first call, unless faults="count".
    """
    plan, cast = make_plan(
        [game],
        [policy],
        games,
        against=[against],
        seed=seed,
        opening_plies=opening_plies,
        move_time=move_time,
        start_time=start_time,
        ask_again=ask_again,
    )
    score = Score.empty(plan.pairings[0], plan.seed)
    for pairing, played in play_plan(plan, cast, lambda _: np.arange(games), workers=workers, stored=False, faults=faults):
        score += Score.of(pairing, played)
    return score
