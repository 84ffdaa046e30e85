"""All solvers, one line each, and `make_solver`, which reads a spec."""

from __future__ import annotations

from typing import Any

from ...core import specs
from ...core.numbers import short_repr
from ...core.plugins.loading import libraries, load_object
from ..problems.puzzle import Puzzle
from ..problems.registry import make_puzzle
from .solver import Solver

ANNEALING, GENETIC = "ludus.puzzles.solvers.annealing:Annealing", "ludus.puzzles.solvers.genetic:GeneticSolver"
EXACT, TABU = "ludus.puzzles.solvers.exact:Exact", "ludus.puzzles.solvers.tabu:Tabu"
BUILT_IN: dict[str, dict[str, str]] = {
    # name in specs: the puzzles that it solves, and where the solver of each is
    "greedy": {"setcover": "ludus.puzzles.solvers.greedy:GreedyCover"},
    "astar": {"setcover": "ludus.puzzles.solvers.astar:AStar"},
    "tabu": {"setcover": TABU, "bitstring": TABU},
    "annealing": {"setcover": ANNEALING, "bitstring": ANNEALING},
    "genetic": {
        "setcover": GENETIC,
        "bitstring": "ludus.puzzles.solvers.strings:GeneticString",
        "portfolio": "ludus.puzzles.solvers.portfolios:GeneticPortfolio",
    },
    "local": {"bitstring": "ludus.puzzles.solvers.local:LocalSearch"},
    "probe": {"bitstring": "ludus.puzzles.solvers.probe:Probe"},
    "exact": {"setcover": EXACT, "portfolio": EXACT},
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
        cls: type[Solver[Any]] = load_object(solves[puzzle.name])
    preset = texts.pop("preset", None)
    if preset is not None and preset not in cls.presets:
        raise ValueError(f"{what} has no preset {short_repr(preset)}; {specs.nearest(preset, cls.presets, 'it has none')}")
    return cls(puzzle, **{**cls.presets.get(preset or "", {}), **specs.read(cls, texts, what)})
