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


def play_in_turn(policy: Policy, opponents: Sequence[Policy], each: int, seed: int) -> Results:
    """The results of a policy in so many games, an even number, against each of its opponents in turn."""
    numbers, names = np.arange(each * len(opponents)), Pairing(policy.game.spec, policy.spec, InTurn.name)
    players = policy, InTurn(policy.game, opponents=tuple(opponents), each=each)
    played = play_job(Job(names, players, numbers, seed, raising=(True, True)))
    return np.where(numbers % 2 == 0, 1, -1) * played.results.astype(np.int64)  # it has seat 0 in every other game


@dataclass(frozen=True, eq=False)
class InTurn(Policy):
    """Several policies as one: each plays as many games as the others, the first one the first games.

    Args:
        opponents: the policies.
        each: how many games each plays.
    """

    name: ClassVar[str] = "opponents in turn"
    opponents: tuple[Policy, ...] = field(kw_only=True)
    each: int = field(kw_only=True)

    def prepare(self) -> None:
        for policy in self.opponents:
            policy.prepare()

    def begin(self, games: int) -> Playing:
        return PlayingInTurn(self)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        raise NotImplementedError("who is to move depends on the number of the game; call begin")


class PlayingInTurn(Playing):
    """The games of several policies in turn.

    Args:
        policy: the policies.
    """

    def __init__(self, policy: InTurn) -> None:
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
