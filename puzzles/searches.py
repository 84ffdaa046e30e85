"""Solvers that keep one answer or one path at a time: greedy covers, simulated annealing, tabu search, and A* for covers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import count
from math import ceil, exp
from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from ..core.bounds import Count, OneOf
from ..core.numbers import Range
from .bitstring import BitString
from .puzzle import Answers, Puzzle
from .setcover import SetCover
from .solver import Enough, SearchSolver, Solver, Tally


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
    same factor at each call. Source: Kirkpatrick, Gelatt, Vecchi: Optimization by simulated
    annealing, Science 220 (1983).

    Args:
        hot: the first temperature, in units of worth; none: the mean change of worth in twenty steps from the best of twenty
            random answers.
        cold: the last temperature, as a share of the first.
    """

    hot: Annotated[float, Range(above=0)] | None = None
    cold: Annotated[float, Range(above=0, below=1)] = 1e-3

    name: ClassVar[str] = "annealing"

    def search(self, tally: Tally, seed: int) -> None:
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
            temperature = hot * self.cold ** (tally.calls / self.calls)
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

    def search(self, tally: Tally, seed: int) -> None:
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


# ---- A*

SLACK = 1e-9
"""The tolerance of sums of costs."""


class Sets(NamedTuple):
    """The sets of a puzzle as integers, bit i for item i, and what they cost."""

    items: Sequence[int]
    costs: Sequence[float]


class Path(NamedTuple):
    """The cheapest path to a node so far: its cost, the last set taken, and the node before; -1 at the start."""

    cost: float
    chosen: int
    parent: int


def largest(missing: int, sets: Sets) -> float:
    """Every missing item at the best rate of any set."""
    return missing.bit_count() * min(
        cost / (held & missing).bit_count() for held, cost in zip(*sets, strict=True) if held & missing
    )


def shares(missing: int, sets: Sets) -> float:
    """Every missing item at the best rate of a set that holds it."""
    gains = [(held & missing, cost) for held, cost in zip(*sets, strict=True) if held & missing]
    total, rest = 0.0, missing
    for rate, held in sorted((cost / held.bit_count(), held) for held, cost in gains):
        total += rate * (held & rest).bit_count()
        rest &= ~held
        if not rest:
            break
    return total


HEURISTICS: dict[str, Callable[[int, Sets], float]] = {
    "none": lambda missing, sets: 0.0,
    "largest": largest,
    "shares": shares,
    "missing": lambda missing, sets: missing.bit_count(),
}


@dataclass(frozen=True)
class AStar(Solver[SetCover]):
    """A* for covers: a search over sets of missing items, the most promising first.

    A node is the set of items that are still missing, as the bits of an integer, with the least cost at which it was reached. Every
    cover takes a set that holds the rarest missing item, the one in the fewest sets; so a node has one child for each of these
    sets, and no cover is lost. With a heuristic that never exceeds the true cost of the rest (admissible), the first node that is
    taken from the queue with nothing missing is the cheapest cover (Hart, Nilsson, Raphael: A formal basis for the heuristic
    determination of minimum cost paths, 1968). Without a heuristic it is Dijkstra's search.

    Heuristics, for what is missing:

    - `none`: 0. Dijkstra.
    - `largest`: each missing item costs at least what it does in the set that covers most of them for its cost.
    - `shares`: each missing item costs at least what it does in the best set *that holds it*. Each set divides its cost among what
      it would add, and no cover pays less than every item's cheapest share: a feasible point of the dual of the linear program.
    - `missing`: the number of missing items, as projects of the course had it. It is too high wherever a set adds more than its
      cost, which makes it fast, and its answer not always the best. Where no set does, as in the course's own instances, it is
      admissible.

    Args:
        heuristic: none, largest, shares, or missing.
        nodes: the maximum number of nodes that it takes from the queue.
    """

    heuristic: Annotated[str, OneOf(*HEURISTICS)] = "shares"
    nodes: Count = 1_000_000

    name: ClassVar[str] = "astar"
    random: ClassVar[bool] = False

    @property
    def admissible(self) -> bool:
        """Whether the heuristic never exceeds the true cost, in this instance."""
        return self.heuristic != "missing" or bool((self.puzzle.costs >= self.puzzle.sizes).all())

    @cached_property
    def sets(self) -> Sets:
        """The sets as integers."""
        bits = [int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little") for row in self.puzzle.member]
        return Sets(bits, self.puzzle.costs.tolist())

    def search(self, tally: Tally, seed: int) -> None:
        start, whole = (1 << self.puzzle.items) - 1, bool((self.puzzle.costs % 1 == 0).all())
        estimate = HEURISTICS[self.heuristic]
        bits = [(1 << item, np.flatnonzero(column).tolist()) for item, column in enumerate(self.puzzle.member.T)]
        rarest = sorted(bits, key=lambda item: len(item[1]))  # items in the fewest sets first
        reached = {start: Path(0.0, -1, -1)}
        queue = [(0.0, 0.0, start)]
        tally.counts["nodes"] = 0
        while queue:
            least, minus, missing = heappop(queue)
            if -minus > reached[missing].cost:
                continue  # it was queued again at a lower cost, and that entry came first
            if not missing:
                tally.bound = minus if self.admissible else None  # a worth is minus a cost
                tally.worth(self._answer(reached))
                return
            if tally.counts["nodes"] == self.nodes:
                tally.bound = -least if self.admissible else None
                raise Enough
            tally.counts["nodes"] += 1
            for chosen in next(holders for item, holders in rarest if missing & item):
                rest, cost = missing & ~self.sets.items[chosen], self.sets.costs[chosen] - minus
                if rest not in reached or cost < reached[rest].cost - SLACK:
                    reached[rest] = Path(cost, chosen, missing)
                    to_go = estimate(rest, self.sets) if rest else 0.0
                    # where costs are whole numbers so is the rest of the cost, so the estimate can be rounded up; among
                    # equals the node that has paid most is next, since the least of its cost is estimated
                    heappush(queue, (cost + (ceil(to_go - SLACK) if whole else to_go), -cost, rest))

    def _answer(self, reached: dict[int, Path]) -> Answers:
        """The sets on the path to the node with nothing missing."""
        answer = np.zeros(self.puzzle.length, np.bool_)
        path = reached[0]
        while path.chosen >= 0:
            answer[path.chosen] = True
            path = reached[path.parent]
        return answer
