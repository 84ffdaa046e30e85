"""What single changes of AlphaZero's training are worth to its network. Shown in docs/alphazero.md.

python -m benchmarks.strength.changes             # trains what is missing or out of date
python -m benchmarks.strength.changes quixo       # of one game

Short trainings of small networks differ in one thing each.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import Any

from ludus.baselines import train
from ludus.baselines.runs.measure import Measure

from ..provenance import RULES, Part, Study, oracle_sources, table, without_seconds

SEEDS = 1, 2
SMALL: dict[str, Any] = {"blocks": 2, "channels": 16, "simulations": 16, "positions": 40_960}
"""Smaller networks, searches and runs than those that are shipped."""
LONGEST = {"quixo": 60, "quarto": 24, "othello:size=6": 24}
"""The games, and the most random plies of a game that begins near its end."""
PLAIN: dict[str, Any] = {
    "lines": False,
    "first_simulations": None,
    "long_openings": 0,
    "long_share": 0.0,
    "exact_share": 0.0,
    "lesson_share": 0.0,
    "ending_weight": 0.0,
}
"""All changes off, whatever the preset has."""
USUAL = "none of these"


def changes(game: str) -> dict[str, dict[str, Any]]:
    """The settings that differ from those of all, by what the change is called."""
    return {
        USUAL: {},
        f"half of the games begin with up to {LONGEST[game]} random plies": {"long_openings": LONGEST[game], "long_share": 0.5},
        "blocks see lines": {"lines": True},
        "simulations grow from 4": {"first_simulations": 4},
        "an extra head says what each cell will hold at the end": {"ending_weight": 4.0},
        "the oracle gives the targets of half of the positions": {"exact_share": 0.5},
        "as many lessons as positions, where the oracle knows them": {"long_openings": LONGEST[game], "lesson_share": 0.5},
    }


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each training."""
    return {
        name_of(game, change, seed): Part(
            partial(trained, game, settings, seed), partial(again, game, settings, seed), (*OWN, *oracle_sources(game))
        )
        for game in LONGEST
        for change, settings in changes(game).items()
        for seed in SEEDS
    }


def name_of(game: str, change: str, seed: int) -> str:
    """The name of a training."""
    return f"{game}, {change}, seed {seed}"


def trained(game: str, settings: dict[str, Any], seed: int) -> dict[str, Any]:
    """The strength without search of what was learnt, and the seconds of processor that learning took."""
    from tools.networks import without_search

    began = time.process_time()
    run = train("alphazero", game, seed=seed, measure=Measure(every="never"), **SMALL, **PLAIN | settings)
    policy: Any = run.policy()
    return {"seconds": round(time.process_time() - began, 1), **without_search(policy.game, policy.net)}


def again(game: str, settings: dict[str, Any], seed: int, kept: dict[str, Any]) -> tuple[Any, Any]:
    """What a seed determines of a short training, as stored and now."""
    return without_seconds(kept), without_seconds(trained(game, settings, seed))


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A table with a row for each game and change, and a figure for each seed."""
    rows = list[list[str]]()
    for game in LONGEST:
        for change in changes(game):
            runs = [found[name] for seed in SEEDS if (name := name_of(game, change, seed)) in found]
            if runs:
                kept = " · ".join(f"{100 * run['exam']['optimal']:.0f} %" for run in runs)
                error = " · ".join(f"{run['exam']['value error']:.2f}" for run in runs)
                wins = " · ".join(str(run["against random"]["wins"]) for run in runs)
                rows.append([f"`{game}`", change, kept, error, wins, f"{max(run['seconds'] for run in runs):.0f}"])
    return {"table": table(HEADS, rows, align="ll"), "positions": f"{SMALL['positions']:,}"}


HEADS = [
    *("game", "what is changed", "network alone keeps the value, by seed", "mean error of its value"),
    *("wins of 200 against random, alone", "seconds of one core"),
]
LEARNING = "alphazero.py", "learner.py", "settings.py", "selfplay", "networks/evaluator.py", "networks/residual.py"
OWN = (
    *RULES,
    "search/mcts",
    "oracles/values.py",
    "arena/matches/openings.py",
    *(f"baselines/alphazero/{name}" for name in LEARNING),
)
STUDY = Study(__file__, parts, shown, OWN, 1, ("numpy", "llvmlite", "torch"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
