"""Games of a policy against several opponents, all at once: each of these has a part of the games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ludus.agents.policy import Playing, Policy
from ludus.arena.matches.games import Pairing
from ludus.arena.matches.job import Job, play_job
from ludus.games.game import StateArray

Results = NDArray[np.int64]
"""A policy's results in games: 1, 0 or -1 each."""


def play_at_once(policy: Policy, opponents: Sequence[Policy], each: int, seed: int) -> Results:
    """The results of a policy in so many games, an even number, against each of its opponents: those against the first come first.

    Raises:
        ValueError: an opponent sees moves, which are not handed on here.
        RuntimeError: a game ended by a fault.
    """
    if any(opponent.sees_moves for opponent in opponents):
        raise ValueError("an opponent that sees moves plays by itself; use `evaluate`")
    numbers, names = np.arange(each * len(opponents)), Pairing(policy.game.spec, policy.spec, SharedSeat.name)
    players = policy, SharedSeat(policy.game, opponents=tuple(opponents), each=each)
    played = play_job(Job(names, players, numbers, seed, raising=(True, True)))
    if played.reasons:
        raise RuntimeError(f"games ended by faults: {'; '.join({*played.reasons.values()})}")
    return np.where(numbers % 2 == 0, 1, -1) * played.results.astype(np.int64)  # it has seat 0 in every other game


@dataclass(frozen=True, eq=False)
class SharedSeat(Policy):
    """Several policies as one: each plays as many games as the others, the first one the first games.

    Args:
        opponents: the policies.
        each: how many games each plays.
    """

    name: ClassVar[str] = "several opponents"
    opponents: tuple[Policy, ...] = field(kw_only=True)
    each: int = field(kw_only=True)

    def prepare(self) -> None:
        for policy in self.opponents:
            policy.prepare()

    def begin(self, games: int) -> Playing:
        return PlayingSharedSeat(self)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        raise NotImplementedError("who is to move depends on the number of the game; call begin")


class PlayingSharedSeat(Playing):
    """The games of several policies.

    Args:
        policy: the policies.
    """

    def __init__(self, policy: SharedSeat) -> None:
        super().__init__(policy)
        self._each, self._playing = policy.each, [opponent.begin(policy.each) for opponent in policy.opponents]

    def prepare(self) -> None:
        for playing in self._playing:
            playing.prepare()

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> NDArray[np.int64]:
        actions = np.zeros(len(games), np.int64)
        for number, playing in enumerate(self._playing):
            rows = np.flatnonzero(games // self._each == number)
            if len(rows):
                actions[rows] = playing.act(states[rows], keys[rows], games[rows] % self._each)
        return actions
