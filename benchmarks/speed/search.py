"""The speed of search and oracles, as `ludus bench search` measures it; medians of five runs.

python -m benchmarks.speed.search             # measures what is missing or out of date
python -m benchmarks.speed.search quarto      # of one game
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ludus.cli.bench import search as bench_search
from ludus.cli.bench.measuring import Measurement, take_measurements

from ..provenance import RULES, Part, Study, medians, of_times, table

RUNS = 5
LINES: dict[str, Callable[[int], Iterator[Measurement]]] = {
    "othello": lambda threads: bench_search.othello(),
    "quarto": lambda threads: bench_search.quarto(),
    "quixo": bench_search.quixo,
    "trees": lambda threads: bench_search.trees(),
}
SHORT = {
    "ffo": "the 35 FFO",
    "ffo40": "FFO #40",
    "quixo4": "4×4: all boards",
    "mcts": "MCTS othello",
    "times": "othello: times OpenSpiel",
    "times-tictactoe": "tictactoe: times OpenSpiel",
}
"""The numbers that sentences mention, by a part of the description."""


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each game, and one for Monte-Carlo trees."""
    return {
        name: of_times(partial(take_measurements, lines, RUNS), partial(take_measurements, lines, 1), medians)
        for name, lines in LINES.items()
    }


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A row for each measurement, and the numbers that sentences mention."""
    rows = [row for those in found.values() for row in those]
    rows.sort(key=lambda row: row["unit"] != "×")  # ratios say more than speeds, which depend on the machine
    cells = [[row["what"], *(quantity(row[name], row["unit"]) for name in ("median", "slowest", "aim"))] for row in rows]
    figures = {"table": table(["what", "median", "slowest", "target"], cells), "runs": str(RUNS)}
    for name, words in SHORT.items():
        figures[name] = next(quantity(row["median"], row["unit"]) for row in rows if words in row["what"])
    return figures


def quantity(value: float | None, unit: str) -> str:
    """A number with a readable unit; empty for None."""
    if value is None:
        return ""
    if unit == "s" and value < 0.1:
        return f"{1000 * value:.2g} ms"
    if unit == "×":
        return f"{value:.1f}"
    if value >= 1e6:
        return f"{value / 1e6:.1f} M {unit}"
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


SOURCES = (
    *RULES,
    "games/evaluation.py",
    "oracles",
    "search",
    "native",
    "cli/bench/search.py",
)
STUDY = Study(__file__, parts, shown, SOURCES, libraries=("numpy", "llvmlite", "open_spiel"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
