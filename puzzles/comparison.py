"""Solvers side by side on one puzzle: each with several seeds, and how far each stays from the proven bound.

comparison = compare("setcover:items=20,instance=course", ["greedy", "astar"], seeds=3)
comparison.rows[0].worth, comparison.bound
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from statistics import median
from typing import Any, NamedTuple

from ..core import words
from ..core.numbers import seed_of, whole
from .puzzle import Answers, Puzzle, make_puzzle
from .solver import Solver, SolverResult, Tally, make_solver, meets

Watch = Callable[[str, int, Tally], object]
"""Is called with the spec of the solver that searches, its seed, and its tally so far."""


class Row(NamedTuple):
    """The results of a solver with all its seeds; medians.

    Args:
        solver: its spec.
        worth: the worth of its answers; minus infinity if for half of the seeds or more no answer keeps the rules.
        calls: the calls until the search was over.
        reached: the calls until the goal of the puzzle; None if half of the seeds or more did not reach it.
        seconds: the time until the search was over.
        results: the result of each seed; a single one for a solver without random numbers.
    """

    solver: str
    worth: float
    calls: float
    reached: float | None
    seconds: float
    results: tuple[SolverResult, ...]

    @property
    def proven(self) -> bool:
        """Whether every seed's answer is proven best."""
        return all(result.proven for result in self.results)

    @property
    def counts(self) -> dict[str, float]:
        """The medians of the solver's own counts, such as nodes."""
        return {name: median(result.counts[name] for result in self.results) for name in self.results[0].counts}


@dataclass(frozen=True)
class SolverComparison:
    """Solvers side by side.

    Args:
        puzzle: the puzzle.
        seeds: the number of seeds of each solver: seed, seed + 1, …
        seed: the first seed.
        rows: the solvers, in the order in which they were given.
    """

    puzzle: Puzzle
    seeds: int
    seed: int
    rows: tuple[Row, ...]

    @property
    def bound(self) -> float | None:
        """The worth that nothing exceeds: the puzzle's own, or the least that a solver has proven; None if there is none.

        Minus infinity if it is proven that nothing keeps the rules.
        """
        proven = [result.bound for row in self.rows for result in row.results if result.bound is not None]
        return self.puzzle.best if self.puzzle.best is not None else min(proven, default=None)

    @property
    def best(self) -> tuple[str, float, Answers] | None:
        """The best answer that keeps the rules: the spec of its solver, its worth, and itself; None if there is none."""
        results = [(row.solver, result) for row in self.rows for result in row.results]
        answers = [(solver, result.worth, result.answer) for solver, result in results if result.answer is not None]
        best = max(answers, key=lambda answer: answer[1], default=None)
        return best if best and best[1] >= self.puzzle.least else None

    @property
    def proven(self) -> bool:
        """Whether the best answer is proven best."""
        return self.bound is not None and self.best is not None and meets(self.best[1], self.bound)

    def distance(self, worth: float) -> float | None:
        """The distance of a worth from the bound, as a share of the bound.

        None without a bound, for an answer that breaks the rules, and for a bound of 0.
        """
        if self.bound is None or self.bound == -inf or worth < self.puzzle.least:
            return None
        if meets(worth, self.bound):
            return 0.0
        return (self.bound - worth) / abs(self.bound) if self.bound else None

    def to_measure(self, worth: float | None) -> float | None:
        """A worth in the usual measure; None for an answer that breaks the rules, and for None."""
        return None if worth is None or worth < self.puzzle.least else self.puzzle.to_measure(worth) + 0.0  # no -0.0

    def document(self) -> dict[str, Any]:
        """The comparison for JSON."""
        puzzle = self.puzzle
        return {
            "puzzle": puzzle.spec,
            "measure": puzzle.measure,
            "seed": self.seed,
            "seeds": self.seeds,
            "bound": self.to_measure(self.bound),
            "impossible": self.bound == -inf,
            "goal": self.to_measure(puzzle.best),
            "solvers": [self._row(row) for row in self.rows],
        }

    def _row(self, row: Row) -> dict[str, Any]:
        best = max(row.results, key=lambda result: result.worth)
        return {
            "solver": row.solver,
            self.puzzle.measure: self.to_measure(row.worth),
            "distance": self.distance(row.worth),
            "calls": row.calls,
            "calls_to_goal": row.reached,
            "seconds": row.seconds,
            "proven": row.proven,
            **row.counts,
            "best": self.puzzle.to_json(best.answer) if best.answer is not None and best.worth >= self.puzzle.least else None,
            "trials": [self._trial(result) for result in row.results],
        }

    def _trial(self, result: SolverResult) -> dict[str, Any]:
        return {
            self.puzzle.measure: self.to_measure(result.worth),
            "lacks": -result.worth if -inf < result.worth < self.puzzle.least else None,
            "calls": result.calls,
            "seconds": result.seconds,
            "steps": [[step.calls, round(step.seconds, 6), self.to_measure(step.worth)] for step in result.steps],
        }


