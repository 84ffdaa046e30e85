"""Small transformers that examples train: what exact regret teaches one (docs/text.md), and what a model of moves knows
(docs/memory.md).

`python -m benchmarks.strength.transformers` draws the plots of the results."""

from __future__ import annotations

import runpy
import time
from collections.abc import Sequence
from functools import cache, partial
from statistics import fmean, stdev
from typing import Any

import numpy as np

import ludus
from ludus.arena import evaluate
from ludus.arena.report.words import MINUS, percent
from ludus.core.files.writing import write_whole
from ludus.data import games

from .. import RESULTS, ROOT
from ..common import TITLES, counts, table
from ..drawing import Part, as_svg, axis, colour, layer, level, panel
from ..runner import Rows, Study

REGRET, GPT = "exact_regret", "othello_gpt"
"""The examples, the results and the plots of both."""


@cache
def example(name: str) -> dict[str, Any]:
    """What an example defines."""
    import torch

    torch.set_num_threads(1)
    return runpy.run_path(str(ROOT / "examples" / "training" / f"{name}.py"))


# ---- does exact regret teach a small language model more than the results of games?

SEEDS = {"quixo:size=3": 5, "quarto": 5, "tictactoe": 2}
"""How many runs there are of each game and reward."""
REWARDS = {"result": "the game's result", "regret": "regret", "over_floor": "regret over the floor"}
ANSWERS = 200_000
"""The answers that each run learns from. What they lose after that is the primary outcome."""
FLOOR_STEPS = 40
"""Steps whose rewards of random play are averaged."""
REGRET_COLOURS = {"result": "#e45756", "regret": "#4c78a8", "over_floor": "#72b7b2"}
STUDENT = {2: 12.706, 5: 2.776}
"""The 97.5 % quantile of Student's distribution, by the number of runs."""
NAMES = {**TITLES, "quixo:size=3": "3×3 Quixo", "quarto": "late Quarto"}


def regret_cells() -> dict[str, Any]:
    """What random legal moves lose and are rewarded in each game; and each run."""
    floors = {f"{game} random": partial(floor, game) for game in SEEDS}
    runs = {
        run_name(game, reward, seed): partial(run, game, reward, seed)
        for game in SEEDS
        for seed in range(SEEDS[game])
        for reward in REWARDS
    }
    return floors | runs


def run_name(game: str, reward: str, seed: int) -> str:
    """The name of a run's cell."""
    return f"{game} {reward} {seed}"


@cache
def positions(game: str) -> Any:
    """The positions of a game."""
    return example(REGRET)["Positions"](game)


def floor(game: str) -> dict[str, Any]:
    """What random legal moves lose in held-out positions, and how they are rewarded; and the numbers of positions."""
    known, rewards = positions(game), dict[str, float]()
    for reward in REWARDS:
        learning = example(REGRET)["Learning"](known, reward, 0)
        collected = [learning.collect(learning.choose_randomly).rewards for _ in range(FLOOR_STEPS)]
        rewards[reward] = round(float(np.concatenate(collected).mean()), 4)
    return {"lost": round(known.floor, 5), "rewards": rewards, "train": len(known.train), "test": len(known.test)}


def run(game: str, reward: str, seed: int) -> list[list[float]]:
    """The curve of a run: the answers, what they lose in held-out positions, and the share of legal ones."""
    learning = example(REGRET)["learn"](positions(game), reward, seed, ANSWERS, ROOT / "runs" / "exact-regret")
    return [[row["mark"], round(row["lost"], 4), round(row["legal"], 4)] for row in learning.curve]


def interval(values: Sequence[float]) -> str:
    """A mean with its 95 % interval by Student's distribution."""
    half = STUDENT[len(values)] * stdev(values) / len(values) ** 0.5
    return f"{fmean(values):.3f} ({fmean(values) - half:.3f} to {fmean(values) + half:.3f})".replace("-", MINUS)


