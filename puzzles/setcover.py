"""Set covering: the cheapest sets that cover all items.

An answer says of each set whether it is taken (S,). Instances are drawn in one of two ways:

- `random`: each item is in each set with the probability `density`.
- `course`: as in a course on computational intelligence: Python's generator is seeded; the number of lists is
  uniform in N..5N, the number of draws of each in N//5..N//2, each draw in 0..N-1, and duplicates are dropped. The cost of a list
  is its length. With seed 42 there are 25, 50, 34, 427 lists for N = 5, 10, 20, 100.

Covers are repaired as by Beasley and Chu (A genetic algorithm for the set covering problem, European Journal of
Operational Research 94, 1996): take the sets that cover most for their cost, then leave out sets that are no longer needed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ..core.bounds import Count, OneOf
from ..core.numbers import Range
from ..envs.views import action_number
from .puzzle import Answers, Info, Puzzle, PuzzleEnv, instance_draw

TINY = 1e-9
"""The least cost when sets are compared, since an empty set may cost 0, and the factor by which banned sets are worse."""
MAX_CELLS = 100_000_000
"""The maximum size of the table of an instance, items × sets."""


@dataclass(frozen=True)
class SetCover(Puzzle):
    """Set covering.

    Args:
        items: the number of items to cover (N).
        sets: the number of sets; none: 2 · items (a course's instances draw their number).
        density: the probability that an item is in a set; none: 0.1 (not in a course's instances).
        power: the cost of a set is its size to this power: 0, all cost 1; 1, its size. None: 1 in a course's
            instances, 0 elsewhere.
        instance: how sets are drawn: random or course.
        seed: the seed of the instance.

    Raises:
        ValueError: settings that contradict each other, or an instance in which an item is in no set.
    """

    items: Count = 100
    sets: Count | None = None
    density: Annotated[float, Range(above=0, most=1)] | None = None
    power: Annotated[float, Range(0, 10)] | None = None
    instance: Annotated[str, OneOf("random", "course")] = "random"
    seed: Annotated[int, Range(0)] = 42

    name: ClassVar[str] = "setcover"
    title: ClassVar[str] = "Set covering"
    aim: ClassVar[str] = "the cheapest sets that together cover all items"
    measure: ClassVar[str] = "cost"
    sign: ClassVar[int] = -1
    dtype: ClassVar[type] = bool
    least: ClassVar[float] = -np.finfo(np.float64).max
    variants: ClassVar[tuple[str, ...]] = ("setcover", "setcover:items=20,instance=course", "setcover:items=200,power=0.5")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.instance == "course" and (self.items < 4 or self.sets is not None or self.density is not None):
            raise ValueError("a course's instance has 4 items or more, and draws its sets itself; leave sets and density out")
        sets = self.sets or (5 if self.instance == "course" else 2) * self.items
        if self.items * sets > MAX_CELLS:
            raise ValueError(f"{self.items:,} items by {sets:,} sets are more than {MAX_CELLS:,} cells; take fewer")
        uncovered = np.flatnonzero(~self.member.any(axis=0))
        if len(uncovered):
            raise ValueError(f"item {uncovered[0]} of {self} is in no set, so nothing covers it; take another seed, or more sets")

    # ---- the instance

    @cached_property
    def member(self) -> NDArray[np.bool_]:
        """The items of each set (S, N)."""
        if self.instance == "course":
            return np.array([np.isin(np.arange(self.items), elements) for elements in course_lists(self.items, self.seed)])
        draw = instance_draw(self.seed)
        return draw.random((self.sets or 2 * self.items, self.items)) < (self.density or 0.1)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """The number of items in each set (S,)."""
        return self.member.sum(axis=1)

    @cached_property
    def costs(self) -> NDArray[np.float64]:
        """The cost of each set (S,)."""
        power = (1.0 if self.instance == "course" else 0.0) if self.power is None else self.power
        return self.sizes.astype(np.float64) ** power

    @property
    def length(self) -> int:
        return len(self.member)

    # ---- answers

    def draw_answers(self, draw: np.random.Generator, count: int) -> Answers:
        """Covers (count, S), each repaired from a tenth of the sets that would suffice without overlap; the first from none."""
        few = 0.1 * self.items / max(1.0, float(self.sizes.mean()))
        partial = draw.random((count, self.length)) < few / self.length
        partial[0] = False
        return self.mend(partial)

    def mend(self, answers: Answers) -> Answers:
        return np.array([self.thin(self.complete(answer)) for answer in answers])

    def neighbour(self, answer: Answers, draw: np.random.Generator) -> Answers:
        """The cover without a few random sets, repaired with others where that is possible."""
        left_out = np.zeros_like(answer)
        taken = np.flatnonzero(answer)
        left_out[draw.choice(taken, min(len(taken), int(draw.geometric(0.5))), replace=False)] = True
        return self.thin(self.complete(answer & ~left_out, left_out))

    def worths(self, answers: Answers) -> NDArray[np.float64]:
        """Minus the cost of each cover (B,); minus infinity for what does not cover all."""
        covers = np.array([self.times(answer).all() for answer in answers], np.bool_)
        return np.where(covers, -(answers @ self.costs), -np.inf)

    def describe(self, answer: Answers) -> str:
        taken = self.to_json(answer)
        return f"{len(taken)} sets: {' '.join(map(str, taken[:20]))}{' …' if len(taken) > 20 else ''}"

    def to_json(self, answer: Answers) -> Any:
        return np.flatnonzero(answer).tolist()

    # ---- covers

    def complete(self, answer: Answers, banned: Answers | None = None) -> Answers:
        """Adds to an answer the sets that cover most for their cost, until all is covered; banned sets (S,) only if needed."""
        answer = answer.copy()
        missing = self.times(answer) == 0
        owners, items = self._pairs
        gains = np.bincount(owners[missing[items]], minlength=self.length)
        rates = 1 / np.maximum(self.costs, TINY)
        if banned is not None:
            rates[banned] *= TINY
        while missing.any():
            chosen = int((gains * rates).argmax())
            answer[chosen] = True
            held = self._items_by_set[chosen]
            for item in held[missing[held]]:
                gains[self._sets_by_item[item]] -= 1
            missing[held] = False
        return answer

    def thin(self, answer: Answers) -> Answers:
        """Removes from a cover the sets that it does not need, the most expensive first."""
        answer = answer & (self.sizes > 0)
        taken, times = np.flatnonzero(answer), self.times(answer)
        rarest = np.minimum.reduceat(times[self._items_of(answer)], np.cumsum(self.sizes[taken]) - self.sizes[taken])
        spare = taken[rarest > 1]  # a set with an item that no other holds is needed; the rest may be, once others are removed
        for chosen in spare[np.argsort(-self.costs[spare], kind="stable")]:
            held = self._items_by_set[chosen]
            if (times[held] > 1).all():
                answer[chosen] = False
                times[held] -= 1
        return answer

    def times(self, answer: Answers) -> NDArray[np.int64]:
        """The number of taken sets that hold each item (N,)."""
        return np.bincount(self._items_of(answer), minlength=self.items)

    def _items_of(self, answer: Answers) -> NDArray[np.int64]:
        """The items of the taken sets, one set after the other."""
        owners, items = self._pairs
        return items[answer[owners]]

    @cached_property
    def _pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Every set with each of its items: the sets, in rising order, and the items."""
        owners, items = np.nonzero(self.member)
        return owners, items

    @cached_property
    def _items_by_set(self) -> list[NDArray[np.int64]]:
        """The items of each set."""
        return [np.flatnonzero(row) for row in self.member]

    @cached_property
    def _sets_by_item(self) -> list[NDArray[np.int64]]:
        """The sets that hold each item."""
        return [np.flatnonzero(column) for column in self.member.T]


def course_lists(items: int, seed: int) -> list[list[int]]:
    """The lists of a course's instance, each in rising order."""
    draw = random.Random(seed)
    count = draw.randint(items, items * 5)
    return [sorted({draw.randint(0, items - 1) for _ in range(draw.randint(items // 5, items // 2))}) for _ in range(count)]


class SetCoverEnv(PuzzleEnv):
    """`gym.make("ludus/SetCover-v0", items=20)`: an action takes a set, until all items are covered.

    The reward is minus the cost of the set. A set that covers nothing new is illegal: taking it ends the episode, and costs as
    much as all sets together, more than any cover. An action that is not in the action space is an `AssertionError`.

    An observation is `Dict(observation, action_mask)`: which items are missing (N,), and which sets cover one of them (S,), both
    int8; when all are covered the mask is all ones. `info["action_mask"]` is a copy, `info["cost"]` what has been paid,
    `info["illegal"]` whether the last action was illegal.
    """

    name: ClassVar[str] = "setcover"
    puzzle: SetCover

    def __init__(self, puzzle: Any = None, *, render_mode: str | None = None, **settings: Any) -> None:
        super().__init__(puzzle, render_mode=render_mode, **settings)
        parts = {"observation": self.puzzle.items, "action_mask": self.puzzle.length}
        self.observation_space = spaces.Dict({name: spaces.Box(0, 1, (size,), np.int8) for name, size in parts.items()})
        self.action_space = spaces.Discrete(self.puzzle.length)

    def action_masks(self) -> NDArray[np.bool_]:
        """The sets that cover something missing (S,), in the form of sb3-contrib; all ones when nothing is missing."""
        if not self._missing.any():
            return np.ones(self.puzzle.length, np.bool_)
        return np.any(self.puzzle.member[:, self._missing], axis=1)

    def _begin(self) -> None:
        self.taken = np.zeros(self.puzzle.length, np.bool_)
        self._missing = np.ones(self.puzzle.items, np.bool_)
        self._cost, self._illegal = 0.0, False

    def _act(self, action: Any) -> tuple[float, bool, bool]:
        chosen = action_number(action, self.puzzle.length)
        self._illegal = not (self._missing & self.puzzle.member[chosen]).any()
        cost = float(self.puzzle.costs.sum() if self._illegal else self.puzzle.costs[chosen])
        self.taken[chosen] = True
        self._missing &= ~self.puzzle.member[chosen]
        self._cost += cost
        return -cost, self._illegal or not self._missing.any(), False

    def _observation(self) -> dict[str, NDArray[np.int8]]:
        return {"observation": self._missing.astype(np.int8), "action_mask": self.action_masks().astype(np.int8)}

    def _info(self) -> Info:
        return {"action_mask": self.action_masks().astype(np.int8), "cost": self._cost, "illegal": self._illegal}

    def _line(self) -> str:
        missing = int(self._missing.sum())
        return f"{self.puzzle.describe(self.taken)}; {missing} of {self.puzzle.items} items missing, cost {self._cost:g}"