def compare(
    puzzle: str | Puzzle, solvers: Sequence[str | Solver[Any]], *, seeds: int = 1, seed: int = 0, watch: Watch | None = None
) -> SolverComparison:
    """Solves a puzzle with several solvers.

    Args:
        puzzle: the puzzle or its spec.
        solvers: solvers or their specs, each once.
        seeds: the number of seeds of each; a solver without random numbers solves it once.
        seed: the first of them.
        watch: is called now and then.

    Raises:
        ValueError: no such puzzle or solver, a solver named twice, or a number out of its range.
    """
    seeds, seed = whole(seeds, "seeds", 1, 100_000), seed_of(seed)
    puzzle = make_puzzle(puzzle)
    made = [make_solver(solver, puzzle) for solver in solvers]
    names = [solver.spec for solver in made]
    if not made or len({*names}) < len(names):
        raise ValueError(f"the solvers are {', '.join(names) or '(none)'}; give at least one, and each only once")
    return SolverComparison(puzzle, seeds, seed, tuple(_row_of(solver, range(seed, seed + seeds), watch) for solver in made))


def _row_of(solver: Solver[Any], seeds: Sequence[int], watch: Watch | None) -> Row:
    puzzle, results = solver.puzzle, list[SolverResult]()
    for seed in seeds if solver.random else seeds[:1]:
        results.append(solver.solve(seed, None if watch is None else lambda tally, seed=seed: watch(solver.spec, seed, tally)))
    reached = median(step.calls if (step := result.when(puzzle.goal)) else inf for result in results)
    return Row(
        solver=solver.spec,
        worth=median(result.worth if result.worth >= puzzle.least else -inf for result in results),
        calls=median(result.calls for result in results),
        reached=None if reached == inf else reached,
        seconds=median(result.seconds for result in results),
        results=tuple(results),
    )


HEADS = {"best_generation": "generation of the best"}
"""The heads of columns of counts, where they differ from the names of the counts."""


def number(value: float | None) -> str:
    """A measure, such as 12,345 or 0.4501; or none."""
    return "none" if value is None else f"{value:,.0f}" if value == int(value) else f"{value:,.5g}"


def table(comparison: SolverComparison) -> dict[str, list[str]]:
    """The columns that are not empty: their heads, and a cell for each solver."""
    rows, puzzle, to_measure = comparison.rows, comparison.puzzle, comparison.to_measure
    columns: dict[str, Callable[[Row], str]] = {
        "solver": lambda row: row.solver,
        puzzle.measure: lambda row: number(to_measure(row.worth)),
    }
    if comparison.seeds > 1:
        columns[f"best {puzzle.measure}"] = lambda row: number(to_measure(max(result.worth for result in row.results)))
    columns[reference(comparison)] = lambda row: "" if (far := comparison.distance(row.worth)) is None else words.percent(far)
    columns["calls"] = lambda row: number(row.calls)
    if any(row.reached not in (None, 1) for row in rows):  # otherwise every answer reaches the goal
        goal = "to keep the rules" if puzzle.best is None else f"to {puzzle.measure} {number(to_measure(puzzle.best))}"
        columns[goal] = lambda row: "" if row.reached is None else number(row.reached)
    for name in dict.fromkeys(name for row in rows for name in row.counts):
        columns[HEADS.get(name, name)] = lambda row, name=name: number(row.counts[name]) if name in row.counts else ""
    columns["time"] = lambda row: words.duration(row.seconds)
    columns["proof"] = lambda row: "proven" if row.proven else ""
    return {head: cells for head, cell in columns.items() if any(cells := [cell(row) for row in rows])}


def limit(comparison: SolverComparison) -> str:
    """The bound in a sentence; empty if nothing is proven."""
    if comparison.bound is None:
        return ""
    if comparison.bound == -inf:
        return "It is proven that nothing keeps the rules; loosen one of them."
    return f"Nothing is better than {comparison.puzzle.measure} {number(comparison.to_measure(comparison.bound))}."


def reference(comparison: SolverComparison) -> str:
    """The reference of distances: the best answer, or a bound that no solver has reached."""
    return "from the best" if comparison.proven else "from the bound"
