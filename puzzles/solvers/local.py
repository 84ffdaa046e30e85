"""An evolutionary local search for the bit string: a few strings, and children beside them.

A child begins as a copy of a parent and goes through three steps, one after the other, each with a probability of its own: its
bits are *reordered*, one of them is flipped, and it is *crossed* with a second parent. Parents are selected by what
strings are worth, or, for comparison, by how many ones they have, which is no black box any more.

Reordering keeps the number of ones. A reordered copy of a good string, crossed with that string, moves many bits at once and
lands near the same number of ones, somewhat above or below it. So the search is fast where the perfect string is all ones, and
slow where it is `hidden`; there, annealing and probe do better.

`preset=original` has the settings of the project that this search grew from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...baselines.genetics.breeding import CROSSOVERS, Selection
from ...baselines.genetics.settings import SELECTIONS
from ...envs.settings.bounds import Count, OneOf, Share
from ...envs.settings.numbers import Range
from ..problems.bitstring import BitString
from ..problems.puzzle import Answers
from .genetic import Breeder, Genetic

SELECTED = ("worth", "ones")


@dataclass(frozen=True)
class Local(Genetic[BitString]):
    """An evolutionary local search.

    Args:
        reorder: with which probability a child's bits are reordered, first;
        mutation: with which one of its bits is flipped, then;
        crossing: with which it is crossed with a second parent, last.
        stretch: how many bits in a row are reordered; none: all.
        by: what strings are selected by: worth, or ones, which goes astray where the puzzle's perfect string is hidden.

    Raises:
        ValueError: a setting out of its range.
    """

    population: Annotated[int, Range(2)] = 2
    offspring: Count = 1
    mutation: Share = 0.1
    selection: Annotated[str, OneOf(*SELECTIONS)] = "tournament"
    share: Share = 0.6
    crossing: Share = 1.0
    elites: Annotated[int, Range(0)] | None = None
    reorder: Share = 1.0
    stretch: Annotated[int, Range(2)] | None = None
    by: Annotated[str, OneOf(*SELECTED)] = "worth"

    name: ClassVar[str] = "local"
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "original": {
            "population": 300,
            "offspring": 30,
            "generations": 1000,
            "calls": 300 + 1000 * 30,
            "tournament": 300,
            "mutation": 1.0,
            "crossover": "subset",
        },
    }

    def breeder(self, draw: np.random.Generator) -> Breeder:
        selection = Selection(self.selection, self.tournament)

        def bred(genes: Answers, points: NDArray[np.float64], count: int) -> Answers:
            parents = selection(points, 2 * count)
            return np.array(
                [self.child(genes[one], genes[two], draw) for one, two in zip(parents[::2], parents[1::2], strict=True)]
            )

        return bred

    def child(self, parent: Answers, other: Answers, draw: np.random.Generator) -> Answers:
        """A child (L,) of two parents (L,); the crossover draws from Python's global generator."""
        child = parent.copy()
        if draw.random() < self.reorder:
            part = child if self.stretch is None else child[draw.integers(len(child)) :][: self.stretch]
            part[:] = draw.permutation(part)
        if draw.random() < self.mutation:
            child[draw.integers(len(child))] ^= True
        if draw.random() < self.crossing:
            child[:], _ = CROSSOVERS[self.crossover](child.tolist(), other.tolist(), self.share)
        return child

    def points(self, answers: Answers, worths: NDArray[np.float64]) -> NDArray[np.float64]:
        return worths if self.by == "worth" else answers.sum(axis=1).astype(np.float64)
