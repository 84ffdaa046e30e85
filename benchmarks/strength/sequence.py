"""A small transformer over moves: how often its moves are legal, what probes read out of it, how it plays. Shown in docs/memory.md.

The transformer, its training and its probes are those of examples/training/othello_gpt.py. `python -m benchmarks.strength.sequence`
draws the plot of the result.
"""

from __future__ import annotations

import runpy
import time
from functools import cache, partial
from typing import Any

import ludus
from ludus.arena import evaluate
from ludus.core.files.writing import write_whole
from ludus.data import games

from .. import RESULTS, ROOT
from ..common import counts, table
from ..drawing import Part, as_svg, axis, colour, layer, panel
from ..runner import Rows, Study

GAME, STEPS, TESTED, PROBED = "othello:size=6", 9000, 1000, 4000
"""The game, the steps of training, and how many games are tested and probed."""
PICTURE = ROOT / "docs" / "images" / "training" / "othello_gpt.svg"
TRAINED, UNTRAINED, USUAL = "trained", "untrained", "usual at the ply"
COLOURS = {TRAINED: "#4c78a8", UNTRAINED: "#f58518", USUAL: "var(--faint)"}


def cells() -> dict[str, Any]:
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
def example() -> dict[str, Any]:
    """What the example defines."""
    import torch

    torch.set_num_threads(1)
    return runpy.run_path(str(ROOT / "examples" / "training" / "othello_gpt.py"))


@cache
def some(count: int, seed: int) -> Any:
    """Random games; those of one seed are no others' of another."""
    return games(GAME, count, seed=seed)


def untrained() -> Any:
    """The network before its first step."""
    return example()["new_net"](ludus.make_game(GAME))


@cache
def train() -> tuple[Any, dict[str, Any]]:
    """The trained network; and its parameters, the processor seconds, and the share of legal moves after so many games."""
    net, batch = untrained(), example()["BATCH"]
    legal, began = list[list[float]](), time.process_time()

    def measure(step: int) -> None:
        legal.append([step * batch, round(example()["legal_share"](net, some(TESTED, 1)), 4)])

    example()["train"](net, some(STEPS * batch, 0), STEPS, measure)
    seconds = round(time.process_time() - began)
    return net, {"parameters": sum(part.numel() for part in net.parameters()), "processor_seconds": seconds, "legal": legal}


def probe(net: Any) -> list[float]:
    """The share of cells that a probe of each layer has right."""
    layers = range(example()["LAYERS"] + 1)
    return [round(example()["probe"](net(), layer, some(PROBED, 2), some(TESTED, 1)), 4) for layer in layers]


def usual() -> float:
    """The share of cells that are what they mostly are at their ply."""
    return round(example()["majority"](some(PROBED, 2), some(TESTED, 1)), 4)


def play(masked: bool) -> dict[str, Any]:
    """A match against random, with its wins, draws and losses, and how many games it lost by an illegal move."""
    game = ludus.make_game(GAME)
    score = evaluate(example()["GPTPolicy"](game, net=train()[0], masked=masked), game, "random", games=1000)
    return {"score": counts(score), "illegal": int(score.faults[0].sum())}


def show(rows: Rows) -> dict[str, str]:
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


def panels(rows: Rows) -> list[Part]:
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
        plots.append(panel(points, layer("line", {**axes, "color": colour(COLOURS)}, point=True)))
    return plots


def drawing() -> str:
    """The plots of the committed result, as SVG."""
    return as_svg(panels(SEQUENCE.rows()))


SEQUENCE = Study(RESULTS / "othello_gpt.json", cells, show, 0, libraries=("numpy", "torch"))
STUDIES = (SEQUENCE,)

if __name__ == "__main__":
    write_whole(PICTURE, drawing().encode())
