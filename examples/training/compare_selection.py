"""Tournament against roulette and rank selection: the same evolution for Nim three times, in one plot."""

import argparse
from pathlib import Path

from ludus.baselines.runs.plots import plot_populations
from ludus.baselines.runs.training import train

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("generations", nargs="?", type=int, default=60)
generations = arguments.parse_args().generations
histories = {}
for selection in ("tournament", "roulette", "rank"):
    run = train("evolved_preference", "nim", seed=1, generations=generations, selection=selection)
    histories[selection] = run.trainer.history
    best, mean, diversity = histories[selection][-1]
    print(f"{selection:10}  best {best:5.1f}, mean {mean:5.1f} of 100 points, diversity {diversity:.3f}")

if picture := plot_populations(histories, f"what to prefer in Nim, {generations} generations"):
    Path("selection.png").write_bytes(picture)
    print("The plot: selection.png")