def last(rows: Rows, game: str, reward: str) -> list[float]:
    """What answers lose at the end of each run."""
    return [rows[run_name(game, reward, seed)][-1][1] for seed in range(SEEDS[game])]


def show_regret(rows: Rows) -> dict[str, str]:
    """The table of what is lost at the end, with the differences between rewards, and that of random play."""
    ends, differences = list[list[str]](), dict[str, str]()
    for game, seeds in SEEDS.items():
        results = last(rows, game, "result")
        for reward, title in REWARDS.items():
            lost = last(rows, game, reward)
            less = [one - other for one, other in zip(lost, results, strict=True)]
            beside = "" if reward == "result" else interval(less)
            differences |= {f"{game}.{reward}": beside} if beside else {}
            first = fmean(rows[run_name(game, reward, seed)][0][1] for seed in range(seeds))
            legal = fmean(rows[run_name(game, reward, seed)][-1][2] for seed in range(seeds))
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


def regret_panels(rows: Rows) -> list[Part]:
    """A plot for each game: what is lost by the answers that were learnt from, with thin lines for runs and thick ones for their
    means, and a broken one for what random moves lose."""
    x = axis("x", "answers learnt from", {"type": "log", "nice": False}, format="~s", values=[1_000, 10_000, 100_000])
    y = axis("y", "value lost by an answer", {"domainMin": 0})
    encoding = {"x": x, "y": y, "color": colour({title: REGRET_COLOURS[reward] for reward, title in REWARDS.items()})}
    runs = layer("line", {**encoding, "detail": {"field": "run"}}, opacity=0.3, size=1)
    means = layer("line", {**encoding, "y": {**y, "aggregate": "mean"}}, size=2.5)
    plots = list[Part]()
    for game, seeds in SEEDS.items():
        points = [
            {"x": max(mark, 1000), "y": lost, "group": title, "run": f"{reward} {seed}"}
            for reward, title in REWARDS.items()
            for seed in range(seeds)
            for mark, lost, _ in rows[run_name(game, reward, seed)]
        ]
        floor = level(rows[f"{game} random"]["lost"])
        plots.append(panel(points, runs, means, floor, width=200, height=200, title=NAMES[game]))
    return plots


# ---- a model over moves: how often its moves are legal, what probes read out of it, how it plays

GAME, STEPS, TESTED, PROBED = "othello:size=6", 9000, 1000, 4000
"""The game, the steps of training, and how many games are tested and probed."""
TRAINED, UNTRAINED, USUAL = "trained", "untrained", "usual at the ply"
SEQUENCE_COLOURS = {TRAINED: "#4c78a8", UNTRAINED: "#f58518", USUAL: "var(--faint)"}


def sequence_cells() -> dict[str, Any]:
    """The training, the probes of each layer, and matches against random; all by the same network."""
    return {
        "training": lambda: train()[1],
        TRAINED: partial(probe, lambda: train()[0]),
        UNTRAINED: partial(probe, untrained),
        USUAL: usual,
        "masked": partial(play, True),
        "unmasked": partial(play, False),
    }


@cache
def some(count: int, seed: int) -> Any:
    """Random games; those of one seed are no others' of another."""
    return games(GAME, count, seed=seed)


def untrained() -> Any:
    """The network before its first step."""
    return example(GPT)["new_net"](ludus.make_game(GAME))


@cache
def train() -> tuple[Any, dict[str, Any]]:
    """The trained network; and its parameters, the processor seconds, and the share of legal moves after so many games."""
    net, batch = untrained(), example(GPT)["BATCH"]
    legal, began = list[list[float]](), time.process_time()

    def measure(step: int) -> None:
        legal.append([step * batch, round(example(GPT)["legal_share"](net, some(TESTED, 1)), 4)])

    example(GPT)["train"](net, some(STEPS * batch, 0), STEPS, measure)
    seconds = round(time.process_time() - began)
    return net, {"parameters": sum(part.numel() for part in net.parameters()), "processor_seconds": seconds, "legal": legal}


