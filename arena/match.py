"""A match: games between two policies, all at once, each policy in each seat for half of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..agents.policy import Policy
from ..envs.boards import Boards
from ..envs.game import Game
from ..envs.kernels.boards import PLAYING


@dataclass(frozen=True)
class Result:
    """How a match went, from the first policy's side.

    Args:
        wins, draws, losses: games by result; a game cut short by `max_plies` counts as drawn.
        plies: actions taken in all games.
        seconds: for each policy, the time it took per action, averaged over all it chose.
    """

    wins: int
    draws: int
    losses: int
    plies: int
    seconds: tuple[float, float]

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses


def play_match(
    game: Game, first: Policy, second: Policy, games: int, seed: int = 0, progress: Callable[[int], object] | None = None
) -> Result:
    """Plays games in lockstep: at each ply, each policy is asked once, about all boards where it is to move.

    Args:
        game: the game and variant.
        first: the policy whose results are told; it sits at 0 in the even games, at 1 in the odd ones.
        second: the other.
        games: how many to play.
        seed: the key of all randomness; game i follows from seed + i alone.
        progress: called after each round with the count of games that are over.

    Raises:
        ValueError: fewer than one game.
    """
    if games < 1:
        raise ValueError(f"a match is of 1 game or more, not {games}")
    boards = Boards(game, games, None, 0)
    every = np.ones(games, np.bool_)
    boards.seed(every, [seed + i for i in range(games)], np.random.default_rng(seed))
    boards.reset(every, game.start[None])
    seat_of_first = np.arange(games) % 2
    clocks = [_Clock(first, games), _Clock(second, games)]
    plies = 0
    while len(playing := np.flatnonzero(boards.phases == PLAYING)):
        belongs_to = (boards.players[playing] != seat_of_first[playing]).astype(np.int64)
        for side, clock in enumerate(clocks):
            which = playing[belongs_to == side]
            if len(which):
                boards.take(which, clock.act(boards.states[which], boards.ply_keys(which), which), clock.policy)
        plies += len(playing)
        if progress:
            progress(int(np.count_nonzero(boards.phases != PLAYING)))
    results = np.where(seat_of_first == 0, boards.results, -boards.results)
    wins, draws, losses = (int(np.count_nonzero(results == value)) for value in (1, 0, -1))
    return Result(wins, draws, losses, plies, (clocks[0].per_action, clocks[1].per_action))


class _Clock:
    """A policy and the time it takes."""

    def __init__(self, policy: Policy, games: int) -> None:
        self.policy = policy
        self._playing = policy.begin(games)
        self._seconds, self._actions = 0.0, 0

    def act(self, states: np.ndarray, keys: np.ndarray, games: np.ndarray) -> np.ndarray:
        began = time.perf_counter()
        actions = self._playing.act(states, keys, games)
        self._seconds += time.perf_counter() - began
        self._actions += len(states)
        return actions

    @property
    def per_action(self) -> float:
        return self._seconds / max(1, self._actions)
