"""`Speaking`: a policy that plays by text, and returns the transcript of each move."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from ..games.game import StateArray
from .answers import Answer
from .policy import Playing, Policy


class Speaking(Policy):
    """A policy that answers with more than actions. A subclass defines `answer`; it remembers nothing between moves."""

    @abstractmethod
    def answer(self, states: StateArray, keys: NDArray[np.uint64]) -> Answer:
        """The answer for a batch of states.

        Args:
            states: unfinished positions (B, W), uint64.
            keys: one per state (B,), uint64: all the randomness.

        Raises:
            Unavailable: it cannot go on.
        """

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """One legal action for each state.

        Raises:
            Forfeits: there is none for some of them.
            Unavailable: it cannot go on.
        """
        return self.answer(states, keys).every_action(self.spec)

    def begin(self, games: int) -> Playing:
        return _Conversations(self)


class _Conversations(Playing):
    """Games that a policy plays by text."""

    def __init__(self, policy: Speaking) -> None:
        super().__init__(policy)
        self._speaking = policy

    @property
    def remembers(self) -> bool:
        return False

    def answer(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> Answer:
        return self._speaking.answer(states, keys)
