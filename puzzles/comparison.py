"""Solvers side by side on one puzzle: each with several seeds, and how far each stays from what nothing exceeds.

comparison = compare("setcover:items=20,instance=course", ["greedy", "astar"], seeds=3)
comparison.rows[0].worth, comparison.bound
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from statistics import median
from typing import Any, NamedTuple

from ..envs.settings.numbers import seed_of, whole
from .problems.puzzle import Answers, Puzzle
from .problems.registry import make_puzzle
from .solvers.registry import make_solver
from .solvers.solver import Found, Solver, Tally, meets

Watch = Callable[[str, int, Tally], object]
"""Is told which solver searches, with which seed, and its tally so far."""


class Row(NamedTuple):
    """What a solver came to with all its seeds; medians.

    Args:
        solver: its spec.
        worth: of its answers; minus infinity where half of the seeds or more found none that keeps the rules.
        calls: until the search was over.
        reached: until the comparison's goal; None where half of the seeds or more did not come to it.
        seconds: until the search was over.
        found: of each seed; one alone where a solver draws nothing.
    """

    solver: str
    worth: float
    calls: float
    reached: float | None
    seconds: float
    found: tuple[Found, ...]

    @property
    def proven(self) -> bool:
        """Whether every seed's answer was proven best."""
        return all(found.proven for found in self.found)

    @property
    def counts(self) -> dict[str, float]:
        """The medians of what else was counted."""
        return {name: median(found.counts[name] for found in self.found) for name in self.found[0].counts}


class Best(NamedTuple):
    """The best answer of a comparison.

    Args:
        solver: who found it, by spec.
        worth: what it is worth.
        answer: it (L,).
    """

    solver: str
    worth: float
    answer: Answers


@dataclass(frozen=True)
class Comparison:
    """Solvers side by side.

    Args:
        puzzle: what they solved.
        seeds: how many seeds each had: seed, seed + 1, …
        seed: the first.
        rows: the solvers, in the order in which they were given.
    """

    puzzle: Puzzle
    seeds: int
    seed: int
    rows: tuple[Row, ...]

    @property
    def bound(self) -> float | None:
        """The worth that nothing exceeds: the puzzle's own, or the least that a solver has proven; None where there is none.

        Minus infinity where it is proven that nothing keeps the rules.
        """
        proven = [found.bound for row in self.rows for found in row.found if found.bound is not None]
        return self.puzzle.best if self.puzzle.best is not None else min(proven, default=None)

    @property
    def best(self) -> Best | None:
        """The best answer of all that keep the rules; None where there is none."""
        kept = [
            Best(row.solver, found.worth, found.answer)
            for row in self.rows
            for found in row.found
            if found.answer is not None and found.worth >= self.puzzle.least
        ]
        return max(kept, key=lambda best: best.worth, default=None)

    @property
    def proven(self) -> bool:
        """Whether the bound is reached, so that it is the best there is."""
        return self.bound is not None and self.best is not None and meets(self.best.worth, self.bound)

    @property
    def goal(self) -> float:
        """The worth to which calls are counted: the puzzle's best where it is known beforehand; else the least by the rules."""
        return _goal(self.puzzle)

    def distance(self, worth: float) -> float | None:
        """How far a worth is below the bound, as a share of it.

        None without a bound, for an answer that breaks the rules, and for shares of nothing.
        """
        if self.bound is None or self.bound == -inf or worth < self.puzzle.least:
            return None
        if meets(worth, self.bound):
            return 0.0
        return (self.bound - worth) / abs(self.bound) if self.bound else None

    def measured(self, worth: float | None) -> float | None:
        """A worth as people measure it; None for what breaks the rules, and for none."""
        return None if worth is None or worth < self.puzzle.least else self.puzzle.measured(worth) + 0.0  # no -0.0

    def document(self) -> dict[str, Any]:
        """All of it, for JSON."""
        puzzle = self.puzzle
        return {
            "puzzle": puzzle.spec,
            "measure": puzzle.measure,
            "seed": self.seed,
            "seeds": self.seeds,
            "bound": self.measured(self.bound),
            "impossible": self.bound == -inf,
            "goal": self.measured(puzzle.best),
            "solvers": [self._row(row) for row in self.rows],
        }

    def _row(self, row: Row) -> dict[str, Any]:
        best = max(row.found, key=lambda found: found.worth)
        return {
            "solver": row.solver,
            self.puzzle.measure: self.measured(row.worth),
            "distance": self.distance(row.worth),
            "calls": row.calls,
            "calls_to_goal": row.reached,
            "seconds": row.seconds,
            "proven": row.proven,
            **row.counts,
            "best": self.puzzle.written(best.answer) if best.answer is not None and best.worth >= self.puzzle.least else None,
            "trials": [self._trial(found) for found in row.found],
        }

    def _trial(self, found: Found) -> dict[str, Any]:
        return {
            self.puzzle.measure: self.measured(found.worth),
            "lacks": -found.worth if -inf < found.worth < self.puzzle.least else None,
            "calls": found.calls,
            "seconds": found.seconds,
            "steps": [[step.calls, round(step.seconds, 6), self.measured(step.worth)] for step in found.steps],
        }


def compare(
    puzzle: str | Puzzle, solvers: Sequence[str | Solver[Any]], *, seeds: int = 1, seed: int = 0, watch: Watch | None = None
) -> Comparison:
    """Has solvers solve a puzzle.

    Args:
        puzzle: the puzzle or its spec.
        solvers: solvers or their specs, each once.
        seeds: how many seeds each has; a solver that draws nothing solves it once.
        seed: the first of them.
        watch: is told how it goes.

    Raises:
        ValueError: no such puzzle or solver, one named twice, or a number that is not as it must be.
    """
    seeds, seed = whole(seeds, "seeds", 1, 100_000), seed_of(seed)
    puzzle = make_puzzle(puzzle)
    made = [make_solver(solver, puzzle) for solver in solvers]
    names = [solver.spec for solver in made]
    if not made or len({*names}) < len(names):
        raise ValueError(f"the solvers {', '.join(names) or '(none)'} are given; give 1 or more, none twice")
    rows = [
        _medians(solver, [_found(solver, number, watch) for number in range(seed, seed + (seeds if solver.random else 1))])
        for solver in made
    ]
    return Comparison(puzzle, seeds, seed, tuple(rows))


def _found(solver: Solver[Any], seed: int, watch: Watch | None) -> Found:
    return solver.solve(seed, None if watch is None else lambda tally: watch(solver.spec, seed, tally))


def _medians(solver: Solver[Any], found: Sequence[Found]) -> Row:
    puzzle = solver.puzzle
    first = median(step.calls if (step := one.when(_goal(puzzle))) else inf for one in found)
    return Row(
        solver.spec,
        median(one.worth if one.worth >= puzzle.least else -inf for one in found),
        median(one.calls for one in found),
        None if first == inf else first,
        median(one.seconds for one in found),
        tuple(found),
    )


def _goal(puzzle: Puzzle) -> float:
    return puzzle.least if puzzle.best is None else puzzle.best
