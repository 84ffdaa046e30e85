"""Greedy covers: sets one after the other, never a second thought."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from ...envs.settings.bounds import OneOf
from ..problems.puzzle import Answers
from ..problems.setcover import SetCover
from .solver import Solver, Tally

ORDERS = ("gain", "length")


@dataclass(frozen=True)
class Greedy(Solver[SetCover]):
    """Takes sets until all is covered.

    Args:
        by: gain, the set that covers most of what is missing for what it costs (Chvátal 1979; at most ln N + 1 times as dear
            as the best); length, the sets from the smallest to the largest, those left out that add nothing, as the course's
            own program does.
    """

    by: Annotated[str, OneOf(*ORDERS)] = "gain"

    name: ClassVar[str] = "greedy"
    random: ClassVar[bool] = False

    def search(self, tally: Tally, seed: int) -> None:
        nothing = np.zeros(self.puzzle.length, np.bool_)
        tally.worth(self.puzzle.completed(nothing) if self.by == "gain" else self._by_length())

    def _by_length(self) -> Answers:
        """Sets from the smallest on, as long as something is missing."""
        answer = np.zeros(self.puzzle.length, np.bool_)
        covered = np.zeros(self.puzzle.items, np.bool_)
        for chosen in np.argsort(self.puzzle.sizes, kind="stable"):
            if not covered.all() and not (self.puzzle.member[chosen] <= covered).all():
                answer[chosen] = True
                covered |= self.puzzle.member[chosen]
        return answer
