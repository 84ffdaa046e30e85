"""`Solver`: what looks for answers to a puzzle, and the tally of what it asked.

A solver is made for one puzzle; `solve(seed)` gives what it found. Same seed, same answer, unless time ends the search, as that
of `exact` and of no other. What it asks goes through a `Tally`,
which counts the calls, keeps the best answer and when each better one came, and ends the search by `Enough`.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...envs.settings import specs
from ...envs.settings.bounds import Count
from ...envs.settings.numbers import Range
from ..problems.puzzle import Answers, Puzzle

TOLERANCE = 1e-7
"""Two worths are the same if they differ by no more than this share of them."""


P = TypeVar("P", bound=Puzzle)


class Step(NamedTuple):
    """When an answer better than all before it came.

    Args:
        calls: how many calls there were with this one.
        seconds: when it came, from the start.
        worth: what it is worth.
    """

    calls: int
    seconds: float
    worth: float


@dataclass(frozen=True)
class Found:
    """What a solver found.

    Args:
        answer: the best answer (L,), or None.
        worth: what it is worth; minus infinity without an answer.
        calls: how often it was asked what an answer is worth.
        seconds: how long it took.
        steps: when each better answer came, the first first.
        bound: nothing is worth more than this, which is proven; minus infinity: nothing keeps the rules; None: nothing is proven.
        counts: what else was counted, as nodes; of searches `generations` (steps, where one answer is changed step by step),
            `best_generation`, that in which the best answer came (0 for the answers that it began with), `population`, how
            many answers it keeps, and `attempts`, how often it began, where that may be more than once.
    """

    answer: Answers | None
    worth: float
    calls: int
    seconds: float
    steps: tuple[Step, ...] = ()
    bound: float | None = None
    counts: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def proven(self) -> bool:
        """Whether nothing better exists."""
        return self.bound is not None and meets(self.worth, self.bound)

    def when(self, worth: float) -> Step | None:
        """When an answer of this worth was first there, or None."""
        return next((step for step in self.steps if step.worth >= worth), None)


def meets(worth: float, bound: float) -> bool:
    """Whether a worth is as good as a bound."""
    return worth >= bound - TOLERANCE * max(1.0, abs(bound))


class Enough(Exception):
    """The goal is reached, or the calls are spent: the search is over."""


class Stale(Exception):
    """Nothing better came for so many calls as the search has patience: this attempt is over."""


class Tally:
    """What a search has asked and found.

    Args:
        puzzle: what is solved.
        most: how many calls there may be; None for any number.
        goal: the worth that ends the search; None for none.
        watch: is shown the tally now and then.
        patience: an attempt is over after so many calls without an answer better than all that it has seen; None: never.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        most: int | None = None,
        goal: float | None = None,
        watch: Callable[[Tally], object] | None = None,
        patience: int | None = None,
    ) -> None:
        self.puzzle, self.most, self.patience = puzzle, most, patience
        self.calls, self.best, self.answer = 0, -np.inf, None
        self.steps: list[Step] = []
        self.counts: dict[str, float] = {}
        self.bound = puzzle.best
        self._goal = np.inf if goal is None else goal
        self._watch = watch
        self._began = time.perf_counter()
        self.begin()

    def begin(self) -> None:
        """Begins an attempt: what earlier ones found no longer counts against its patience."""
        self.begun = self._better = self.calls
        self._reached = -np.inf

    @property
    def seconds(self) -> float:
        """How long the search goes on."""
        return time.perf_counter() - self._began

    def worths(self, answers: Answers) -> NDArray[np.float64]:
        """What each answer is worth (B,), a call each.

        Raises:
            Enough: one reaches the goal, which is the last that counts; or no call is left.
            Stale: nothing better came for longer than the attempt has patience.
        """
        room = len(answers) if self.most is None else min(len(answers), self.most - self.calls)
        worths = self.puzzle.worths(answers[:room])
        reached = np.flatnonzero(worths >= self._goal)
        if len(reached):
            worths = worths[: reached[0] + 1]
        self._keep(answers, worths)
        self.calls += len(worths)
        if self._watch:
            self._watch(self)
        if len(reached) or self.calls == self.most:
            raise Enough
        if self.patience is not None and self.calls - self._better >= self.patience:
            raise Stale
        return worths

    def worth(self, answer: Answers) -> float:
        """What one answer is worth, a call.

        Raises:
            Enough: it reaches the goal, or no call is left.
            Stale: as in `worths`.
        """
        return float(self.worths(answer[None])[0])

    def _keep(self, answers: Answers, worths: NDArray[np.float64]) -> None:
        """Keeps the best answer, and each step up."""
        if len(worths) and worths.max() > self._reached:
            self._reached, self._better = float(worths.max()), self.calls + int(worths.argmax()) + 1
        before = np.maximum.accumulate(np.concatenate([[self.best], worths]))
        for i in np.flatnonzero(worths > before[:-1]).tolist():
            self.best, self.answer = float(worths[i]), answers[i].copy()
            self.steps.append(Step(self.calls + i + 1, self.seconds, self.best))
            if "generations" in self.counts:
                self.counts["best_generation"] = self.counts["generations"]

    def count_generations(self, population: int) -> None:
        """Has generations of so many answers counted from 0 on; in a later attempt, on from where they are."""
        if "generations" not in self.counts:
            self.counts |= {"best_generation": 0, "generations": 0, "population": population}

    def found(self) -> Found:
        """What came of it."""
        return Found(self.answer, self.best, self.calls, self.seconds, tuple(self.steps), self.bound, dict(self.counts))


