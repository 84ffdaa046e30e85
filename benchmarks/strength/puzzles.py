"""Solvers of the one-player puzzles: all figures of docs/puzzles.md; and those of earlier projects, as presets, with their reported
results (docs/classics.md)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from math import inf
from statistics import mean, median
from typing import Any

import numpy as np

from ludus.arena.report.words import percent
from ludus.puzzles import make_puzzle, make_solver
from ludus.puzzles.comparison import compare
from ludus.puzzles.portfolio import ORIGINAL_SETTINGS
from ludus.puzzles.puzzle import Puzzle
from ludus.puzzles.searches import HEURISTICS

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study
from ..seeds import HEADS, summarise

# ---- what the solvers come to

Lookup = Callable[[str, str], dict[str, Any]]
ASTAR = [f"astar:heuristic={heuristic}" for heuristic in HEURISTICS]
COURSE, HUNDRED = (5, 10, 20), "setcover:items=100,instance=course"
THOUSANDS = [f"setcover:items=1000,sets=4000,density={density},power=1.5" for density in (0.002, 0.003)]
SEARCHES = ["greedy", "annealing:calls=3000", "genetic:calls=3000", "tabu:calls=3000", "exact"]
STRING_ORDERS = (1, 2, 5, 10)
STRING = [f"{name}calls=15000" for name in ("local:", "local:by=ones,", "annealing:")]
PORTFOLIOS = {0: "", 1: "", 2: ", the limit of risk binds", 11: ", likewise"}
PAIRS = [
    (puzzle, solver, seeds)
    for puzzles, solvers, seeds in (
        ([f"setcover:items={items},instance=course" for items in COURSE], ["greedy:by=length", "greedy", *ASTAR, "exact"], 1),
        ([HUNDRED], ["greedy:by=length", "greedy", "tabu", "genetic:calls=3000", "exact:relaxed=true"], 3),
        (THOUSANDS, SEARCHES, 3),
        ([f"bitstring:order={order}" for order in STRING_ORDERS], ["probe"], 11),
        ([f"bitstring:order={order}" for order in STRING_ORDERS], STRING, 1),
        ([f"portfolio:seed={seed}" for seed in PORTFOLIOS], ["genetic:goal=0", "genetic:goal=0,crossover=one_point"], 11),
        ([f"portfolio:seed={seed}" for seed in PORTFOLIOS], ["genetic:calls=3000", "exact", "exact:relaxed=true"], 3),
    )
    for puzzle in puzzles
    for solver in solvers
]
"""What is measured: each solver of each puzzle, with so many seeds."""


def solver_cells() -> dict[str, Any]:
    """A cell for each solver of each puzzle, and one for A* on random covers."""
    solved = {f"{puzzle} {solver}": partial(compare_seeds, puzzle, solver, seeds) for puzzle, solver, seeds in PAIRS}
    return {**solved, "covers": partial(random_covers, 100)}


def compare_seeds(puzzle: str, solver: str, seeds: int) -> dict[str, Any]:
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
        puzzles = [*islice(coverable(f"setcover:items=20,sets=40,density=0.2,power={power}"), count)]
        best = np.array([make_solver("exact", puzzle).solve().worth for puzzle in puzzles])
        for solver in ASTAR:
            results = [make_solver(solver, puzzle).solve() for puzzle in puzzles]
            nodes = int(sum(result.counts["nodes"] for result in results))
            wrong = int((np.array([result.worth for result in results]) < best - 1e-6).sum())
            document[f"power={power:g}, {solver}"] = {"instances": count, "nodes": nodes, "not_the_best": wrong}
    return document


def coverable(spec: str) -> Iterator[Puzzle]:
    """The instances of a set cover, by the seeds from 0 on, in which each item is in a set."""
    for seed in itertools.count():
        with suppress(ValueError):
            yield make_puzzle(f"{spec},seed={seed}")


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
        [str(order), f"**{spread_of(found(puzzle, 'probe'), 'calls')}**", *(in_calls(found(puzzle, solver)) for solver in STRING)]
        for order in STRING_ORDERS
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
                spread_of(first, "generations"),
                f"{first['seconds']:.2f} ({least:.2f} to {most:.2f})",
                *(f"{value:.3f}" for value in returns),
                percent(1 - bred["return"] / exact["return"]),
            ]
        )
    yield table(["table", "generations", "seconds", "best return", "linear program", "bred", "below the best"], rows)


def spread_of(row: dict[str, Any], name: str) -> str:
    """A median, and the range if there is one."""
    return spread([row[name], *row[f"{name}_range"]], ".0f")


def in_nodes(counts: dict[str, int]) -> str:
    """Nodes, and the number of instances whose cover was not optimal."""
    return f"{counts['nodes']:,}" + (f", {counts['not_the_best']} not the best" if counts["not_the_best"] else "")


def in_calls(row: dict[str, Any]) -> str:
    """Calls until the value was 1; or the value reached."""
    return f"value {row['value']:.3f}" if row["calls_to_goal"] is None else f"{row['calls_to_goal']:,.0f}"


def show_solvers(rows: Rows) -> dict[str, str]:
    """The tables of docs/puzzles.md."""
    names = "course", "covers", "thousand", "hundred", "strings", "portfolios"
    return dict(zip(names, tables(lambda puzzle, solver: rows[f"{puzzle} {solver}"], rows["covers"]), strict=True))


# ---- the solvers of earlier projects

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
STRATEGIES = {
    "bitstring:order=5": (*("tabu:calls=30000", "annealing", "genetic", "local", PRESET),),
    "setcover:items=100,instance=course": (*("tabu", "annealing:calls=3000", "genetic:calls=3000"),),
}
"""Searches that are compared."""


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
    compared = [(puzzle, solver) for puzzle, solvers in STRATEGIES.items() for solver in solvers]
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
    found = {solver: [make_solver(solver, puzzle).solve() for puzzle in puzzles] for solver in (STEPS, "astar")}
    worse = sum(one.worth < best.worth for one, best in zip(found[STEPS], found["astar"], strict=True))
    return {solver: [int(one.counts["nodes"]) for one in results] for solver, results in found.items()} | {"worse": worse}


# ---- figures


def calls(found: list[dict[str, Any]]) -> str:
    """Calls until the value is 1, as median and range; or the value reached."""
    if min(one["worth"] for one in found) == 1:
        return f"{spread([one['calls'] for one in found])} calls"
    return f"value {spread([one['worth'] for one in found], '.2f')}"


def ended(found: list[dict[str, Any]]) -> list[float]:
    """The last generation of each portfolio search; infinity if no portfolio satisfied the constraints."""
    counted = [one["counts"]["generations"] for one in found]
    return [inf if generation == LAST else generation for generation in counted]


def generations(found: list[dict[str, Any]]) -> str:
    """The mean number of generations until a portfolio satisfies the constraints, as in the original, and that of each seed."""
    each = ended(found)
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


def reached(found: dict[str, Any]) -> str:
    """How much single runs vary: a row for each order at which the original did not find the perfect string."""
    rows = list[list[str]]()
    for order, value in REACHED.items():
        worths = [found[f"single bitstring:order={order} {solver}"] for solver in (PRESET, TEN)]
        counted = [sum(worth >= value - 0.005 for worth in each) for each in worths]
        cells = [f"{spread(each, '.2f')}; {count}" for each, count in zip(worths, counted, strict=True)]
        rows.append([str(order), f"{value:g}", *cells])
    return table(["order", "there", f"`{PRESET}`", f"`{TEN}`"], rows)


def strings(found: dict[str, Any]) -> str:
    """The bit string: a row for each order."""
    rows = [
        [str(order), there, *(calls(found[f"bitstring:order={order} {solver}"]) for solver in (PRESET, TEN, OURS))]
        for order, there in ORDERS.items()
    ]
    return table(["order", "there", f"`{PRESET}`", f"`{TEN}`", f"`{OURS}`"], rows)


def selected(found: dict[str, Any]) -> str:
    """Strings bred by fitness and by ones: rows for each order."""
    rows = [
        [str(order), by, f"{there:g}", *summarise([found[f"bred bitstring:order={order} {BREEDERS[by]}"]]).cells("{:.3f}".format)]
        for order, *reported in zip(ORDERS, *SELECTED.values(), strict=True)
        for by, there in zip(SELECTED, reported, strict=True)
    ]
    return table(["order", "selected by", "there", *HEADS], rows, "rlr")


def portfolios(found: dict[str, Any]) -> str:
    """The portfolio: a row for each of the ten settings."""
    rows = [
        [
            *(f"{value:g}" for value in (row.population, row.crossing, row.mutation, row.carry)),
            "none found" if row.generations is None else f"{row.generations:g}",
            *(generations(found[f"{STOCKS} {row.spec}{reading}"]) for reading in READINGS),
        ]
        for row in ORIGINAL_SETTINGS
    ]
    return table(["population", "crossing", "mutation", "carry", "generations there", "here", "`repair=threshold`"], rows)


def strategies(puzzle: str, found: dict[str, Any]) -> str:
    """Searches of one puzzle, as medians of three seeds."""
    made, rows = make_puzzle(puzzle), list[list[str]]()
    for solver in STRATEGIES[puzzle]:
        tries = found[f"{puzzle} {solver}"]
        best = median(made.to_measure(one["worth"]) for one in tries)
        counted = [median(one["counts"][name] for one in tries) for name in ("best_generation", "generations", "population")]
        first, last, size = (f"{count:,.0f}" for count in counted)
        rows.append([f"`{solver}`", f"{best:.4g}", first, last, f"{median(one['calls'] for one in tries):,.0f}", size])
    return table(["strategy", made.measure, "generation of the best", "generations", "calls", "population"], rows)


def show_originals(found: Rows) -> dict[str, str]:
    """The tables of docs/classics.md, and cells of its rows."""
    order = {solver: [calls(found[f"bitstring:order={order} {solver}"]) for order in ORDERS] for solver in (PRESET, TEN, OURS)}
    command = f"`ludus puzzle bitstring:order=2 --solvers {{}} --seeds {SEEDS}`"
    there, here, ours = (row_of("order", ORDERS, values) for values in (ORDERS.values(), order[PRESET], order[OURS]))
    first, own = found[f"{STOCKS} {ORIGINAL_SETTINGS[0].spec}"], found[f"{STOCKS} {BRED}"]
    bred = [one for row in ORIGINAL_SETTINGS for one in found[f"{STOCKS} {row.spec}"]]
    stopped = [one for one in bred if ended([one]) != [inf]]
    reported = f"{ORIGINAL_SETTINGS[0].generations:g} generations (mean of three)"
    breeding = f"`ludus puzzle {STOCKS} --solvers {{}} --seeds {SEEDS}`"
    return {
        "bit-string": f"{there} | {here} | {command.format(PRESET)}",
        "bit-string.ours": f"{ours} | {command.format(OURS)}",
        "searches": searches(found),
        "portfolio": f"{reported} | {spread(ended(first))} generations | {breeding.format('genetic:preset=original')}",
        "portfolio.ours": f"{spread(ended(own))} generations | {breeding.format(BRED)}",
        "selecting": "in the table below | in the table below | "
        f"`ludus puzzle bitstring:order=2 --solvers {' '.join(BREEDERS.values())} --seeds {RUNS}`",
        "strings": strings(found),
        "selected": selected(found),
        "cover": f"{spread(found['covers'][STEPS])} nodes | `ludus puzzle {COVER},seed=42 --solvers {STEPS}`",
        "cover.ours": f"{spread(found['covers']['astar'])} nodes | `ludus puzzle {COVER},seed=42 --solvers astar`",
        "covers": str(COVERS),
        "covers.worse": str(found["covers"]["worse"]),
        "single": str(SINGLE),
        "reached": reached(found),
        "portfolios": portfolios(found),
        "portfolios.ended": str(len(stopped)),
        "portfolios.kept": str(sum(one["worth"] >= 0 for one in stopped)),
        **{f"{puzzle.partition(':')[0]}-strategies": strategies(puzzle, found) for puzzle in STRATEGIES},
    }


def searches(found: dict[str, Any]) -> str:
    """The cells of searches that the projects tried on bit strings, at order 5, without reported figures."""
    puzzle = "bitstring:order=5"
    tried = [solver for solver in STRATEGIES[puzzle] if not solver.startswith("local")]
    values = [calls(found[f"{puzzle} {solver}"]) for solver in tried]
    here = "<br>".join(f"`{solver}`: {value}" for solver, value in zip(tried, values, strict=True))
    return f"not reported | {here} | `ludus puzzle {puzzle} --solvers {' '.join(tried)} --seeds {SEEDS}`"


def row_of(what: str, names: Any, values: Any) -> str:
    """A cell with one line per value."""
    return "<br>".join(f"{what} {name}: {value}" for name, value in zip(names, values, strict=True))


STUDIES = (
    Study(RESULTS / "puzzles.json", solver_cells, show_solvers, 0, ("numpy", "scipy", "deap")),
    Study(RESULTS / "puzzle_originals.json", original_cells, show_originals, 0, ("numpy", "deap")),
)
