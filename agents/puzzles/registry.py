"""The solvers there are, one line each, and `make_solver`, which reads a spec."""

from __future__ import annotations

from typing import Any

from ...envs import specs
from ...envs.loading import libraries, named
from ...envs.puzzles import Puzzle, make_puzzle
from .solver import Solver

BUILT_IN = {
    # name in specs: where, what it solves
    "greedy": ("ludus.agents.puzzles.greedy:Greedy", ("setcover",)),
    "astar": ("ludus.agents.puzzles.astar:AStar", ("setcover",)),
    "tabu": ("ludus.agents.puzzles.tabu:Tabu", ("setcover",)),
    "annealing": ("ludus.agents.puzzles.annealing:Annealing", ("setcover", "bitstring")),
    "genetic": ("ludus.agents.puzzles.genetic:Genetic", ("setcover", "bitstring", "portfolio")),
    "local": ("ludus.agents.puzzles.local:Local", ("bitstring",)),
    "probe": ("ludus.agents.puzzles.probe:Probe", ("bitstring",)),
    "exact": ("ludus.agents.puzzles.exact:Exact", ("setcover", "portfolio")),
}
INSTALL = "pip install 'ludus[puzzles]'"


def solver_names() -> tuple[str, ...]:
    """The names of all solvers."""
    return tuple(BUILT_IN)


def solvers_for(puzzle: str | Puzzle) -> tuple[str, ...]:
    """The names of the solvers that solve a puzzle."""
    name = make_puzzle(puzzle).name
    return tuple(solver for solver, (_, solves) in BUILT_IN.items() if name in solves)


def make_solver(solver: str | Solver[Any], puzzle: str | Puzzle) -> Solver[Any]:
    """A solver for a puzzle by its spec, `genetic:population=50`; a solver is given back as it is.

    Raises:
        ValueError: no such solver or setting, or it does not solve this puzzle, or a library that it needs is not installed.
    """
    puzzle = make_puzzle(puzzle)
    if isinstance(solver, Solver):
        if solver.puzzle != puzzle:
            raise ValueError(f"the solver {solver} was made for {solver.puzzle}, not for {puzzle}; make one by its spec")
        return solver
    if not isinstance(solver, str):
        raise ValueError(f"{solver!r} is no solver; give one, or its spec, as genetic:population=50")
    name, texts = specs.split(solver)
    if name not in BUILT_IN:
        raise ValueError(f"there is no solver {name!r}; {specs.nearest(name, BUILT_IN)}")
    where, solves = BUILT_IN[name]
    if puzzle.name not in solves:
        raise ValueError(
            f"the solver {name!r} solves {' and '.join(solves)}, not {puzzle}; there are: {', '.join(solvers_for(puzzle))}"
        )
    with libraries(f"the solver {name!r}", INSTALL):
        cls: type[Solver[Any]] = named(where)
    return cls(puzzle, **specs.read(cls, texts, f"the solver {name!r}"))
