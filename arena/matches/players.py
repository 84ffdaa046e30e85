"""`Player`: a policy in a match, in this process or in another; it answers or fails."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ...agents.answers import Transcript
from ...games.game import StateArray


class Fault(NamedTuple):
    """Why a policy gave no action.

    Args:
        ending: a number of ENDINGS (arena/matches/games.py).
        reason: a sentence.
    """

    ending: int
    reason: str


class Answers(NamedTuple):
    """A policy's answers in B positions.

    Args:
        actions: (B,), int64; -1 where there is a fault. They are not yet checked to be legal.
        faults: by row.
        seconds: how long it thought about each (B,); the time of a batch is divided equally among its rows.
        transcripts: by row, if the policy speaks.
        nodes: how many positions it visited for each (B,), int64; -1 where that is not known.
    """

    actions: NDArray[np.int64]
    faults: dict[int, Fault]
    seconds: NDArray[np.float64]
    transcripts: dict[int, Transcript]
    nodes: NDArray[np.int64]


class Player(Protocol):
    """A policy that plays games in a match. Its errors are returned as faults, except `Unavailable`, which stops the match."""

    def begin(self, games: int, raising: bool = False) -> None:
        """Starts games, numbered from 0. The policy's kernels are compiled here, outside of its time for moves.

        Args:
            games: how many.
            raising: whether this is the policy's first call, so that an error in it is raised. An invalid answer and one that
                comes too late are faults even then.
        """
        ...

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> Answers:
        """Answers in states (B, W), given their keys (B,) and the numbers of their games (B,)."""
        ...
