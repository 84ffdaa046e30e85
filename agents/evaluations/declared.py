"""What a search asks about a position: declared here for its kernels, and answered by an `Evaluation`."""

from __future__ import annotations

from ...envs.kernels.arrays import Numbers
from ...envs.rules import State

LARGEST = 100_000_000
"""No evaluation may reach so high, on either side of 0."""


def evaluate(state: State, weights: Numbers) -> int:
    """What an unfinished position seems worth to the player to move; less than LARGEST in size."""
    raise NotImplementedError


def hint(state: State, action: int) -> int:
    """How promising an action looks before it is searched; higher ones are searched first."""
    raise NotImplementedError


def zero(state: State, weights: Numbers) -> int:
    """Every unfinished position is worth 0."""
    return 0


def no_hint(state: State, action: int) -> int:
    """All actions look alike."""
    return 0
