"""Results of the solvers of the one-player puzzles: all figures of docs/puzzles.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from ludus.arena.report.words import percent
from ludus.puzzles import make_puzzle, make_solver
from ludus.puzzles.astar import HEURISTICS
from ludus.puzzles.comparison import compare

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study

Lookup = Callable[[str, str], dict[str, Any]]
ASTAR = [f"astar:heuristic={heuristic}" for heuristic in HEURISTICS]
COURSE, HUNDRED = (5, 10, 20), "setcover:items=100,instance=course"
THOUSANDS = [f"setcover:items=1000,sets=4000,density={density},power=1.5" for density in (0.002, 0.003)]
SEARCHES = ["greedy", "annealing:calls=3000", "genetic:calls=3000", "tabu:calls=3000", "exact"]
ORDERS = (1, 2, 5, 10)
STRING = [f"{name}calls=15000" for name in ("local:", "local:by=ones,", "annealing:", "genetic:islands=4,")]
PORTFOLIOS = {0: "", 1: "", 2: ", the limit of risk binds", 11: ", likewise"}
PAIRS = [
    (puzzle, solver, seeds)
    for puzzles, solvers, seeds in (
        ([f"setcover:items={items},instance=course" for items in COURSE], ["greedy:by=length", "greedy", *ASTAR, "exact"], 1),
        ([HUNDRED], ["greedy:by=length", "greedy", "tabu", "genetic:calls=3000", "exact:relaxed=true"], 3),
        (THOUSANDS, SEARCHES, 3),
        ([f"bitstring:order={order}" for order in ORDERS], ["probe"], 11),
        ([f"bitstring:order={order}" for order in ORDERS], STRING, 1),
        ([f"portfolio:seed={seed}" for seed in PORTFOLIOS], ["genetic:goal=0", "genetic:goal=0,crossover=one_point"], 11),
        ([f"portfolio:seed={seed}" for seed in PORTFOLIOS], ["genetic:calls=3000", "exact", "exact:relaxed=true"], 3),
    )
    for puzzle in puzzles
    for solver in solvers
]
"""What is measured: each solver of each puzzle, with so many seeds."""


def cells() -> dict[str, Any]:
    """A cell for each solver of each puzzle, and one for A* on random covers."""
    solved = {f"{puzzle} {solver}": partial(solve, puzzle, solver, seeds) for puzzle, solver, seeds in PAIRS}
    return {**solved, "covers": partial(random_covers, 100)}


def solve(puzzle: str, solver: str, seeds: int) -> dict[str, Any]:
    """The medians of a solver's results, the ranges of some, and the median of its first answers."""
    comparison = compare(puzzle, [solver], seeds=seeds)
    document, (solved,) = comparison.document(), comparison.rows
    (row,), measure = document["solvers"], document["measure"]
    trials = row.pop("trials")
    kept = {name: row[name] for name in (measure, "calls", "calls_to_goal", "seconds", "nodes") if name in row}
    for name in ("calls", "seconds"):
        kept[f"{name}_range"] = [pick(trial[name] for trial in trials) for pick in (min, max)]
    if generations := [result.counts["generations"] for result in solved.results if "generations" in result.counts]:
        kept |= {"generations": median(generations), "generations_range": [min(generations), max(generations)]}
    if first := [trial["steps"][0][2] for trial in trials if trial["steps"] and trial["steps"][0][2] is not None]:
        kept["first"] = median(first)
    return {**kept, "bound": comparison.to_measure(solved.results[0].bound)}


def random_covers(count: int) -> dict[str, Any]:
    """A* with each heuristic on random instances of each power of costs: nodes, and answers that are not optimal."""
    document: dict[str, Any] = {}
    for power in (0.0, 0.5, 1.0):
        puzzles, seed = [], 0
        while len(puzzles) < count:
            with suppress(ValueError):  # an item is in no set
                puzzles.append(make_puzzle("setcover", items=20, sets=40, density=0.2, power=power, seed=seed))
            seed += 1
        best = np.array([make_solver("exact", puzzle).solve().worth for puzzle in puzzles])
        for solver in ASTAR:
            found = [make_solver(solver, puzzle).solve() for puzzle in puzzles]
            nodes = int(sum(one.counts["nodes"] for one in found))
            wrong = int((np.array([one.worth for one in found]) < best - 1e-6).sum())
            document[f"power={power:g}, {solver}"] = {"instances": count, "nodes": nodes, "not_the_best": wrong}
    return document


