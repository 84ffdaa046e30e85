"""Solvers that change one answer step by step: greedy covers, simulated annealing, tabu search."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from math import exp
from typing import Annotated, ClassVar

import numpy as np

from ..core.bounds import Count, OneOf
from ..core.numbers import Range
from .bitstring import BitString
from .puzzle import Answers, Puzzle
from .setcover import SetCover
from .solver import SearchSolver, Solver, Tally


@dataclass(frozen=True)
class GreedyCover(Solver[SetCover]):
    """Takes sets until all items are covered, without taking any back.

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


TRIALS = 20
"""The number of random answers to begin with, and of steps from which the first temperature is estimated."""


@dataclass(frozen=True)
class Annealing(SearchSolver[Puzzle]):
    """Simulated annealing: steps to answers near the current one, to worse ones too while the temperature is high.

    A step that costs d in worth is taken with the probability exp(-d / T). The temperature T falls from `hot` to `cold`, by the
    same factor at each call that is left when the attempt begins. Source: Kirkpatrick, Gelatt, Vecchi: Optimization by simulated
    annealing, Science 220 (1983).

    Args:
        hot: the first temperature, in units of worth; none: the mean change of worth in twenty steps from the best of twenty
            random answers.
        cold: the last temperature, as a share of the first.
    """

    hot: Annotated[float, Range(above=0)] | None = None
    cold: Annotated[float, Range(above=0, below=1)] = 1e-3

    name: ClassVar[str] = "annealing"

    def attempt(self, tally: Tally, seed: int) -> None:
        draw = np.random.default_rng(seed)
        tally.count_generations(1)
        first = self.puzzle.draw_answers(draw, TRIALS)
        worths = tally.worths(first)
        answer, worth, hot = first[worths.argmax()], float(worths.max()), self.hot
        if hot is None:
            neighbours = np.array([self.puzzle.neighbour(answer, draw) for _ in range(TRIALS)])
            hot = float(np.abs(tally.worths(neighbours) - worth).mean()) or 1.0
        while True:
            tally.counts["generations"] += 1
            temperature = hot * self.cold ** ((tally.calls - tally.attempt_start) / (self.calls - tally.attempt_start))
            other = self.puzzle.neighbour(answer, draw)
            reached = tally.worth(other)
            if reached >= worth or draw.random() < exp((reached - worth) / temperature):
                answer, worth = other, reached


@dataclass(frozen=True)
class Tabu(SearchSolver[SetCover | BitString]):
    """Tabu search: the best of some neighbours, even where it is worse, without going straight back.

    - Covers: taken sets are left out, one in each neighbour, and the cover is repaired with other sets. The set that the best of
      these covers left out may not come back for a while.
    - Bit strings: one bit is flipped in each neighbour. The bit that the best of these strings flipped stays for a while.

    Source: Glover: Tabu search, part I, ORSA Journal on Computing 1 (1989).

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
        is_string = isinstance(puzzle, BitString)
        tally.count_generations(1)
        answer = (puzzle.draw_answers(draw, 1) if is_string else puzzle.mend(np.zeros((1, puzzle.length), bool)))[0]
        tally.worth(answer)
        until = np.zeros(puzzle.length, np.int64)
        for step in count(1):
            tally.counts["generations"] += 1
            tabu = until >= step
            free = np.flatnonzero(~tabu if is_string else answer)
            changed = draw.choice(free, min(len(free), self.neighbours), replace=False)
            neighbours = np.array([self._neighbour(answer, int(part), tabu) for part in changed])
            chosen = int(tally.worths(neighbours).argmax())
            answer = neighbours[chosen]
            until[changed[chosen]] = step + self.tenure

    def _neighbour(self, answer: Answers, part: int, tabu: Answers) -> Answers:
        """The string with a bit flipped; or the cover without a set, mended without those that are tabu where that is possible."""
        other = answer.copy()
        other[part] ^= True
        if isinstance(self.puzzle, BitString):
            return other
        banned = tabu.copy()
        banned[part] = True
        return self.puzzle.thin(self.puzzle.complete(other, banned))
