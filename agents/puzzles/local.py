"""The evolutionary local search of the course's projects: a small population near one good string.

Children are mutants, with a bit flipped or a few, or with the bits of a stretch in another order; or crosses. Parents are
selected by what strings are worth, or, for comparison, by how many ones they have. By the worth alone it is a search like any
other; by ones it is no black box any more: it knows what a perfect string is made of, and only asks whether it is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...envs.puzzles import Answers
from ...envs.puzzles.bitstring import BitString
from .genetic import Genetic

SELECTED = ("worth", "ones")


@dataclass(frozen=True)
class Local(Genetic[BitString]):
    """An evolutionary local search.

    Args:
        reorder: with which probability a mutation reorders a stretch instead of flipping bits.
        stretch: how many bits are reordered.
        by: what strings are selected by: worth, or ones, which goes astray where the puzzle's perfect string is hidden.

    Raises:
        ValueError: a setting out of its range.
    """

    population: int = 5
    offspring: int = 10
    mutation: float = 0.8
    selection: str = "tournament"
    elites: int = 5
    reorder: float = 0.1
    stretch: int = 10
    by: str = "worth"

    name: ClassVar[str] = "local"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.reorder <= 1 or self.stretch < 2:
            raise ValueError(f"reorder is {self.reorder}, stretch {self.stretch}; they must be from 0 to 1, and 2 or more")
        if self.by not in SELECTED:
            raise ValueError(f"by is {self.by!r}; there are: {', '.join(SELECTED)}")

    def mutated(self, answer: Answers, draw: np.random.Generator) -> Answers:
        if draw.random() >= self.reorder:
            return self.puzzle.near(answer, draw)
        begin = draw.integers(self.puzzle.bits)
        answer[begin : begin + self.stretch] = draw.permutation(answer[begin : begin + self.stretch])
        return answer

    def points(self, answers: Answers, worths: NDArray[np.float64]) -> NDArray[np.float64]:
        return worths if self.by == "worth" else answers.sum(axis=1).astype(np.float64)
