"""Tabu search for covers: the best of some neighbours, even where it is worse, and no way straight back.

Of the taken sets some are left out in turn, each hole mended with other sets; the best of these covers is next, and what was
left out may not come back for a while. Source: Glover: Tabu search, part I, ORSA Journal on Computing 1 (1989).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import ClassVar

import numpy as np

from ...envs.puzzles import Answers
from ...envs.puzzles.setcover import SetCover
from .solver import Searcher, Tally


@dataclass(frozen=True)
class Tabu(Searcher[SetCover]):
    """Tabu search.

    Args:
        calls: how many calls it has.
        neighbours: how many covers it looks at in each step.
        tenure: for how many steps a set that was left out stays out.

    Raises:
        ValueError: a number that is too small.
    """

    calls: int = 3000
    neighbours: int = 10
    tenure: int = 7

    name: ClassVar[str] = "tabu"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.neighbours < 1 or self.tenure < 0:
            raise ValueError(f"neighbours is {self.neighbours}, tenure {self.tenure}; they must be 1 or more, and 0 or more")

    def search(self, tally: Tally, seed: int) -> None:
        draw, puzzle = np.random.default_rng(seed), self.puzzle
        answer = puzzle.mended(np.zeros((1, puzzle.length), np.bool_))[0]
        tally.worth(answer)
        until = np.zeros(puzzle.length, np.int64)
        for step in count(1):
            taken = np.flatnonzero(answer)
            left_out = draw.choice(taken, min(len(taken), self.neighbours), replace=False)
            covers = np.array([self._without(int(one), answer, until >= step) for one in left_out])
            worths = tally.worths(covers)
            chosen = int(worths.argmax())
            answer = covers[chosen]
            until[left_out[chosen]] = step + self.tenure

    def _without(self, one: int, answer: Answers, tabu: Answers) -> Answers:
        """The cover without one of its sets, mended."""
        other, banned = answer.copy(), tabu.copy()
        other[one], banned[one] = False, True
        return self.puzzle.thinned(self.puzzle.completed(other, banned))
