"""Solvers of one-player problems: what looks for answers, and what proves them best."""

from __future__ import annotations

from .registry import make_solver, solver_names, solvers_for
from .solver import Found, Solver, Step, Tally

__all__ = ["Found", "Solver", "Step", "Tally", "make_solver", "solver_names", "solvers_for"]
