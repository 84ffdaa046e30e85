"""`ludus puzzle PUZZLE --solvers SPEC…`: compares solvers of a one-player puzzle, with a report page."""

from __future__ import annotations

import argparse
import shlex

from ...core.files.writing import add_to_errors
from ...core.numbers import several
from ...puzzles import Tally, make_puzzle, puzzle_names
from ...puzzles.comparison import SolverComparison, compare, limit, number, table
from ..terminal.display import spinner
from ..terminal.options import pathname, whole
from ..terminal.output import check_page, print_json, print_page, print_table, write_and_show

USUAL = {
    "setcover": ["greedy", "astar:nodes=5000", "tabu", "annealing:calls=3000", "genetic:calls=3000", "exact:seconds=20"],
    "bitstring": [
        "probe",
        *(f"{name}calls=15000" for name in ("local:", "local:by=ones,", "tabu:", "annealing:", "genetic:")),
    ],
    "portfolio": ["genetic:calls=5000", "genetic:calls=5000,crossover=one_point", "exact"],
}
"""The solvers if none are named."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("puzzle", help=f"spec of the puzzle, for example setcover:items=20; puzzles: {', '.join(puzzle_names())}")
    add(
        "--solvers", nargs="+", metavar="SPEC", help="solvers, for example astar:heuristic=none (default: all, with quick settings)"
    )
    add("--seeds", action=whole(1), default=1, metavar="N", help="seeds per solver, counted from --seed (default: 1)")
    add("--report", action=pathname(), metavar="FILE", help="file for a report page")


def run(chosen: argparse.Namespace) -> None:
    """Runs the solvers, prints the results, and writes the page."""
    puzzle = make_puzzle(chosen.puzzle)
    check_page(chosen.report)
    with spinner(silent=chosen.json) as say:

        def watch(solver: str, seed: int, tally: Tally) -> None:
            best = f", {puzzle.measure} {number(puzzle.to_measure(tally.best))}" if tally.best >= puzzle.least else ""
            say(f"{solver}, seed {seed}: {several(tally.calls, 'call')}{best}")

        comparison = compare(puzzle, chosen.solvers or USUAL[puzzle.name], seeds=chosen.seeds, seed=chosen.seed, watch=watch)

    def write() -> None:
        if chosen.report:
            from ...puzzles.page import write_puzzle_page

            with add_to_errors(lambda: "the results are printed above"):
                write_puzzle_page(chosen.report, comparison, command=command_of(comparison))

    def print_all(written: bool) -> None:
        page = chosen.report if written else None
        if chosen.json:
            print_json(comparison.document() | {"report": page and str(page)})
            return
        show(comparison)
        if page:
            print_page(page)

    write_and_show(write, print_all)


def show(comparison: SolverComparison) -> None:
    """Prints a table of the solvers, and what is known about the optimum."""
    puzzle, columns = comparison.puzzle, table(comparison)
    title = f"{puzzle}, medians of {comparison.seeds} seeds" if comparison.seeds > 1 else puzzle.spec
    print_table(title, [*columns], [*zip(*columns.values(), strict=True)])
    if known := limit(comparison):
        print(known)


def command_of(comparison: SolverComparison) -> str:
    """The command that repeats a comparison."""
    words = ["ludus", "puzzle", comparison.puzzle.spec, "--solvers", *(row.solver for row in comparison.rows)]
    return shlex.join([*words, "--seeds", str(comparison.seeds), "--seed", str(comparison.seed)])
