"""`ludus puzzle PUZZLE --solvers SPEC…`: solvers of a one-player problem side by side, with a live table and a page."""

from __future__ import annotations

import argparse
import shlex
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from ...envs.files.writing import also_saying, check_target
from ...envs.showing import TextTable
from ...puzzles import Puzzle, Tally, make_puzzle, puzzle_names
from ...puzzles.comparison import Comparison, Watch, compare
from ...puzzles.page import limit, number, table, write_puzzle_page
from ..terminal.numbers import whole
from ..terminal.output import keep_and_show, print_json, print_page, print_table

USUAL = {
    "setcover": ["greedy", "astar:nodes=5000", "tabu", "annealing:calls=3000", "genetic:calls=3000", "exact:seconds=20"],
    "bitstring": [
        "probe",
        *(f"{name}calls=15000" for name in ("local:", "local:by=ones,", "tabu:", "annealing:", "genetic:islands=4,")),
    ],
    "portfolio": ["genetic:calls=5000", "genetic:calls=5000,crossover=one_point", "exact"],
}
"""The solvers where none are asked for."""
REFRESH = 0.25
"""Seconds between two looks at a search."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is solved, and by whom."""
    parser.add_argument("puzzle", help=f"a puzzle's spec, as setcover:items=20; there are: {', '.join(puzzle_names())}")
    parser.add_argument(
        "--solvers", nargs="+", metavar="SPEC", help="who solves it, as astar:heuristic=none (all, with light settings)"
    )
    parser.add_argument("--seeds", action=whole(1), default=1, metavar="N", help="how many seeds each has, from --seed on (1)")
    parser.add_argument("--report", type=Path, metavar="FILE", help="where to write a page that shows it all")


def run(chosen: argparse.Namespace) -> None:
    """Has the solvers solve it, prints what came of it, and writes the page."""
    puzzle = make_puzzle(chosen.puzzle)
    if chosen.report:
        check_target(chosen.report)
    with followed(puzzle, chosen.json) as watch:
        comparison = compare(puzzle, chosen.solvers or USUAL[puzzle.name], seeds=chosen.seeds, seed=chosen.seed, watch=watch)

    def write() -> None:
        if chosen.report:
            with also_saying(lambda: "the results are printed above"):
                write_puzzle_page(chosen.report, comparison, command=command_of(comparison))

    def print_all(written: bool) -> None:
        page = chosen.report if written else None
        if chosen.json:
            print_json(comparison.document() | {"report": page and str(page)})
            return
        show(comparison)
        if page:
            print_page(page)

    keep_and_show(write, print_all)


def show(comparison: Comparison) -> None:
    """A table of the solvers, and what is known of the best."""
    puzzle, columns = comparison.puzzle, table(comparison)
    title = f"{puzzle}, medians of {comparison.seeds} seeds" if comparison.seeds > 1 else puzzle.spec
    print_table(title, [*columns], [*zip(*columns.values(), strict=True)])
    if told := limit(comparison):
        print(told)


def command_of(comparison: Comparison) -> str:
    """The command that makes a comparison again."""
    words = ["ludus", "puzzle", comparison.puzzle.spec, "--solvers", *(row.solver for row in comparison.rows)]
    return shlex.join([*words, "--seeds", str(comparison.seeds), "--seed", str(comparison.seed)])


@contextmanager
def followed(puzzle: Puzzle, silent: bool) -> Generator[Watch]:
    """What to call as solvers search: shows on the terminal, on stderr, how far each has come."""
    console = Console(stderr=True)
    told: dict[str, tuple[str, str, str]] = {}
    shown = 0.0
    with Live(console=console, transient=True, auto_refresh=False) as live:

        def watch(solver: str, seed: int, tally: Tally) -> None:
            nonlocal shown
            best = number(puzzle.measured(tally.best)) if tally.best >= puzzle.least else ""
            told[solver] = str(seed), f"{tally.calls:,}", best
            if console.is_terminal and not silent and time.monotonic() - shown > REFRESH:
                live.update(_so_far(puzzle, told), refresh=True)
                shown = time.monotonic()

        yield watch


def _so_far(puzzle: Puzzle, told: dict[str, tuple[str, str, str]]) -> Group:
    rows = [[solver, *cells] for solver, cells in told.items()]
    return Group(Text(f"{puzzle} so far"), TextTable("", ["solver", "seed", "calls", puzzle.measure], rows).rich())