@dataclass(frozen=True)
class Solver(specs.BySettings, ABC, Generic[P]):
    """Looks for answers to one puzzle. Subclasses are frozen dataclasses, one field a setting.

    Args:
        puzzle: what it is to solve.
    """

    puzzle: P = field(repr=False)

    name: ClassVar[str]
    """The name in specs."""
    random: ClassVar[bool] = True
    """Whether it draws: one that does not finds the same with every seed."""
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Settings by the name of a preset, where they differ from the defaults."""

    def solve(self, seed: int = 0, watch: Callable[[Tally], object] | None = None) -> Found:
        """What the solver finds.

        Args:
            seed: what all its randomness follows from.
            watch: is shown the tally now and then.
        """
        tally = self.tally(watch)
        with suppress(Enough):
            self.attempt(tally, seed)
        return tally.found()

    def attempt(self, tally: Tally, seed: int) -> None:
        """Searches as often as the settings say."""
        self.search(tally, seed)

    def tally(self, watch: Callable[[Tally], object] | None) -> Tally:
        """A tally with the limits of this solver."""
        return Tally(self.puzzle, watch=watch)

    @abstractmethod
    def search(self, tally: Tally, seed: int) -> None:
        """Searches; what it asks and finds goes into the tally.

        Raises:
            Enough, Stale: the tally's.
        """

    @property
    def spec(self) -> str:
        """The solver as users name it, as `astar:heuristic=none`; with a preset where that leaves less to say."""
        by_preset = [{"preset": name, **specs.changed(self, preset)} for name, preset in self.presets.items()]
        return specs.join(self.name, min([specs.changed(self), *by_preset], key=len))

    def __str__(self) -> str:
        return self.spec


@dataclass(frozen=True)
class Searcher(Solver[P]):
    """A solver that only asks what answers are worth, until it is satisfied or out of calls.

    Args:
        calls: how many calls it has.
        goal: the worth at which it stops; none: the puzzle's best, where that is known beforehand.
        patience: it stops, or begins anew, after so many calls without a better answer (of an algorithm in generations, at
            the end of one); none: never.
        restarts: how often it begins anew, with other random numbers, as long as there are calls; the best answer of all counts.
    """

    calls: Count = 30_000
    goal: float | None = None
    patience: Count | None = None
    restarts: Annotated[int, Range(0)] = 0

    def tally(self, watch: Callable[[Tally], object] | None) -> Tally:
        goal = self.puzzle.best if self.goal is None else self.goal
        return Tally(self.puzzle, self.calls, goal, watch, self.patience)

    def attempt(self, tally: Tally, seed: int) -> None:
        for number in range(self.restarts + 1):
            if self.restarts:
                tally.counts["attempts"] = number + 1
            tally.begin()
            with suppress(Stale):
                self.search(tally, attempt_seed(seed, number))


def attempt_seed(seed: int, number: int) -> int:
    """The seed of an attempt: the first has the search's own."""
    return int(np.random.SeedSequence(seed, spawn_key=(1, number)).generate_state(1)[0]) if number else seed
