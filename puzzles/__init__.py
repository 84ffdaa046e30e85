"""One-player problems: what they ask for, solvers, environments, and solvers side by side on a page."""

from __future__ import annotations

from .puzzle import Answers, Puzzle, make_puzzle, puzzle_names
from .solver import Improvement, Solver, SolverResult, Tally, make_solver, solver_names, solvers_for

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
