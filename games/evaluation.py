"""`Evaluation`: what a search asks about a position that it does not search further.

Search kernels declare the three functions below and are linked with those of an `Evaluation`. A game declares its own in its
class (`Game.evaluation`); `minimax:evaluation=module:name` takes another.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..core.native import Function
from .kernels.arrays import Numbers
from .kernels.rules import State

LARGEST = 100_000_000
"""Every evaluation is smaller than this, on either side of 0."""


def evaluate(state: State, weights: Numbers) -> int:
    """What an unfinished position seems worth to the player to move; less than LARGEST in size."""
    raise NotImplementedError


def hint(state: State, action: int) -> int:
    """How promising an action looks before it is searched; higher ones are searched first."""
    raise NotImplementedError


def phase(state: State) -> int:
    """The phase of the game that a position is in, from 0 on: margins of ProbCut depend on it."""
    raise NotImplementedError


def zero(state: State, weights: Numbers) -> int:
    """Every unfinished position is worth 0."""
    return 0


def no_hint(state: State, action: int) -> int:
    """All actions look alike."""
    return 0


def one_phase(state: State) -> int:
    """All of the game is one phase."""
    return 0


@dataclass(frozen=True)
class Evaluation:
    """An evaluation, a hint and a phase, as functions that are compiled into the search.

    Args:
        evaluate: what an unfinished position seems worth to the player to move; less than LARGEST in size.
        hint: how promising an action looks before it is searched; by default all look alike.
        weights: whole numbers that `evaluate` is given at each call, as an int64 array; it is [0] where there are none.
        mobility_unit: what the last of the weights calls 1, where that is the weight of mobility; 0 where mobility does not count.
        score_unit: what it calls one point of the game's score, where it estimates that; 0 where it does not.
        phase: the phase of the game that a position is in, from 0 on.
        phases: how many phases there are.
    """

    evaluate: Function
    hint: Function = no_hint
    weights: tuple[int, ...] = ()
    mobility_unit: int = 0
    score_unit: int = 0
    phase: Function = one_phase
    phases: int = 1

    @property
    def plugs(self) -> dict[Function, Function]:
        """What a search kernel is linked with."""
        return {evaluate: self.evaluate, hint: self.hint, phase: self.phase}

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """The weights as kernels take them; there is always one."""
        return np.array(self.weights or (0,), np.int64)


PLAIN = Evaluation(zero)
"""By it nothing but finished games counts."""
