"""An evolutionary local search for the bit string: a few strings, and children near them.

A child begins as a copy of a parent and goes through three steps, each with its own probability: its
bits are *reordered*, one bit is flipped, and it is *crossed* with a second parent.

Reordering keeps the number of ones. A reordered copy of a good string, crossed with that string, moves many bits at once and
has nearly the same number of ones, somewhat more or fewer. So the search is fast where the perfect string is all ones, and
slow where it is `hidden`; there, annealing and probe do better.

`preset=original` has the settings of the project that this search comes from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from ...baselines.genetics.breeding import cross, select
from ...baselines.genetics.settings import SELECTIONS
from ...core.bounds import Count, OneOf, Share
from ...core.numbers import Range
from ..problems.puzzle import Answers
from .genetic import Island
from .strings import GeneticString


@dataclass(frozen=True)
class LocalSearch(GeneticString):
    """An evolutionary local search.

    Args:
        reorder: the probability of the first step, that a child's bits are reordered.
        mutation: the probability of the second step, that one of its bits is flipped.
        crossing: the probability of the third step, that it is crossed with a second parent.
        stretch: the number of consecutive bits that are reordered; none: all.
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

    def breed_children(self, parents: Island, draw: np.random.Generator) -> Answers:
        chosen = [parents.genes[row] for row in select(self, parents.points - parents.points[-1], 2 * self.num_children)]
        return np.array([self.child(*pair, draw) for pair in zip(chosen[::2], chosen[1::2], strict=True)])

    def child(self, parent: Answers, other: Answers, draw: np.random.Generator) -> Answers:
        """A child (L,) of two parents (L,); crossover draws from Python's global generator."""
        child = parent.copy()
        if draw.random() < self.reorder:
            part = child if self.stretch is None else child[draw.integers(len(child)) :][: self.stretch]
            part[:] = draw.permutation(part)
        if draw.random() < self.mutation:
            child[draw.integers(len(child))] ^= True
        if draw.random() < self.crossing:
            genome = child.tolist()
            cross(self, genome, other.tolist())  # changes `genome`
            child[:] = genome
        return child