def tables(found: Lookup, covers: dict[str, Any]) -> Iterator[str]:
    """The tables of docs/puzzles.md, in its order."""
    course = [f"setcover:items={items},instance=course" for items in COURSE]
    heads = ["lists' items", "greedy by length", "greedy", "best", *(f"`{heuristic}`" for heuristic in HEURISTICS)]
    costs = [[f"{found(puzzle, solver)['cost']:.0f}" for solver in ("greedy:by=length", "greedy", "exact")] for puzzle in course]
    nodes = [[f"{found(puzzle, solver)['nodes']:.0f}" for solver in ASTAR] for puzzle in course]
    yield table(heads, [[str(items), *cost, *taken] for items, cost, taken in zip(COURSE, costs, nodes, strict=True)])

    powers = {"0": "1 each", "0.5": "the root of the size", "1": "the size"}
    yield table(
        ["costs", *(f"`{heuristic}`" for heuristic in HEURISTICS)],
        [[cost, *(in_nodes(covers[f"power={power}, {solver}"]) for solver in ASTAR)] for power, cost in powers.items()],
    )

    solvers = ("greedy", "annealing:calls=3000", "genetic:calls=3000", "tabu:calls=3000")
    rows = []
    for puzzle in THOUSANDS:
        exact, start = found(puzzle, "exact"), found(puzzle, solvers[1])["first"]
        costs = [found(puzzle, solver)["cost"] for solver in solvers]
        above = [f"{cost:.1f}, {percent(cost / exact['cost'] - 1)}" for cost in (costs[0], start, *costs[1:])]
        density = puzzle.partition("density=")[2].partition(",")[0]
        rows.append([density, f"{exact['cost']:.1f} in {exact['seconds']:.1f} s", *above])
    yield table(["density", "best", "greedy", "thinned: the start", *(f"`{name.partition(':')[0]}`" for name in solvers[1:])], rows)

    named = {"greedy": "greedy", "tabu": "`tabu`", "genetic:calls=3000": "`genetic`"}
    least = found(HUNDRED, "exact:relaxed=true")["bound"]
    yield table(
        [*named.values(), "the linear program says at least"],
        [[*(f"{found(HUNDRED, solver)['cost']:.0f}" for solver in named), f"{least:.0f}"]],
    )

    rows = [
        [str(order), f"**{spread(found(puzzle, 'probe'), 'calls')}**", *(in_calls(found(puzzle, solver)) for solver in STRING)]
        for order in ORDERS
        for puzzle in [f"bitstring:order={order}"]
    ]
    yield table(["order", "`probe`", *(f"`{solver.removesuffix('calls=15000').strip(':,')}`" for solver in STRING)], rows)

    rows = []
    for seed, binds in PORTFOLIOS.items():
        puzzle = f"portfolio:seed={seed}"
        first, bred, exact = (found(puzzle, solver) for solver in ("genetic:goal=0", "genetic:calls=3000", "exact"))
        least, most = first["seconds_range"]
        returns = [exact["return"], found(puzzle, "exact:relaxed=true")["bound"], bred["return"]]
        rows.append(
            [
                f"`seed={seed}`{binds}",
                spread(first, "generations"),
                f"{first['seconds']:.2f} ({least:.2f} to {most:.2f})",
                *(f"{value:.3f}" for value in returns),
                percent(1 - bred["return"] / exact["return"]),
            ]
        )
    yield table(["table", "generations", "seconds", "best return", "linear program", "bred", "below the best"], rows)


def spread(row: dict[str, Any], name: str) -> str:
    """A median, and the range if there is one."""
    fewest, most = row[f"{name}_range"]
    return f"{row[name]:.0f} ({fewest:.0f} to {most:.0f})" if fewest < most else f"{most:.0f}"


def in_nodes(counts: dict[str, int]) -> str:
    """Nodes, and the number of instances whose cover was not optimal."""
    return f"{counts['nodes']:,}" + (f", {counts['not_the_best']} not the best" if counts["not_the_best"] else "")


def in_calls(row: dict[str, Any]) -> str:
    """Calls until the value was 1; or the value reached."""
    return f"value {row['value']:.3f}" if row["calls_to_goal"] is None else f"{row['calls_to_goal']:,.0f}"


def show(rows: Rows) -> dict[str, str]:
    """The tables of docs/puzzles.md."""
    names = "course", "covers", "thousand", "hundred", "strings", "portfolios"
    return dict(zip(names, tables(lambda puzzle, solver: rows[f"{puzzle} {solver}"], rows["covers"]), strict=True))


STUDIES = (Study(RESULTS / "puzzles.json", cells, show, 0, ("numpy", "scipy", "deap")),)
