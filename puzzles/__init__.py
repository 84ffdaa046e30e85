"""One-player problems: what they ask for, solvers, environments, and solvers side by side on a page."""

from __future__ import annotations

from .problems.puzzle import Answers, Puzzle
from .problems.registry import make_puzzle, puzzle_names
from .solvers.registry import make_solver, solver_names, solvers_for
from .solvers.solver import Found, Improvement, Solver, Tally

__all__ = [
    "Answers",
    "Found",
    "Improvement",
    "Puzzle",
    "Solver",
    "Tally",
    "make_puzzle",
    "make_solver",
    "puzzle_names",
    "solver_names",
    "solvers_for",
]
