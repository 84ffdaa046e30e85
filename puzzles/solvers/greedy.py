"""Greedy covers: sets one after the other, without taking any back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from ...core.bounds import OneOf
from ..problems.setcover import SetCover
from .solver import Solver, Tally


@dataclass(frozen=True)
class GreedyCover(Solver[SetCover]):
    """Takes sets until all items are covered.

    Args:
        by: gain, the set that covers most of what is missing for its cost (Chvátal 1979; at most ln N + 1 times the cost
            of the best); length, the sets from the smallest to the largest, without those that add nothing, as the course's
            own program does.
    """

    by: Annotated[str, OneOf("gain", "length")] = "gain"

    name: ClassVar[str] = "greedy"
    random: ClassVar[bool] = False

    def search(self, tally: Tally, seed: int) -> None:
        answer = np.zeros(self.puzzle.length, np.bool_)
        if self.by == "gain":
            answer = self.puzzle.complete(answer)
        else:
            covered = np.zeros(self.puzzle.items, np.bool_)
            for chosen in np.argsort(self.puzzle.sizes, kind="stable"):
                answer[chosen] = (self.puzzle.member[chosen] & ~covered).any()
                covered |= self.puzzle.member[chosen]
        tally.worth(answer)
