"""The ten settings of the original genetic algorithm for the portfolio puzzle, as a table and a plot.

python portfolio_settings.py --seeds 3
"""

import argparse
from pathlib import Path
from statistics import mean

from ludus.puzzles import make_puzzle, make_solver
from ludus.puzzles.portfolio import ORIGINAL_SETTINGS

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--seeds", type=int, default=3, help="number of runs of each setting")
parser.add_argument("--generations", type=int, default=1000, help="maximum number of generations")
chosen = parser.parse_args()

puzzle = make_puzzle("portfolio:smallest=0.00025")  # path=stocks.csv for your own stocks
print("population  crossing  mutation  carry  original generations  here, by seed")
found: list[list[float]] = []
for row in ORIGINAL_SETTINGS:
    breeder = make_solver(f"{row.spec},generations={chosen.generations}", puzzle)
    runs = [breeder.solve(seed) for seed in range(chosen.seeds)]
    ends = [run.counts["generations"] for run in runs]
    found.append([end for end in ends if end < chosen.generations])
    there = "none found" if row.generations is None else f"{row.generations:g}"
    here = ", ".join(f"{end:g}" if end < chosen.generations else "none found" for end in ends)
    print(f"{row.population:10}  {row.crossing:8g}  {row.mutation:8g}  {row.carry:5}  {there:>17}  {here}")

try:
    from matplotlib.figure import Figure
except ImportError:
    raise SystemExit("for the picture: pip install matplotlib") from None
figure = Figure(figsize=(7, 4), layout="constrained")
axis = figure.add_subplot()
places = range(len(ORIGINAL_SETTINGS))
axis.barh([place - 0.2 for place in places], [row.generations or 0 for row in ORIGINAL_SETTINGS], 0.4, label="there, mean of three")
axis.barh([place + 0.2 for place in places], [mean(kept) if kept else 0 for kept in found], 0.4, label="here, mean")
axis.set_yticks(places, [f"({row.population}, {row.crossing:g}, {row.mutation:g}, {row.carry})" for row in ORIGINAL_SETTINGS])
axis.invert_yaxis()
axis.set_xscale("symlog", linthresh=10)
axis.set_xlabel("generations until the rules are kept (no bar: never)")
axis.legend()
place = Path("portfolio_settings.png")
figure.savefig(place, dpi=100)
print(f"The plot: {place}")
