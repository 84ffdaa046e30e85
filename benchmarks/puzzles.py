"""What the solvers of one-player problems come to: every figure of docs/puzzles.md, kept in puzzles.json.

python benchmarks/puzzles.py            # solves them all, into puzzles.json
python benchmarks/puzzles.py --table    # the tables of the page, from puzzles.json
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from ludus.agents.puzzles import make_solver
from ludus.agents.puzzles.astar import HEURISTICS
from ludus.arena.puzzles import compare
from ludus.arena.report.words import percent
from ludus.cli.bench import machine
from ludus.envs.files import write_whole
from ludus.envs.puzzles import make_puzzle

PLACE = Path(__file__).with_name("puzzles.json")
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
    """A study without its trials, and without answers: from the least to the most of each, and medians of the first answers."""
    comparison = compare(puzzle, solvers, seeds=seeds)
    told = comparison.document()
    for row, solved in zip(told["solvers"], comparison.rows, strict=True):
        del row["best"]
        trials = row.pop("trials")
        for name in ("calls", "seconds", told["measure"]):
            found = [trial[name] for trial in trials if trial[name] is not None]
            row[f"{name}_range"] = [min(found), max(found)] if found else None
        generations = [found.counts["generations"] for found in solved.found if "generations" in found.counts]
        row["generations_range"] = [min(generations), max(generations)] if generations else None
        begun = [trial["steps"][0][2] for trial in trials if trial["steps"] and trial["steps"][0][2] is not None]
        row[f"first_{told['measure']}"] = median(begun) if begun else None
        row["bound"] = comparison.measured(solved.found[0].bound)
    return told


def random_covers(count: int) -> dict[str, Any]:
    """A* with each heuristic on so many random instances of each power of costs: nodes, and answers that are not the best."""
    told: dict[str, Any] = {}
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
            told[f"power={power:g}, {solver}"] = {"instances": count, "nodes": nodes, "not_the_best": wrong}
    return told


def tables(document: dict[str, Any]) -> Iterator[str]:
    """The tables of docs/puzzles.md, in its order."""
    found = Studies(document)
    course = [f"setcover:items={items},instance=course" for items in COURSE]
    heads = ["lists' items", "greedy by length", "greedy", "best", *(f"`{heuristic}`" for heuristic in HEURISTICS)]
    costs = [[f"{found(puzzle, solver)['cost']:.0f}" for solver in ("greedy:by=length", "greedy", "exact")] for puzzle in course]
    nodes = [[f"{found(puzzle, solver)['nodes']:.0f}" for solver in ASTAR] for puzzle in course]
    yield written(heads, [[str(items), *cost, *taken] for items, cost, taken in zip(COURSE, costs, nodes, strict=True)])

    covers, powers = document["astar_on_random_covers"], {"0": "1 each", "0.5": "the root of the size", "1": "the size"}
    yield written(
        ["costs", *(f"`{heuristic}`" for heuristic in HEURISTICS)],
        [[told, *(in_nodes(covers[f"power={power}, {solver}"]) for solver in ASTAR)] for power, told in powers.items()],
    )

    solvers = ("greedy", "annealing:calls=3000", "genetic:calls=3000", "tabu:calls=3000")
    rows = []
    for puzzle in THOUSANDS:
        exact, start = found(puzzle, "exact"), found(puzzle, solvers[1])["first_cost"]
        costs = [found(puzzle, solver)["cost"] for solver in solvers]
        above = [f"{cost:.1f}, {percent(cost / exact['cost'] - 1)}" for cost in (costs[0], start, *costs[1:])]
        density = puzzle.partition("density=")[2].partition(",")[0]
        rows.append([density, f"{exact['cost']:.1f} in {exact['seconds']:.1f} s", *above])
    yield written(
        ["density", "best", "greedy", "thinned: the start", *(f"`{name.partition(':')[0]}`" for name in solvers[1:])], rows
    )

    named = {"greedy": "greedy", "tabu": "`tabu`", "genetic:calls=3000": "`genetic`"}
    least = found(HUNDRED, "exact:relaxed=true")["bound"]
    yield written(
        [*named.values(), "the linear program says at least"],
        [[*(f"{found(HUNDRED, solver)['cost']:.0f}" for solver in named), f"{least:.0f}"]],
    )

    rows = [
        [str(order), f"**{spread(found(puzzle, 'probe'), 'calls')}**", *(in_calls(found(puzzle, solver)) for solver in STRING)]
        for order in ORDERS
        for puzzle in [f"bitstring:order={order}"]
    ]
    yield written(["order", "`probe`", *(f"`{solver.removesuffix('calls=15000').strip(':,')}`" for solver in STRING)], rows)

    rows = []
    for seed, binds in PORTFOLIOS.items():
        puzzle = f"portfolio:seed={seed}" if seed else "portfolio"
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
    yield written(["table", "generations", "seconds", "best return", "linear program", "bred", "below the best"], rows)


class Studies:
    """What was found, by puzzle and solver."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.rows = {(study["puzzle"], row["solver"]): row for study in document["studies"] for row in study["solvers"]}

    def __call__(self, puzzle: str, solver: str) -> dict[str, Any]:
        puzzle = make_puzzle(puzzle)
        return self.rows[puzzle.spec, make_solver(solver, puzzle).spec]


def written(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, numbers to the right."""
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, *rows)]
    return "\n".join([lines[0], "|---" + "|---:" * (len(heads) - 1) + "|", *lines[1:]])


def spread(row: dict[str, Any], name: str) -> str:
    """A median, and from the fewest to the most where these differ."""
    fewest, most = row[f"{name}_range"]
    return f"{row[name]:.0f} ({fewest:.0f} to {most:.0f})" if fewest < most else f"{most:.0f}"


def in_nodes(told: dict[str, int]) -> str:
    """Nodes, and in how many instances the cover was not the best."""
    return f"{told['nodes']:,}" + (f", {told['not_the_best']} not the best" if told["not_the_best"] else "")


def in_calls(row: dict[str, Any]) -> str:
    """Calls until the value was 1; or the value."""
    return f"value {row['value']:.3f}" if row["calls_to_goal"] is None else f"{row['calls_to_goal']:,.0f}"


def solve() -> None:
    """Solves them all, and keeps what came of it."""
    began = time.perf_counter()
    studies: list[dict[str, Any]] = []
    for study in STUDIES:
        studies.append(summary(*study))
        for row in studies[-1]["solvers"]:
            print(study[0], row, flush=True)
    covers = random_covers(100)
    document = {
        "command": "python benchmarks/puzzles.py",
        "seed": 0,
        "machine": machine(),
        "seconds": round(time.perf_counter() - began, 1),
        "studies": studies,
        "astar_on_random_covers": covers,
    }
    write_whole(PLACE, (json.dumps(document, indent=1) + "\n").encode())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", action="store_true", help="show what was kept, and solve nothing")
    if not parser.parse_args().table:
        solve()
    print("\n\n".join(tables(json.loads(PLACE.read_text(encoding="utf-8")))))
