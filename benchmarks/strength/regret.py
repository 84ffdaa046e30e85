"""Does exact regret teach a small language model more than the results of games? Shown in docs/text.md.

The transformer and its training are those of examples/training/exact_regret.py; runs are kept in runs/exact-regret, and go on where
they stopped. `python -m benchmarks.strength.regret` draws the plot of the result.
"""

from __future__ import annotations

import runpy
from collections.abc import Sequence
from functools import cache, partial
from statistics import fmean, stdev
from typing import Any

import numpy as np

from ludus.arena.report.words import MINUS, percent
from ludus.core.files.writing import write_whole

from .. import RESULTS, ROOT
from ..common import TITLES, table
from ..drawing import Part, as_svg, axis, colour, layer, level, panel
from ..runner import Rows, Study

SEEDS = {"quixo:size=3": 5, "quarto": 5, "tictactoe": 2}
"""How many runs there are of each game and reward."""
REWARDS = {"result": "the game's result", "regret": "regret", "over_floor": "regret over the floor"}
ANSWERS = 200_000
"""The answers that each run learns from. What they lose after that is the primary outcome."""
STEPS = 40
"""Steps whose rewards of random play are averaged."""
COLOURS = {"result": "#e45756", "regret": "#4c78a8", "over_floor": "#72b7b2"}
STUDENT = {2: 12.706, 5: 2.776}
"""The 97.5 % quantile of Student's distribution, by the number of runs."""
PICTURE = ROOT / "docs" / "images" / "training" / "exact_regret.svg"
NAMES = {**TITLES, "quixo:size=3": "3×3 Quixo", "quarto": "late Quarto"}


def cells() -> dict[str, Any]:
    """What random legal moves lose and are rewarded in each game; and each run."""
    floors = {f"{game} random": partial(floor, game) for game in SEEDS}
    runs = {
        name(game, reward, seed): partial(run, game, reward, seed)
        for game in SEEDS
        for seed in range(SEEDS[game])
        for reward in REWARDS
    }
    return floors | runs


def name(game: str, reward: str, seed: int) -> str:
    """The name of a run's cell."""
    return f"{game} {reward} {seed}"


@cache
def example() -> dict[str, Any]:
    """What the example defines."""
    import torch

    torch.set_num_threads(1)
    return runpy.run_path(str(ROOT / "examples" / "training" / "exact_regret.py"))


@cache
def positions(game: str) -> Any:
    """The positions of a game."""
    return example()["Positions"](game)


def floor(game: str) -> dict[str, Any]:
    """What random legal moves lose in held-out positions, and how they are rewarded; and the numbers of positions."""
    known, rewards = positions(game), dict[str, float]()
    for reward in REWARDS:
        learning = example()["Learning"](known, reward, 0)
        collected = [learning.collect(learning.choose_randomly).rewards for _ in range(STEPS)]
        rewards[reward] = round(float(np.concatenate(collected).mean()), 4)
    return {"lost": round(known.floor, 5), "rewards": rewards, "train": len(known.train), "test": len(known.test)}


def run(game: str, reward: str, seed: int) -> list[list[float]]:
    """The curve of a run: the answers, what they lose in held-out positions, and the share of legal ones."""
    learning = example()["learn"](positions(game), reward, seed, ANSWERS, ROOT / "runs" / "exact-regret")
    return [[row["mark"], round(row["lost"], 4), round(row["legal"], 4)] for row in learning.curve]


def interval(values: Sequence[float]) -> str:
    """A mean with its 95 % interval by Student's distribution."""
    half = STUDENT[len(values)] * stdev(values) / len(values) ** 0.5
    return f"{fmean(values):.3f} ({fmean(values) - half:.3f} to {fmean(values) + half:.3f})".replace("-", MINUS)


def last(rows: Rows, game: str, reward: str) -> list[float]:
    """What answers lose at the end of each run."""
    return [rows[name(game, reward, seed)][-1][1] for seed in range(SEEDS[game])]


def show(rows: Rows) -> dict[str, str]:
    """The table of what is lost at the end, with the differences between rewards, and that of random play."""
    ends, differences = list[list[str]](), dict[str, str]()
    for game, seeds in SEEDS.items():
        results = last(rows, game, "result")
        for reward, title in REWARDS.items():
            lost = last(rows, game, reward)
            less = [one - other for one, other in zip(lost, results, strict=True)]
            beside = "" if reward == "result" else interval(less)
            differences |= {f"{game}.{reward}": beside} if beside else {}
            first = fmean(rows[name(game, reward, seed)][0][1] for seed in range(seeds))
            legal = fmean(rows[name(game, reward, seed)][-1][2] for seed in range(seeds))
            cells = [f"{first:.3f}", interval(lost), beside, percent(legal)]
            ends.append([NAMES[game], title, str(seeds), *cells])
    floors = list[list[str]]()
    for game in SEEDS:
        random = rows[f"{game} random"]
        counts, rewards = (
            (f"{random[name]:,}" for name in ("train", "test")),
            (f"{random['rewards'][reward]:.2f}" for reward in REWARDS),
        )
        floors.append([NAMES[game], *counts, f"{random['lost']:.3f}", *rewards])
    heads = ["game", "reward", "runs", "lost at first", "lost at the end", "beside the game's result", "legal"]
    return {
        "answers": f"{ANSWERS:,}",
        "ends": table(heads, ends, "llr"),
        "floors": table(["game", "positions to learn from", "held out", "random moves lose", *REWARDS.values()], floors),
        **differences,
    }


def panels(rows: Rows) -> list[Part]:
    """A plot for each game: what is lost by the answers that were learnt from, with thin lines for runs and thick ones for their
    means, and a broken one for what random moves lose."""
    x = axis("x", "answers learnt from", {"type": "log", "nice": False}, format="~s", values=[1_000, 10_000, 100_000])
    y = axis("y", "value lost by an answer", {"domainMin": 0})
    encoding = {"x": x, "y": y, "color": colour({title: COLOURS[reward] for reward, title in REWARDS.items()})}
    runs = layer("line", {**encoding, "detail": {"field": "run"}}, opacity=0.3, size=1)
    means = layer("line", {**encoding, "y": {**y, "aggregate": "mean"}}, size=2.5)
    plots = list[Part]()
    for game, seeds in SEEDS.items():
        points = [
            {"x": max(mark, 1000), "y": lost, "group": title, "run": f"{reward} {seed}"}
            for reward, title in REWARDS.items()
            for seed in range(seeds)
            for mark, lost, _ in rows[name(game, reward, seed)]
        ]
        floor = level(rows[f"{game} random"]["lost"])
        plots.append(panel(points, runs, means, floor, width=200, height=200, title=NAMES[game]))
    return plots


def drawing() -> str:
    """The plots of the committed result, as SVG."""
    return as_svg(panels(REGRET.rows()))


REGRET = Study(RESULTS / "exact_regret.json", cells, show, 0, libraries=("numpy", "torch"))
STUDIES = (REGRET,)

if __name__ == "__main__":
    write_whole(PICTURE, drawing().encode())
