"""One-player problems: what they ask for, solvers, environments, and solvers side by side on a page."""

from __future__ import annotations

from .problems.puzzle import Answers, Puzzle
from .problems.registry import make_puzzle, puzzle_names
from .solvers.registry import make_solver, solver_names, solvers_for
from .solvers.solver import Improvement, Solver, SolverResult, Tally

__all__ = [
    "Answers",
    "Improvement",
    "Puzzle",
    "Solver",
    "SolverResult",
    "Tally",
    "make_puzzle",
    "make_solver",
    "puzzle_names",
    "solver_names",
    "solvers_for",
]
