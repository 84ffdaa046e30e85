"""Solvers of one-player puzzles that earlier projects had, as presets, beside their reported results. Shown in docs/classics.md."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from math import inf
from statistics import mean, median
from typing import Any

from ludus.puzzles import make_puzzle, make_solver
from ludus.puzzles.portfolio import ORIGINAL_SETTINGS
from ludus.puzzles.puzzle import Puzzle

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study
from ..seeds import HEADS, summarise


def coverable(spec: str) -> Iterator[Puzzle]:
    """The instances of a set cover, by the seeds from 0 on, in which each item is in a set."""
    for seed in itertools.count():
        with suppress(ValueError):
            yield make_puzzle(f"{spec},seed={seed}")


SEEDS = 3
PRESET, TEN, OURS = "local:preset=original", "local:preset=original,population=10,tournament=10", "local"
ORDERS = {1: "1217 calls", 2: "6302 calls", 5: "0.6 after 30,010", 10: "0.38 after 30,010"}
"""The original's results by order."""
REACHED = {5: 0.6, 10: 0.38}
"""The values it reported for orders at which it did not find the perfect string."""
SINGLE = 20
"""The number of single runs that show how much results vary."""
SELECTED = {"fitness": (0.924, 0.55, 0.2275, 0.2537), "ones": (0.921, 0.91, 0.7149, 0.5242)}
"""What another program reached, by what it selected by and for each order."""
BREEDERS = {by: f"genetic:preset=original,by={by}" for by in SELECTED}
RUNS = 10
"""The seeds of each row of that program."""
COVER, STEPS = "setcover:items=5,sets=10,density=0.3", "astar:heuristic=missing"
COVERS = 100
"""The instances of set covering, with the seeds from 0 on in which each item is in a set."""
READINGS = ("", ",repair=threshold")
"""Two readings of the description of the portfolio search: only mutated children are normalised, or all are."""
STOCKS, BRED = "portfolio:smallest=0.00025", "genetic:goal=0"
LAST = 1000
"""The original's last generation."""
STRATEGIES = ("tabu:calls=30000", "annealing", "genetic", "local", PRESET)
"""Searches that the projects tried on bit strings of order 5, too."""


def original_cells() -> dict[str, Any]:
    """A cell for each solver on each puzzle, and for many single runs."""
    many = {
        f"single bitstring:order={order} {solver}": partial(single_runs, f"bitstring:order={order}", solver)
        for order in REACHED
        for solver in (PRESET, TEN)
    }
    many |= {
        f"bred bitstring:order={order} {solver}": partial(single_runs, f"bitstring:order={order}", solver, RUNS)
        for order in ORDERS
        for solver in BREEDERS.values()
    }
    return {f"{puzzle} {solver}": partial(solve, puzzle, solver) for puzzle, solver in pairs()} | many | {"covers": small_covers}


def pairs() -> list[tuple[str, str]]:
    """All pairs of puzzle and solver."""
    strings = [(f"bitstring:order={order}", solver) for order in ORDERS for solver in (PRESET, TEN, OURS)]
    bred = [f"{row.spec}{reading}" for reading in READINGS for row in ORIGINAL_SETTINGS]
    portfolios = [(STOCKS, solver) for solver in (*bred, BRED)]
    compared = [("bitstring:order=5", solver) for solver in STRATEGIES]
    return [*dict.fromkeys([*strings, *portfolios, *compared])]


def solve(puzzle: str, solver: str) -> list[dict[str, Any]]:
    """The results of a solver with each seed, without its answers."""
    results = [make_solver(solver, puzzle).solve(seed) for seed in range(SEEDS)]
    return [{"worth": result.worth, "calls": result.calls, "counts": result.counts} for result in results]


def single_runs(puzzle: str, solver: str, runs: int = SINGLE) -> list[float]:
    """The results of single runs of a solver, one per seed."""
    return [make_solver(solver, puzzle).solve(seed).worth for seed in range(runs)]


def small_covers() -> dict[str, Any]:
    """The nodes of A* on small instances, with the original's heuristic and with ours, and how many covers are not the best."""
    puzzles = [*islice(coverable(COVER), COVERS)]
    solved = {solver: [make_solver(solver, puzzle).solve() for puzzle in puzzles] for solver in (STEPS, "astar")}
    worse = sum(result.worth < best.worth for result, best in zip(solved[STEPS], solved["astar"], strict=True))
    return {solver: [int(result.counts["nodes"]) for result in results] for solver, results in solved.items()} | {"worse": worse}


# ---- figures


def calls_text(results: list[dict[str, Any]]) -> str:
    """Calls until the value is 1, as median and range; or the value reached."""
    if min(result["worth"] for result in results) == 1:
        return f"{spread([result['calls'] for result in results])} calls"
    return f"value {spread([result['worth'] for result in results], '.2f')}"


def last_generations(results: list[dict[str, Any]]) -> list[float]:
    """The last generation of each portfolio search; infinity if no portfolio satisfied the constraints."""
    counted = [result["counts"]["generations"] for result in results]
    return [inf if generation == LAST else generation for generation in counted]


def generations_text(results: list[dict[str, Any]]) -> str:
    """The mean number of generations until a portfolio satisfies the constraints, as in the original, and that of each seed."""
    each = last_generations(results)
    if min(each) == inf:
        return "none found"
    listed = ", ".join(map(number, each))
    return listed if inf in each else f"{mean(each):.1f} ({listed})"


def number(value: float, form: str = ",.0f") -> str:
    """A number; none for infinity."""
    return "none" if value == inf else f"{value:{form}}"


