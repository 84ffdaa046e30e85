"""`Job`: some games of a tournament that are played together, in this process or another."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...agents.policies.policy import Policy
from .games import Pairing, PlayedGames
from .keys import stream_keys
from .match import play_games
from .openings import openings
from .players import Player


class Job(NamedTuple):
    """Some games of a pairing.

    Args:
        pairing: whose they are.
        policies: the two that play.
        numbers: of the games (N,), int64, both of each opening among them.
        seed: the tournament's.
        opening_plies: how many random plies games begin with.
        move_time: seconds that a policy may take for a move; None for no limit.
        ask_again: whether a policy that fails on a batch is queried again position by position.
        raising: for which of the two the job holds their first call, an error in which is raised.
        start_time: seconds that a policy with a `move_time` may take to start; None for the default.
    """

    pairing: Pairing
    policies: tuple[Policy, Policy]
    numbers: NDArray[np.int64]
    seed: int
    opening_plies: int
    move_time: float | None = None
    ask_again: bool = True
    raising: tuple[bool, bool] = (False, False)
    start_time: float | None = None


def play_job(job: Job, players: tuple[Player, Player], progress: Callable[[int], object] | None = None) -> PlayedGames:
    """Plays the games of a job. Each game depends on its number, and not on the other games of the job.

    Args:
        job: what to play.
        players: the job's policies, as what answers in a match.
        progress: called after each round with how many games are over.
    """
    game = job.policies[0].game
    begun, _ = openings(game, job.seed, job.numbers // 2, job.opening_plies)
    keys = stream_keys(game, job.seed, (job.pairing.a, job.pairing.b), job.numbers)
    return play_games(game, *players, job.numbers, keys, begun, progress, job.raising)
