"""Tabu search: the best of some neighbours, even where it is worse, without going straight back.

- Covers: taken sets are left out, one in each neighbour, and the cover is repaired with other sets. The set that the best of
  these covers left out may not come back for a while.
- Bit strings: one bit is flipped in each neighbour. The bit that the best of these strings flipped stays for a while.

Source: Glover: Tabu search, part I, ORSA Journal on Computing 1 (1989).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.bounds import Count
from ...core.numbers import Range
from ..problems.bitstring import BitString
from ..problems.puzzle import Answers
from ..problems.setcover import SetCover
from .solver import SearchSolver, Tally


@dataclass(frozen=True)
class Tabu(SearchSolver[SetCover | BitString]):
    """Tabu search.

    Args:
        neighbours: the number of answers near the current one that each step compares.
        tenure: the number of steps for which a set that was left out stays out, or a bit that was flipped stays as it is.

    Raises:
        ValueError: a tenure with which no bit is left to flip.
    """

    calls: Count = 3000
    neighbours: Count = 10
    tenure: Annotated[int, Range(0)] = 7

    name: ClassVar[str] = "tabu"

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.puzzle, BitString) and self.tenure >= self.puzzle.bits:
            raise ValueError(f"tenure is {self.tenure}; it must be less than the {self.puzzle.bits} bits, or none is left to flip")

    def attempt(self, tally: Tally, seed: int) -> None:
        draw, puzzle = np.random.default_rng(seed), self.puzzle
        tally.count_generations(1)
        is_string = isinstance(puzzle, BitString)
        answer = (puzzle.draw_answers(draw, 1) if is_string else puzzle.mend(np.zeros((1, puzzle.length), bool)))[0]
        tally.worth(answer)
        until = np.zeros(puzzle.length, np.int64)
        for step in count(1):
            tally.counts["generations"] += 1
            tabu = until >= step
            changed = draw.choice(free := self._free(answer, tabu), min(len(free), self.neighbours), replace=False)
            neighbours = np.array([self._neighbour(answer, int(part), tabu) for part in changed])
            chosen = int(tally.worths(neighbours).argmax())
            answer = neighbours[chosen]
            until[changed[chosen]] = step + self.tenure

    def _free(self, answer: Answers, tabu: Answers) -> NDArray[np.int64]:
        """The parts that may be changed: sets that are taken, or bits that are not tabu."""
        return np.flatnonzero(~tabu if isinstance(self.puzzle, BitString) else answer)

    def _neighbour(self, answer: Answers, part: int, tabu: Answers) -> Answers:
        """The string with a bit flipped; or the cover without a set, mended without those that are tabu where that is possible."""
        other = answer.copy()
        other[part] ^= True
        if isinstance(self.puzzle, BitString):
            return other
        banned = tabu.copy()
        banned[part] = True
        return self.puzzle.thin(self.puzzle.complete(other, banned))