def spread(values: list[float], form: str = ",.0f") -> str:
    """A median, and the range if there is one."""
    low, middle, high = (number(value, form) for value in (min(values), median(values), max(values)))
    return middle if low == high else f"{middle} ({low} to {high})"


def runs_table(rows: Rows) -> str:
    """How much single runs vary: a row for each order at which the original did not find the perfect string."""
    lines = list[list[str]]()
    for order, value in REACHED.items():
        worths = [rows[f"single bitstring:order={order} {solver}"] for solver in (PRESET, TEN)]
        counted = [sum(worth >= value - 0.005 for worth in each) for each in worths]
        cells = [f"{spread(each, '.2f')}; {count}" for each, count in zip(worths, counted, strict=True)]
        lines.append([str(order), f"{value:g}", *cells])
    return table(["order", "there", f"`{PRESET}`", f"`{TEN}`"], lines)


def strings_table(rows: Rows) -> str:
    """The bit string: a row for each order."""
    lines = [
        [str(order), there, *(calls_text(rows[f"bitstring:order={order} {solver}"]) for solver in (PRESET, TEN, OURS))]
        for order, there in ORDERS.items()
    ]
    return table(["order", "there", f"`{PRESET}`", f"`{TEN}`", f"`{OURS}`"], lines)


def selection_table(rows: Rows) -> str:
    """Strings bred by fitness and by ones: rows for each order."""
    lines = [
        [str(order), by, f"{there:g}", *summarise([rows[f"bred bitstring:order={order} {BREEDERS[by]}"]]).cells("{:.3f}".format)]
        for order, *reported in zip(ORDERS, *SELECTED.values(), strict=True)
        for by, there in zip(SELECTED, reported, strict=True)
    ]
    return table(["order", "selected by", "there", *HEADS], lines, "rlr")


def portfolios_table(rows: Rows) -> str:
    """The portfolio: a row for each of the ten settings."""
    lines = [
        [
            *(f"{value:g}" for value in (row.population, row.crossing, row.mutation, row.carry)),
            "none found" if row.generations is None else f"{row.generations:g}",
            *(generations_text(rows[f"{STOCKS} {row.spec}{reading}"]) for reading in READINGS),
        ]
        for row in ORIGINAL_SETTINGS
    ]
    return table(["population", "crossing", "mutation", "carry", "generations there", "here", "`repair=threshold`"], lines)


def show_originals(rows: Rows) -> dict[str, str]:
    """The tables of docs/classics.md, and cells of its rows."""
    order = {solver: [calls_text(rows[f"bitstring:order={order} {solver}"]) for order in ORDERS] for solver in (PRESET, TEN, OURS)}
    command = f"`ludus puzzle bitstring:order=2 --solvers {{}} --seeds {SEEDS}`"
    there, here, ours = (row_of("order", ORDERS, values) for values in (ORDERS.values(), order[PRESET], order[OURS]))
    first, own = rows[f"{STOCKS} {ORIGINAL_SETTINGS[0].spec}"], rows[f"{STOCKS} {BRED}"]
    bred = [result for row in ORIGINAL_SETTINGS for result in rows[f"{STOCKS} {row.spec}"]]
    stopped = [result for result in bred if last_generations([result]) != [inf]]
    reported = f"{ORIGINAL_SETTINGS[0].generations:g} generations (mean of three)"
    breeding = f"`ludus puzzle {STOCKS} --solvers {{}} --seeds {SEEDS}`"
    return {
        "bit-string": f"{there} | {here} | {command.format(PRESET)}",
        "bit-string.ours": f"{ours} | {command.format(OURS)}",
        "searches": searches_cells(rows),
        "portfolio": f"{reported} | {spread(last_generations(first))} generations | {breeding.format('genetic:preset=original')}",
        "portfolio.ours": f"{spread(last_generations(own))} generations | {breeding.format(BRED)}",
        "selecting": "in the table below | in the table below | "
        f"`ludus puzzle bitstring:order=2 --solvers {' '.join(BREEDERS.values())} --seeds {RUNS}`",
        "strings": strings_table(rows),
        "selected": selection_table(rows),
        "cover": f"{spread(rows['covers'][STEPS])} nodes | `ludus puzzle {COVER},seed=42 --solvers {STEPS}`",
        "cover.ours": f"{spread(rows['covers']['astar'])} nodes | `ludus puzzle {COVER},seed=42 --solvers astar`",
        "covers": str(COVERS),
        "covers.worse": str(rows["covers"]["worse"]),
        "single": str(SINGLE),
        "reached": runs_table(rows),
        "portfolios": portfolios_table(rows),
        "portfolios.ended": str(len(stopped)),
        "portfolios.kept": str(sum(result["worth"] >= 0 for result in stopped)),
    }


def searches_cells(rows: Rows) -> str:
    """The cells of searches that the projects tried on bit strings, at order 5, without reported figures."""
    puzzle = "bitstring:order=5"
    tried = [solver for solver in STRATEGIES if not solver.startswith("local")]
    values = [calls_text(rows[f"{puzzle} {solver}"]) for solver in tried]
    here = "<br>".join(f"`{solver}`: {value}" for solver, value in zip(tried, values, strict=True))
    return f"not reported | {here} | `ludus puzzle {puzzle} --solvers {' '.join(tried)} --seeds {SEEDS}`"


def row_of(what: str, names: Any, values: Any) -> str:
    """A cell with one line per value."""
    return "<br>".join(f"{what} {name}: {value}" for name, value in zip(names, values, strict=True))


STUDIES = (Study(RESULTS / "puzzle_originals.json", original_cells, show_originals, 0, ("numpy", "deap")),)
