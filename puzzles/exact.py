"""Exact answers by mixed-integer programs, which HiGHS solves through SciPy: the oracle of set covering and of portfolios.

Set covering: a variable of 0 or 1 for each set; each item is in at least one taken set; minimise the cost.

A portfolio, with z for the stocks that are held and v for what is above their smallest weight m, w = m · z + v:

    maximise  return · w
    with      risk · w ≤ most_risk,  return · w ≥ least_return,  Σ w = 1,  Σ z ≥ held,  v ≥ 0,  z of 0 or 1

Only z makes it more than a linear program. With z anywhere from 0 to 1 it is one (`relaxed`), which is an upper
bound, and a close one: three rows bind z and v, so that a vertex of the linear program has at most two fractional z.

Source: Huangfu, Hall: Parallelizing the dual revised simplex method, Mathematical Programming Computation 10 (2018).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from ..core.numbers import Range
from .portfolio import Portfolio
from .puzzle import Answers
from .setcover import SetCover
from .solver import Solver, Tally

SOLVED, OUT_OF_TIME, IMPOSSIBLE = 0, 1, 2
"""The status of HiGHS at the end."""


@dataclass(frozen=True)
class Exact(Solver[SetCover | Portfolio]):
    """Finds the best answer and proves it; or, when time is up, the best answer so far and a bound.

    Args:
        seconds: the time limit.
        relaxed: solve only the linear program, for the bound, without an answer.
    """

    seconds: Annotated[float, Range(above=0)] = 60.0
    relaxed: bool = False

    name: ClassVar[str] = "exact"
    random: ClassVar[bool] = False

    def search(self, tally: Tally, seed: int) -> None:
        program = portfolio_program(self.puzzle) if isinstance(self.puzzle, Portfolio) else cover_program(self.puzzle)
        if self.relaxed:
            program["integrality"] = None
        solution: Any = milp(**program, options={"time_limit": self.seconds, "mip_rel_gap": 0.0})
        if solution.status not in (SOLVED, OUT_OF_TIME, IMPOSSIBLE):
            raise ValueError(f"HiGHS did not solve {self.puzzle} ({solution.message})")
        tally.bound = self._bound(solution)
        tally.counts["nodes"] = int(solution.mip_node_count or 0)
        if solution.x is not None and not self.relaxed:
            tally.worth(self._answer(solution.x))

    def _bound(self, solution: Any) -> float | None:
        """The upper bound of the worth; None if time was up before anything was proven."""
        if solution.status == IMPOSSIBLE:
            return -np.inf
        if self.relaxed:
            return -float(solution.fun) if solution.status == SOLVED else None
        bound = solution.mip_dual_bound
        return None if bound is None or np.isinf(bound) else -float(bound)  # HiGHS minimises, so the sign changes

    def _answer(self, x: Any) -> Answers:
        if not isinstance(self.puzzle, Portfolio):
            return np.asarray(x) > 0.5
        held, above = np.split(np.asarray(x), 2)
        weights = self.puzzle.smallest * np.round(held) + np.maximum(above, 0.0)  # HiGHS solves within tolerances
        return weights / weights.sum()


def cover_program(puzzle: SetCover) -> dict[str, Any]:
    """Set covering as a program."""
    covered = LinearConstraint(csr_array(puzzle.member.T.astype(np.float64)), lb=1)
    return {"c": puzzle.costs, "integrality": np.ones(puzzle.length), "bounds": Bounds(0, 1), "constraints": covered}


def portfolio_program(puzzle: Portfolio) -> dict[str, Any]:
    """A portfolio as a program over z and v."""
    count, smallest, (_, risk, earned) = puzzle.length, puzzle.smallest, puzzle.table
    ones, zeros = np.ones(count), np.zeros(count)
    parts = (smallest * ones, ones), (ones, zeros), (smallest * risk, risk), (smallest * earned, earned)
    rows = np.array([np.concatenate(pair) for pair in parts])
    low: Any = [1.0, puzzle.held, -np.inf, puzzle.least_return]
    high: Any = [1.0, np.inf, puzzle.most_risk, np.inf]
    most: Any = np.concatenate([ones, np.full(count, np.inf)])
    return {
        "c": -rows[3],
        "integrality": np.concatenate([ones, zeros]),
        "bounds": Bounds(0, most),
        "constraints": LinearConstraint(rows, low, high),
    }
