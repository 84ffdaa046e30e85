"""What the solvers of one-player problems come to: every figure of docs/puzzles.md, kept in puzzles.json.

python benchmarks/puzzles.py
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ludus.agents.puzzles import make_solver
from ludus.agents.puzzles.astar import HEURISTICS
from ludus.arena.puzzles import compare
from ludus.cli.bench import machine
from ludus.envs.files import write_whole
from ludus.envs.puzzles import make_puzzle

PLACE = Path(__file__).with_name("puzzles.json")
ASTAR = [f"astar:heuristic={heuristic}" for heuristic in HEURISTICS]
THOUSAND = "setcover:items=1000,sets=4000,density=0.002,power=1.5"
SEARCHERS = ("local:", "local:by=ones,", "annealing:", "genetic:islands=4,")
STUDIES = [
    # puzzle, solvers, seeds
    *((f"setcover:items={items},instance=course", ["greedy:by=length", "greedy", *ASTAR, "exact"], 1) for items in (5, 10, 20)),
    ("setcover:items=100,instance=course", ["greedy:by=length", "greedy", "tabu", "genetic:calls=3000", "exact:relaxed=true"], 3),
    (THOUSAND, ["greedy", "annealing:calls=1000", "tabu:calls=1000", "genetic:calls=1000", "exact"], 3),
    *((f"bitstring:order={order}", ["probe"], 11) for order in (1, 2, 5, 10)),
    *((f"bitstring:order={order}", [f"{name}calls=15000" for name in SEARCHERS], 1) for order in (1, 2, 5, 10)),
    # with the tables 8 and 19 the limit of risk binds
    *((f"portfolio:seed={seed}", ["genetic:goal=0", "genetic:goal=0,crossover=one_point"], 11) for seed in (0, 1, 8, 19)),
    *((f"portfolio:seed={seed}", ["genetic:calls=3000", "exact"], 3) for seed in (0, 1, 8, 19)),
]


def summary(puzzle: str, solvers: list[str], seeds: int) -> dict[str, Any]:
    """A study without its trials, and without answers."""
    told = compare(puzzle, solvers, seeds=seeds).document()
    for row in told["solvers"]:
        del row["best"]
        trials = row.pop("trials")
        for name in ("calls", "seconds", told["measure"]):
            found = [trial[name] for trial in trials if trial[name] is not None]
            row[f"{name}_range"] = [min(found), max(found)] if found else None
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


if __name__ == "__main__":
    began = time.perf_counter()
    studies = []
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
    print(json.dumps(covers, indent=1))
