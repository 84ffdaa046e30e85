"""`Solver`: what looks for answers to a puzzle, and the tally of its calls.

A solver is made for one puzzle; `solve(seed)` returns a `SolverResult`. The same seed gives the same answer, except with `exact`,
which a time limit may stop. All calls go through a `Tally`, which counts them, keeps the best answer, notes when each
improvement came, and ends the search by raising `Enough`. `make_solver` reads a spec.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core import specs
from ..core.bounds import Count
from ..core.numbers import short_repr
from ..core.plugins.loading import libraries, load_object
from .puzzle import Answers, Puzzle, make_puzzle

TOLERANCE = 1e-7
"""Two worths are the same if they differ by no more than this share of them."""
P = TypeVar("P", bound=Puzzle)


class Improvement(NamedTuple):
    """An answer better than all before it.

    Args:
        calls: the number of calls, this one included.
        seconds: when it came, from the start.
        worth: what it is worth.
    """

    calls: int
    seconds: float
    worth: float


@dataclass(frozen=True)
class SolverResult:
    """The result of a solver.

    Args:
        answer: the best answer (L,), or None.
        worth: its worth; minus infinity without an answer.
        calls: the number of calls.
        seconds: how long the search took.
        steps: each better answer, in order.
        bound: a proven upper bound of the worth; minus infinity: nothing keeps the rules; None: nothing is proven.
        counts: the solver's own counts, such as nodes; for searches `generations` (steps, where one answer is changed step by
            step), `best_generation`, that of the best answer (0 for the answers that it began with), and `population`, the number
            of answers it keeps.
    """

    answer: Answers | None
    worth: float
    calls: int
    seconds: float
    steps: tuple[Improvement, ...] = ()
    bound: float | None = None
    counts: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def proven(self) -> bool:
        """Whether it is proven that nothing better exists."""
        return self.bound is not None and meets(self.worth, self.bound)

    def when(self, worth: float) -> Improvement | None:
        """The first answer that reached a worth, or None."""
        return next((step for step in self.steps if step.worth >= worth), None)


def meets(worth: float, bound: float) -> bool:
    """Whether a worth is as good as a bound."""
    return worth >= bound - TOLERANCE * max(1.0, abs(bound))


class Enough(Exception):
    """The search is over: the goal is reached, there are no calls left, or its patience is used up."""


@dataclass(eq=False)
class Tally:
    """The calls of a search, and its best answer so far.

    Args:
        puzzle: the puzzle.
        limit: the maximum number of calls; None: no limit.
        goal: the worth that ends the search; None: no goal.
        watch: is called with the tally now and then.
        patience: the number of calls without an improvement after which the search ends; None: it does not end so.
    """

    puzzle: Puzzle
    limit: int | None = None
    goal: float | None = None
    watch: Watch | None = None
    patience: int | None = None

    def __post_init__(self) -> None:
        self.calls, self.best, self.answer = 0, -np.inf, None
        self.steps: list[Improvement] = []
        self.counts: dict[str, float] = {}
        self.bound = self.puzzle.best
        self._start_seconds = time.perf_counter()

    def worths(self, answers: Answers) -> NDArray[np.float64]:
        """The worth of each answer (B,), a call each. Enough where one reaches the goal, and is the last that counts; or no call is
        left, or the patience is used up."""
        allowed = len(answers) if self.limit is None else min(len(answers), self.limit - self.calls)
        worths = self.puzzle.worths(answers[:allowed])
        reached = np.flatnonzero(worths >= (np.inf if self.goal is None else self.goal))
        if len(reached):
            worths = worths[: reached[0] + 1]
        self._keep(answers, worths)
        self.calls += len(worths)
        if self.watch:
            self.watch(self)
        last_improvement = self.steps[-1].calls if self.steps else 0
        out_of_patience = self.patience is not None and self.calls - last_improvement >= self.patience
        if len(reached) or self.calls == self.limit or out_of_patience:
            raise Enough
        return worths

    def worth(self, answer: Answers) -> float:
        """The worth of one answer, a call, as `worths`."""
        return float(self.worths(answer[None])[0])

    def _keep(self, answers: Answers, worths: NDArray[np.float64]) -> None:
        """Keeps the best answer, and each improvement."""
        before = np.maximum.accumulate(np.concatenate([[self.best], worths]))
        for i in np.flatnonzero(worths > before[:-1]).tolist():
            self.best, self.answer = float(worths[i]), answers[i].copy()
            self.steps.append(Improvement(self.calls + i + 1, time.perf_counter() - self._start_seconds, self.best))
            if "generations" in self.counts:
                self.counts["best_generation"] = self.counts["generations"]

    def count_generations(self, population: int) -> None:
        """Starts the count of generations of `population` answers at 0."""
        self.counts |= {"best_generation": 0, "generations": 0, "population": population}

    def result(self) -> SolverResult:
        """The result of the search so far."""
        return SolverResult(
            answer=self.answer,
            worth=self.best,
            calls=self.calls,
            seconds=time.perf_counter() - self._start_seconds,
            steps=tuple(self.steps),
            bound=self.bound,
            counts=dict(self.counts),
        )


Watch: TypeAlias = Callable[[Tally], object]


@dataclass(frozen=True)
class Solver(specs.BySettings, ABC, Generic[P]):
    """Looks for answers to one puzzle. Subclasses are frozen dataclasses, one field a setting.

    Args:
        puzzle: the puzzle.
    """

    puzzle: P = field(repr=False)

    name: ClassVar[str]
    """The name in specs."""
    random: ClassVar[bool] = True
    """Whether it draws random numbers; without them, the result is the same with every seed."""
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Settings by the name of a preset, where they differ from the defaults."""

    def solve(self, seed: int = 0, watch: Watch | None = None) -> SolverResult:
        """Solves the puzzle.

        Args:
            seed: the source of all randomness.
            watch: is called with the tally now and then.
        """
        tally = self.tally(watch)
        with suppress(Enough):
            self.search(tally, seed)
        return tally.result()

    def tally(self, watch: Watch | None) -> Tally:
        """A tally with the limits of this solver."""
        return Tally(self.puzzle, watch=watch)

    @abstractmethod
    def search(self, tally: Tally, seed: int) -> None:
        """Searches; calls and results go into the tally.

        Raises:
            Enough: the tally's.
        """

    @property
    def spec(self) -> str:
        """The solver as users name it, as `astar:heuristic=none`; with a preset if that is shorter."""
        by_preset = [{"preset": name, **specs.changed_settings(self, preset)} for name, preset in self.presets.items()]
        return specs.join(self.name, min([specs.changed_settings(self), *by_preset], key=len))

    def __str__(self) -> str:
        return self.spec


