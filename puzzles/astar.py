"""A* for covers: a search over sets of missing items, the most promising first.

A node is the set of items that are still missing, as the bits of an integer, with the least cost at which it was reached.
Every cover takes a set that holds the rarest missing item, the one in the fewest sets; so a node has one child for each of these
sets, and no cover is lost. With a heuristic that never exceeds the true cost of the rest (admissible), the first node that is taken
from the queue with nothing missing is the cheapest cover (Hart, Nilsson, Raphael: A formal basis for the heuristic
determination of minimum cost paths, 1968). Without a heuristic it is Dijkstra's search.

Heuristics, for what is missing:

- `none`: 0. Dijkstra.
- `largest`: each missing item costs at least what it does in the set that covers most of them for its cost.
- `shares`: each missing item costs at least what it does in the best set *that holds it*. Each set divides its cost among what
  it would add, and no cover pays less than every item's cheapest share: a feasible point of the dual of the linear program.
- `missing`: the number of missing items, as projects of the course had it. It is too high wherever a set adds more than its
  cost, which makes it fast, and its answer not always the best. Where no set does, as in the course's own instances, it is
  admissible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from math import ceil
from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from ..core.bounds import Count, OneOf
from .puzzle import Answers
from .setcover import SetCover
from .solver import Enough, Solver, Tally

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
    """A* for covers.

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
