"""Results of the solvers of the one-player puzzles: all figures of docs/puzzles.md.

python -m benchmarks.puzzles.puzzles               # solves what is missing or out of date
python -m benchmarks.puzzles.puzzles bitstring     # of one puzzle
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from ludus.arena.report.words import percent
from ludus.puzzles import make_puzzle, make_solver
from ludus.puzzles.comparison import compare
from ludus.puzzles.solvers.astar import HEURISTICS

from ..provenance import Part, Study, repeated, table

Rows = Callable[[str, str], dict[str, Any]]
ASTAR = [f"astar:heuristic={heuristic}" for heuristic in HEURISTICS]
COURSE, HUNDRED = (5, 10, 20), "setcover:items=100,instance=course"
THOUSANDS = [f"setcover:items=1000,sets=4000,density={density},power=1.5" for density in (0.002, 0.003)]
SEARCHES = ["greedy", "annealing:calls=3000", "genetic:calls=3000", "tabu:calls=3000", "exact"]
ORDERS = (1, 2, 5, 10)
STRING = [f"{name}calls=15000" for name in ("local:", "local:by=ones,", "annealing:", "genetic:islands=4,")]
PORTFOLIOS = {0: "", 1: "", 2: ", the limit of risk binds", 11: ", likewise"}
STUDIES = [
    # puzzle, solvers, seeds
    *((f"setcover:items={items},instance=course", ["greedy:by=length", "greedy", *ASTAR, "exact"], 1) for items in COURSE),
    (HUNDRED, ["greedy:by=length", "greedy", "tabu", "genetic:calls=3000", "exact:relaxed=true"], 3),
    *((thousand, SEARCHES, 3) for thousand in THOUSANDS),
    *((f"bitstring:order={order}", ["probe"], 11) for order in ORDERS),
    *((f"bitstring:order={order}", STRING, 1) for order in ORDERS),
    *((f"portfolio:seed={seed}", ["genetic:goal=0", "genetic:goal=0,crossover=one_point"], 11) for seed in PORTFOLIOS),
    *((f"portfolio:seed={seed}", ["genetic:calls=3000", "exact", "exact:relaxed=true"], 3) for seed in PORTFOLIOS),
]


def summary(puzzle: str, solvers: list[str], seeds: int) -> dict[str, Any]:
    """A comparison without its trials and answers: the range of each number, and the median of the first answers."""
    comparison = compare(puzzle, solvers, seeds=seeds)
    document = comparison.document()
    for row, solved in zip(document["solvers"], comparison.rows, strict=True):
        del row["best"]
        trials = row.pop("trials")
        for name in ("calls", "seconds", document["measure"]):
            found = [trial[name] for trial in trials if trial[name] is not None]
            row[f"{name}_range"] = [min(found), max(found)] if found else None
        generations = [found.counts["generations"] for found in solved.results if "generations" in found.counts]
        row["generations_range"] = [min(generations), max(generations)] if generations else None
        begun = [trial["steps"][0][2] for trial in trials if trial["steps"] and trial["steps"][0][2] is not None]
        row[f"first_{document['measure']}"] = median(begun) if begun else None
        row["bound"] = comparison.to_measure(solved.results[0].bound)
    return document


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


def tables(found: Rows, covers: dict[str, Any]) -> Iterator[str]:
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
        exact, start = found(puzzle, "exact"), found(puzzle, solvers[1])["first_cost"]
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
                percent(bred["distance"]),
            ]
        )
    yield table(["table", "generations", "seconds", "best return", "linear program", "bred", "below the best"], rows)


def rows_of(results: dict[str, Any]) -> Rows:
    """A function that returns the result of a solver of a puzzle."""
    studies = [(puzzle, solvers, results[name_of(puzzle, solvers)]["solvers"]) for puzzle, solvers, _ in STUDIES]
    rows = {(puzzle, *pair[:1]): pair[1] for puzzle, solvers, found in studies for pair in zip(solvers, found, strict=True)}
    return lambda puzzle, solver: rows[puzzle, solver]


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


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each study, and one for A* on random covers."""
    studies = {}
    for puzzle, solvers, seeds in STUDIES:
        studies[name_of(puzzle, solvers)] = Part(partial(summary, puzzle, solvers, seeds), partial(again, puzzle, solvers))
    return {**studies, "covers": repeated(partial(random_covers, 100))}


def name_of(puzzle: str, solvers: list[str]) -> str:
    """The name of a study."""
    return f"{puzzle}: {', '.join(solver.partition(':')[0] for solver in solvers[:2])}"


def again(puzzle: str, solvers: list[str], kept: dict[str, Any]) -> tuple[Any, Any] | None:
    """The results of solvers without a time limit, as stored and now."""
    wanted = [solver for solver in solvers if not solver.startswith("exact")]
    found = summary(puzzle, wanted, kept["seeds"])["solvers"] if wanted else []
    names = {row["solver"] for row in found}
    return determined([row for row in kept["solvers"] if row["solver"] in names], kept), determined(found, kept)


def determined(rows: list[dict[str, Any]], kept: dict[str, Any]) -> list[Any]:
    """The numbers that the seed determines."""
    wanted = kept["measure"], "calls", "calls_to_goal", "calls_range"  # generations depend on the calls
    return [[row["solver"], *(row[name] for name in wanted)] for row in rows]


def shown(found: dict[str, Any]) -> dict[str, str]:
    """The tables of docs/puzzles.md."""
    names = "course", "covers", "thousand", "hundred", "strings", "portfolios"
    return dict(zip(names, tables(rows_of(found), found["covers"]), strict=True))


SOURCES = (
    *("puzzles/problems", "puzzles/environments", "puzzles/solvers"),
    "puzzles/comparison.py",
    *(f"baselines/{name}.py" for name in ("genetics/breeding", "genetics/settings")),
)
STUDY = Study(__file__, parts, shown, SOURCES, 0, ("numpy", "scipy", "deap"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
