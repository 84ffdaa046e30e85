"""Learnt values as the evaluation of a search: the same sums, in whole numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...games.evaluation import LARGEST, Evaluation, no_hint
from ...games.game import Game
from ...games.kernels.arrays import Numbers
from ...games.kernels.bits import ONE, count, number, u64
from ...games.kernels.rules import State
from ...native import Function
from ...search.alphabeta.negamax import PROVEN, WIN
from .kernels import cells
from .shapes import NTuplePatterns

UNIT = 1_000_000
"""A weight of 1 in the whole numbers of search."""
PLACES, STAGES, MARKS, SIZE, HEAD = range(5)
"""Where the layout has the number of places, of stages, of counts of cells that are not empty, and of the weights of a stage."""
SOONER, UNDECIDED = 1e-6, 0.999
"""The value of a ply where a search has found the end; and the highest value of any other position."""


def sum_of_patterns(state: State, weights: Numbers) -> int:
    """The sum of the weights of the patterns on all places; `weights` is made by `layout_of`."""
    own, other = cells(state)
    first = count(own | other) * weights[STAGES] // weights[MARKS] * weights[SIZE]
    total, at = 0, HEAD
    for _ in range(weights[PLACES]):
        pattern, length = 0, weights[at + 1]
        for i in range(at + 2, at + 2 + length):
            cell = u64(weights[i])
            pattern = 3 * pattern + number(((own >> cell) & ONE) + ((other >> cell) & ONE) * u64(2))
        total += weights[first + weights[at] + pattern]
        at += 2 + length
    return int(max(1 - LARGEST, min(LARGEST - 1, total)))


def layout_of(patterns: NTuplePatterns, weights: NDArray[np.float32], stages: int) -> NDArray[np.int64]:
    """Places and the weights of their patterns, in one array.

    First HEAD numbers; then for each place the start of its patterns, the number of its cells, and these, the last first; then
    the weight of each pattern, those of the first stage first.
    """
    places = [np.argsort(-column, kind="stable")[: np.count_nonzero(column)] for column in patterns.steps.T]
    begin = HEAD + sum(2 + len(cells) for cells in places)
    parts = [np.array([begin + start, len(cells), *cells]) for start, cells in zip(patterns.starts, places, strict=True)]
    values = np.rint(weights.reshape(stages, -1).astype(np.float64)[:, patterns.slots] * UNIT)
    head = np.array([len(places), stages, len(patterns.steps) + 1, len(patterns.slots)])
    return np.concatenate([head, *parts, np.clip(values, -LARGEST, LARGEST).ravel()]).astype(np.int64)


def as_value(searched: NDArray[np.int64]) -> NDArray[np.float64]:
    """The values of a search from -1 to 1: the sooner won the higher, and all others in between."""
    ended = np.sign(searched) * (1 - SOONER * (WIN - np.abs(searched)))
    return np.where(np.abs(searched) > PROVEN, ended, UNDECIDED * np.tanh(searched / UNIT))


@dataclass(frozen=True, eq=False)
class SumOfPatterns(Evaluation):
    """The evaluation by patterns.

    Args:
        cells: the function that reads the game's cells, for linking.
        layout: the result of `layout_of`.
    """

    cells: dict[Function, Function] = field(kw_only=True)
    layout: NDArray[np.int64] = field(kw_only=True)

    @classmethod
    def of(cls, game: Game, patterns: NTuplePatterns, weights: NDArray[np.float32], stages: int) -> SumOfPatterns:
        """The evaluation of a game by these weights of patterns in stages."""
        sides = game.known.sides
        assert sides is not None  # the policy has checked it
        return cls(sum_of_patterns, no_hint, cells={cells: sides}, layout=layout_of(patterns, weights, stages))

    @property
    def plugs(self) -> dict[Function, Function]:
        return {**super().plugs, **self.cells}

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        return self.layout
