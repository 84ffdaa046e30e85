"""Solvers side by side on one puzzle: each with several seeds, and how far each stays from the best that is known.

comparison = compare("setcover:items=20,instance=course", ["greedy", "astar"], seeds=3)
comparison.rows[0].worth, comparison.bound
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

from ..agents.puzzles import Found, Solver, Tally, make_solver
from ..agents.puzzles.solver import TOLERANCE
from ..envs.puzzles import Puzzle, make_puzzle

Watch = Callable[[str, int, Tally], object]
"""Is told which solver searches, with which seed, and its tally so far."""


class Row(NamedTuple):
    """What a solver came to with all its seeds; medians.

    Args:
        solver: its spec.
        worth: of its answers; minus infinity where more than half of the seeds found none.
        calls: until the search was over.
        reached: until an answer was first one at all; None where more than half of the seeds found none.
        seconds: until the search was over.
        found: of each seed.
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
        """The worth that nothing exceeds: the puzzle's own, or the least that a solver has proven; None where there is none."""
        proven = [found.bound for row in self.rows for found in row.found if found.bound is not None]
        return self.puzzle.best if self.puzzle.best is not None else min(proven, default=None)

    def distance(self, worth: float) -> float | None:
        """How far a worth is below the bound, as a share of it; None without a bound or an answer."""
        if self.bound is None or worth < self.puzzle.least:
            return None
        below = (self.bound - worth) / abs(self.bound or 1.0)
        return below if below > TOLERANCE else 0.0

    def document(self) -> dict[str, Any]:
        """All of it, for JSON."""
        puzzle = self.puzzle
        return {
            "puzzle": puzzle.spec,
            "measure": puzzle.measure,
            "seed": self.seed,
            "seeds": self.seeds,
            "bound": None if self.bound is None else puzzle.measured(self.bound),
            "solvers": [self._row(row) for row in self.rows],
        }

    def _row(self, row: Row) -> dict[str, Any]:
        best = max(row.found, key=lambda found: found.worth)
        return {
            "solver": row.solver,
            self.puzzle.measure: _number(self.puzzle, row.worth),
            "distance": self.distance(row.worth),
            "calls": row.calls,
            "calls_to_an_answer": row.reached,
            "seconds": row.seconds,
            "proven": row.proven,
            **row.counts,
            "best": None if best.answer is None else self.puzzle.written(best.answer),
            "trials": [self._trial(found) for found in row.found],
        }

    def _trial(self, found: Found) -> dict[str, Any]:
        steps = [[step.calls, round(step.seconds, 6), _number(self.puzzle, step.worth)] for step in found.steps]
        return {
            self.puzzle.measure: _number(self.puzzle, found.worth),
            "calls": found.calls,
            "seconds": found.seconds,
            "steps": steps,
        }


def compare(
    puzzle: str | Puzzle, solvers: Sequence[str | Solver[Any]], *, seeds: int = 1, seed: int = 0, watch: Watch | None = None
) -> Comparison:
    """Has solvers solve a puzzle.

    Args:
        puzzle: the puzzle or its spec.
        solvers: solvers or their specs, each once.
        seeds: how many seeds each has.
        seed: the first of them.
        watch: is told how it goes.

    Raises:
        ValueError: no such puzzle or solver, one named twice, or no seeds.
    """
    puzzle = make_puzzle(puzzle)
    made = [make_solver(solver, puzzle) for solver in solvers]
    names = [solver.spec for solver in made]
    if not made or len({*names}) < len(names) or seeds < 1:
        raise ValueError(
            f"{seeds} seeds and the solvers {', '.join(names) or '(none)'} are given; give 1 or more of each, none twice"
        )
    rows = [_row(solver, [_found(solver, seed + number, watch) for number in range(seeds)]) for solver in made]
    return Comparison(puzzle, seeds, seed, tuple(rows))


def _found(solver: Solver[Any], seed: int, watch: Watch | None) -> Found:
    return solver.solve(seed, None if watch is None else lambda tally: watch(solver.spec, seed, tally))


def _row(solver: Solver[Any], found: Sequence[Found]) -> Row:
    reached = [step.calls if (step := one.when(solver.puzzle.least)) else float("inf") for one in found]
    first = median(reached)
    return Row(
        solver.spec,
        median(one.worth for one in found),
        median(one.calls for one in found),
        None if first == float("inf") else first,
        median(one.seconds for one in found),
        tuple(found),
    )


def _number(puzzle: Puzzle, worth: float) -> float | None:
    """A worth as people measure it, for JSON; None for no answer."""
    return puzzle.measured(worth) if worth > float("-inf") else None
