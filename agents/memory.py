"""Games that do not run in circles: a policy remembers the positions that it has left to its opponent."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..games.game import StateArray
from ..games.lines import GameLines
from .policy import Playing, Policy, draw_actions

DRAWN = 0.0


class Remembering(Policy):
    """A policy that can rank all actions, so that it has another where one would repeat a position.

    Leaving a position for a second time is worth a draw to it, since both players may repeat their moves.
    """

    @abstractmethod
    def preferences(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.float64]:
        """A number for each action (B, A), larger for better ones: positive for better than a draw, negative for worse."""


class WithMemory(Playing):
    """Games in which a policy avoids the positions that it has left to the opponent."""

    def __init__(self, policy: Remembering) -> None:
        super().__init__(policy)
        self._preferences = policy.preferences
        self._left = defaultdict[int, set[bytes]](set)

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> NDArray[np.int64]:
        preferences = self._preferences(states, keys)
        actions = draw_actions(best_actions(preferences), keys)
        rows, after = np.arange(len(states)), np.empty_like(states)
        while len(rows):  # rows whose action would repeat a position choose again, with that action as a draw
            chosen = actions[rows]
            after[rows] = self.policy.game.plays(states[rows], chosen)
            left = zip(games[rows].tolist(), map(bytes, after[rows]), strict=True)
            again = np.array([state in self._left[game] for game, state in left], np.bool_) & (preferences[rows, chosen] != DRAWN)
            rows = rows[again]
            preferences[rows, chosen[again]] = DRAWN
            actions[rows] = draw_actions(best_actions(preferences[rows]), keys[rows])
        self._leave(after, games)
        return actions

    def note(self, states: StateArray, actions: NDArray[np.int64], games: NDArray[np.int64]) -> None:
        self._leave(self.policy.game.plays(states, actions), games)

    def _leave(self, states: StateArray, games: NDArray[np.int64]) -> None:
        """Remembers the states (B, W) that it leaves to its opponent in games (B,)."""
        for game, state in zip(games.tolist(), map(bytes, states), strict=True):
            self._left[game].add(state)

    def begin_again(self, games: NDArray[np.int64]) -> None:
        for game in games.tolist():
            self._left.pop(game, None)


def take_up(policy: Policy, states: StateArray, actions: Sequence[int]) -> Playing:
    """Resumes a game, under the number 0, for the player to move; the policy remembers what this player did so far, and sees the
    line, where it does.

    Args:
        policy: the policy that plays.
        states: all states from the start to now (N + 1, W), uint64.
        actions: the actions between them (N).
    """
    playing, players = policy.begin(1), policy.game.players(states)
    own = np.flatnonzero(players[:-1] == players[-1])
    playing.note(states[own], np.array(actions, np.int64)[own], np.zeros(len(own), np.int64))
    if policy.sees_moves:
        playing.lines = GameLines.of(states[0], actions)
    return playing


def best_actions(preferences: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 for each of the best actions of a row, 0 for the others (B, A)."""
    return (preferences == preferences.max(axis=1, keepdims=True)).astype(np.float64)
