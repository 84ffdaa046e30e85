"""What it is worth in Quixo to remember positions, so that games do not run in circles. Shown in docs/training.md.

python -m benchmarks.strength.circles              # trains and plays what is missing or out of date
"""

from __future__ import annotations

import argparse
import time
from functools import cache, partial
from typing import Any

import ludus
from ludus.agents.policy import Policy
from ludus.arena import evaluate
from ludus.arena.ratings.intervals import wilson
from ludus.baselines import train
from ludus.baselines.runs.measure import Measure
from ludus.baselines.runs.run import Run

from ..provenance import MATCHES, Part, Study, counts, table

SEEDS, GAMES, FEW = (1, 2), 200, 4
"""The seeds of trainings and matches, the games with each, half of them from each seat; and those of a short rerun."""
TRAINED = 60_000
OPPONENT = "minimax:depth=5"
POLICIES = (
    "td_ntuple:depth=3,repeats=false",
    "td_ntuple:depth=3",
    "td_ntuple:depth=5",
    "alphazero:simulations=100,repeats=false",
    "alphazero:simulations=100",
)


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each policy and seed."""
    return {
        f"{spec}, seed {seed}": Part(partial(played, spec, seed), partial(again, spec, seed)) for spec in POLICIES for seed in SEEDS
    }


def played(spec: str, seed: int) -> dict[str, Any]:
    """The score of a match and of its first games, and its seconds."""
    first = score(spec, seed, FEW)  # trains and compiles, too, which is not timed
    began = time.perf_counter()
    found = score(spec, seed, GAMES)
    return {"score": found, "first": first, "seconds": round(time.perf_counter() - began, 1)}


def again(spec: str, seed: int, kept: dict[str, Any]) -> tuple[Any, Any]:
    """The score of the first games, as stored and now."""
    return kept["first"], score(spec, seed, FEW)


def score(spec: str, seed: int, games: int) -> list[int]:
    """Wins, draws and losses of a policy."""
    return counts(evaluate(player(spec, seed), "quixo", OPPONENT, games, seed=seed))


def player(spec: str, seed: int) -> Policy:
    """The policy: of n-tuples that were trained with the seed, or as the package has it."""
    name, _, settings = spec.partition(":")
    if name != "td_ntuple":
        return ludus.make_policy(spec, "quixo")
    run, options = trained(seed), dict(one.split("=") for one in settings.split(","))
    return run.trainer.policy_of(run.plan.game, run.plan.settings, run.trainer.learnt(), **options)


@cache
def trained(seed: int) -> Run:
    """N-tuples after a part of the preset's games."""
    return train("td_ntuple", "quixo", seed=seed, games=TRAINED, preset="quixo", measure=Measure(every="never"))


def shown(found: dict[str, Any]) -> dict[str, str]:
    """The table of the page, and the number of games of the training."""
    rows = list[list[str]]()
    for spec in POLICIES:
        matches = [found[name] for seed in SEEDS if (name := f"{spec}, seed {seed}") in found]
        if not matches:
            continue
        wins, draws, losses = map(sum, zip(*(one["score"] for one in matches), strict=True))
        games, points, seconds = wins + draws + losses, wins + draws / 2, sum(one["seconds"] for one in matches)
        share, least = f"{100 * points / games:.1f} %", f"{100 * wilson(points, games)[0]:.1f} %"
        rows.append([f"`{spec}`", f"{wins}, {draws}, {losses}", share, least, f"{seconds:,.0f}"])
    heads = ["policy", "wins, draws, losses", "points", "at least", "seconds"]
    return {"table": table(heads, rows, align="llrrr"), "games": f"{TRAINED:,}"}


SOURCES = (
    *("agents", "search/alphabeta", "search/mcts", "baselines/ntuples"),
    *("baselines/alphazero/networks", "games/quixo/rules.py"),
)
STUDY = Study(__file__, parts, shown, (*MATCHES, *SOURCES), SEEDS[0], ("numpy", "llvmlite", "torch"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
