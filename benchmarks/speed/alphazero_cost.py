"""The cost of AlphaZero: how fast one core plays and learns. Shown in docs/alphazero.md.

python -m benchmarks.speed.alphazero_cost            # measures what is missing or out of date
python -m benchmarks.speed.alphazero_cost quixo      # of one game
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import ludus

from ..provenance import RULES, Part, Study, of_times, table

EXAMPLE = Path(__file__).parents[2] / "examples" / "training" / "alphazero_cost.py"
GAMES = [("quarto", "Quarto", 32), ("quixo", "Quixo", 32), ("othello:size=6", "Othello 6×6", 32), ("othello", "Othello", 64)]
PRINTED = {"network": r"([\d,]+) evaluations/s", "play": r"([\d,]+) simulations/s", "learn": r"([\d,]+) positions/s"}
BATCH, ROUNDS = 256, 5
LONG, PASSES = 60_000_000, 4
"""The positions of a full run of Othello, and how often each is used for learning."""


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each game, and one for the network optimised for inference."""
    found = dict[str, Part]()
    for game, _, simulations in GAMES:
        whole, short = (partial(measured, game, simulations, rounds) for rounds in (ROUNDS, 1))
        found[game] = of_times(whole, short, dict)
    return {**found, "optimised": of_times(optimised, optimised, dict)}


def measured(game: str, simulations: int, rounds: int) -> dict[str, float]:
    """Per second of processor time: evaluations, simulations in self-play, and positions learnt from."""
    command = [sys.executable, EXAMPLE, game, "--simulations", str(simulations), "--boards", str(BATCH), "--rounds", str(rounds)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return {name: float(re.findall(pattern, printed)[0].replace(",", "")) for name, pattern in PRINTED.items()}


def optimised() -> dict[str, float]:
    """The speed-up of each game's network by optimising it for inference, as median of rounds in turn."""
    import torch

    from ludus.baselines.alphazero.alphazero import AlphaZero
    from ludus.baselines.alphazero.networks.evaluator import Evaluator
    from ludus.baselines.alphazero.settings import AlphaZeroSettings
    from ludus.baselines.runs.networks import torch_threads, weights_of

    found = dict[str, float]()
    for spec, _, _ in GAMES:
        game, settings = ludus.make_game(spec), AlphaZeroSettings(blocks=4, channels=32)
        weights = weights_of(AlphaZero(game, settings, seed=0).learner.net)
        networks = [Evaluator(game, settings.shape, weights, fast).network for fast in (False, True)]
        planes = torch.zeros(BATCH, *game.shape)
        with torch_threads(1), torch.inference_mode():
            rounds = [[seconds(network, planes) for network in networks] for _ in range(ROUNDS + 1)][1:]
        found[spec] = statistics.median(plain / fast for plain, fast in rounds)
    return found


def seconds(network: Any, planes: Any) -> float:
    """Processor time of some evaluations."""
    began = time.process_time()
    for _ in range(20):
        network(planes)
    return time.process_time() - began


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A row for each game, and the hours of a full run of Othello."""
    rows = list[list[str]]()
    for game, title, simulations in GAMES:
        if one := found.get(game):
            share = f"{100 * one['play'] / one['network']:.0f} %"
            rates = f"{one['network']:,.0f}", f"{one['play']:,.0f}", share, f"{one['learn']:,.0f}"
            rows.append([f"{title}, {simulations} simulations", *rates])
    heads = ["", "the network alone, evaluations/s", "games against itself, simulations/s", "of that", "learning, positions/s"]
    figures = {"table": table(heads, rows)}
    if times := found.get("optimised", {}).values():
        figures["optimised"] = f"{min(times):.1f} to {max(times):.1f}"
    if one := found.get("othello"):
        play, learn = LONG * 64 / one["play"] / 3600, LONG * PASSES / one["learn"] / 3600
        figures |= {"play": f"{play:.0f}", "learn": f"{learn:.0f}", "both": f"{(play + learn) / 2:.0f}"}
        figures |= {"play.rate": f"{one['play']:,.0f}", "learn.rate": f"{one['learn']:,.0f}"}
    return figures


SOURCES = (
    *RULES,
    "search",
    "baselines/alphazero/alphazero.py",
    "baselines/alphazero/networks/evaluator.py",
    "baselines/alphazero/networks/residual.py",
    "baselines/alphazero/selfplay",
    "examples/training/alphazero_cost.py",
)
STUDY = Study(__file__, parts, shown, SOURCES, 0, ("numpy", "llvmlite", "torch"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
