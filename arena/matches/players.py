"""`Player`: a policy as a match sees it, answering or failing; what the ways of asking one have in common."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ...envs.games.game import StateArray


class Fault(NamedTuple):
    """Why a policy gave no action.

    Args:
        ending: a number of ENDINGS (arena/matches/games.py).
        reason: a sentence.
    """

    ending: int
    reason: str


class Answers(NamedTuple):
    """What a policy answered to B questions.

    Args:
        actions: (B,), int64; -1 where there is a fault. Nobody has looked yet whether they are legal.
        faults: by row.
        seconds: how long it thought about each (B,); a batch's time is shared equally by its rows.
    """

    actions: NDArray[np.int64]
    faults: dict[int, Fault]
    seconds: NDArray[np.float64]


class Player(Protocol):
    """A policy that plays games in a match. What it does wrong comes back as a fault."""

    def begin(self, games: int, raising: bool = False) -> None:
        """So many games begin now, numbered from 0. What the policy needs is compiled now, while no clock runs.

        Args:
            games: how many.
            raising: whether this is the policy's first call, so that an error in it is raised. An answer that is no
                action and one that comes too late are faults there too.
        """
        ...

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> Answers:
        """As `Playing.act`: states (B, W), keys (B,), and the numbers of their games (B,)."""
        ...