@dataclass(frozen=True)
class SearchSolver(Solver[P]):
    """A solver that uses only the worth of answers, until it reaches its goal or has no calls left.

    Args:
        calls: the maximum number of calls.
        goal: the worth at which it stops; none: the puzzle's best, where that is known beforehand.
        patience: the number of calls without a better answer after which it stops (an algorithm in generations, at the end of a
            generation); none: it never does.
    """

    calls: Count = 30_000
    goal: float | None = None
    patience: Count | None = None

    def tally(self, watch: Watch | None) -> Tally:
        goal = self.puzzle.best if self.goal is None else self.goal
        return Tally(self.puzzle, self.calls, goal, watch, self.patience)


BUILT_IN = {
    # name in specs: the puzzles that it solves, and where the solver of each is
    "greedy": {"setcover": "searches:GreedyCover"},
    "astar": {"setcover": "searches:AStar"},
    "tabu": {"setcover": "searches:Tabu", "bitstring": "searches:Tabu"},
    "annealing": {"setcover": "searches:Annealing", "bitstring": "searches:Annealing"},
    "genetic": {"setcover": "genetic:GeneticSolver", "bitstring": "genetic:GeneticString", "portfolio": "genetic:GeneticPortfolio"},
    "local": {"bitstring": "genetic:LocalSearch"},
    "probe": {"bitstring": "bitstring:Probe"},
    "exact": {"setcover": "exact:Exact", "portfolio": "exact:Exact"},
}


def solver_names() -> tuple[str, ...]:
    """The names of all solvers."""
    return tuple(BUILT_IN)


def solvers_for(puzzle: str | Puzzle) -> tuple[str, ...]:
    """The names of the solvers that solve a puzzle."""
    name = make_puzzle(puzzle).name
    return tuple(solver for solver, solves in BUILT_IN.items() if name in solves)


def make_solver(solver: str | Solver[Any], puzzle: str | Puzzle) -> Solver[Any]:
    """A solver for a puzzle by its spec, `genetic:population=50`; a solver is returned as it is.

    `preset=NAME` in a spec begins with the settings of that name instead of the defaults.

    Raises:
        ValueError: no such solver, preset or setting, or it does not solve this puzzle, or a library that it needs is not
            installed.
    """
    puzzle = make_puzzle(puzzle)
    if isinstance(solver, Solver):
        if solver.puzzle != puzzle:
            raise ValueError(f"the solver {solver} was made for {solver.puzzle}, not for {puzzle}; make one by its spec")
        return solver
    if not isinstance(solver, str):
        raise ValueError(f"{short_repr(solver)} is not a solver; give one, or its spec, as genetic:population=50")
    name, texts = specs.parse(solver)
    if name not in BUILT_IN:
        raise ValueError(f"there is no solver {short_repr(name)}; {specs.nearest(name, BUILT_IN)}")
    solves = BUILT_IN[name]
    if puzzle.name not in solves:
        raise ValueError(
            f"the solver {name!r} solves {' and '.join(solves)}, not {puzzle}; there are: {', '.join(solvers_for(puzzle))}"
        )
    what = f"the solver {short_repr(name)}"
    with libraries(what, "puzzles"):
        cls: type[Solver[Any]] = load_object(f"ludus.puzzles.{solves[puzzle.name]}")
    preset = texts.pop("preset", None)
    if preset is not None and preset not in cls.presets:
        raise ValueError(f"{what} has no preset {short_repr(preset)}; {specs.nearest(preset, cls.presets, 'it has none')}")
    return cls(puzzle, **{**cls.presets.get(preset or "", {}), **specs.read(cls, texts, what)})