def probe(net: Any) -> list[float]:
    """The share of cells that a probe of each layer has right."""
    layers = range(example(GPT)["LAYERS"] + 1)
    return [round(example(GPT)["probe"](net(), layer, some(PROBED, 2), some(TESTED, 1)), 4) for layer in layers]


def usual() -> float:
    """The share of cells that are what they mostly are at their ply."""
    return round(example(GPT)["majority"](some(PROBED, 2), some(TESTED, 1)), 4)


def play(masked: bool) -> dict[str, Any]:
    """A match against random, with its wins, draws and losses, and how many games it lost by an illegal move."""
    game = ludus.make_game(GAME)
    score = evaluate(example(GPT)["GPTPolicy"](game, net=train()[0], masked=masked), game, "random", games=1000)
    return {"score": counts(score), "illegal": int(score.faults[0].sum())}


def show_sequence(rows: Rows) -> dict[str, str]:
    """The shares, and the tables of the probes and of the matches."""
    training, layers = rows["training"], len(rows[TRAINED])
    probes = [[name, *(f"{100 * share:.1f}" for share in shares)] for name, shares in shares_by_layer(rows).items()]
    matches = [
        [which, *map(str, rows[cell]["score"]), str(rows[cell]["illegal"])]
        for which, cell in (("its likeliest legal move", "masked"), ("its likeliest move", "unmasked"))
    ]
    return {
        "legal": f"{100 * training['legal'][-1][1]:.2f} %",
        "games": f"{training['legal'][-1][0]:,}",
        "minutes": f"{training['processor_seconds'] / 60:.0f}",
        "parameters": f"{training['parameters']:,}",
        "tested": f"{TESTED:,}",
        "probes": table(["cells right, %", "moves", *(f"layer {layer}" for layer in range(1, layers))], probes),
        "matches": table(["plays", "won", "drawn", "lost", "of these by an illegal move"], matches),
    }


def shares_by_layer(rows: Rows) -> dict[str, list[float]]:
    """The shares of cells that are right by layer."""
    return {TRAINED: rows[TRAINED], UNTRAINED: rows[UNTRAINED], USUAL: [rows[USUAL]] * len(rows[TRAINED])}


def sequence_panels(rows: Rows) -> list[Part]:
    """The plots: legal moves by games seen, and cells right by layer."""
    legal = [{"x": seen, "y": share, "group": TRAINED} for seen, share in rows["training"]["legal"]]
    right = [
        {"x": layer, "y": share, "group": name}
        for name, shares in shares_by_layer(rows).items()
        for layer, share in enumerate(shares)
    ]
    plots = list[Part]()
    for points, x, y in (
        (legal, "games seen", "likeliest moves that are legal"),
        (right, "layer", "cells that a probe has right"),
    ):
        axes = {"x": axis("x", x, tickCount=4), "y": axis("y", y, {"zero": False}, format=".0%")}
        plots.append(panel(points, layer("line", {**axes, "color": colour(SEQUENCE_COLOURS)}, point=True)))
    return plots


def drawings() -> dict[str, str]:
    """The plots of the committed results, as SVG."""
    regret, gpt = (study.rows() for study in STUDIES)
    return {REGRET: as_svg(regret_panels(regret)), GPT: as_svg(sequence_panels(gpt))}


TORCH = ("numpy", "torch")
STUDIES = (
    Study(RESULTS / f"{REGRET}.json", regret_cells, show_regret, 0, TORCH),
    Study(RESULTS / f"{GPT}.json", sequence_cells, show_sequence, 0, TORCH),
)

if __name__ == "__main__":
    for name, drawing in drawings().items():
        write_whole(ROOT / "docs" / "images" / "training" / f"{name}.svg", drawing.encode())
