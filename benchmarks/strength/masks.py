"""Models trained with and without masks, playing without masks. Shown in docs/sb3.md.

python -m benchmarks.strength.masks      # plays what is missing or out of date

The runs are those that `python -m benchmarks.strength.training ppo dqn` makes.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from ludus.arena import evaluate, grade_exact

from ..provenance import GRADING, Part, Study, match_sources, oracle_sources, table

ROOT = Path(__file__).parents[2]
GAMES, SEEDS = 1000, (1, 2)
LEARNERS = {
    "ppo-tictactoe": "`ppo`, an illegal action loses",
    "dqn-penalty-tictactoe": "`dqn --preset penalty`, likewise",
    "maskable_ppo-tictactoe": "`maskable_ppo`",
}


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each run."""
    names = [f"{learner}-{seed}" for learner in LEARNERS for seed in SEEDS]
    return {name: Part(partial(measured, name), partial(again, name)) for name in names}


def measured(name: str) -> dict[str, Any]:
    """Games without masks against random, those lost by an illegal action, and the value lost per game with masks."""
    run = ROOT / "runs" / name
    score = evaluate(f"run:{run},masked=false", "tictactoe", "random", GAMES)
    thrown = grade_exact(f"run:{run}", "tictactoe").document()["value_thrown"]
    return {"wins": score.wins, "illegal": int(score.faults.sum()), "value_thrown": thrown}


def again(name: str, kept: dict[str, Any]) -> tuple[Any, Any] | None:
    """The result, as stored and now; None if the run does not exist."""
    return (kept, measured(name)) if (ROOT / "runs" / name).exists() else None


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A row for each trainer, a number for each seed."""
    rows = list[list[str]]()
    for learner, title in LEARNERS.items():
        if runs := [found[name] for seed in SEEDS if (name := f"{learner}-{seed}") in found]:
            wins = " · ".join(f"{100 * run['wins'] / GAMES:.1f} %" for run in runs)
            illegal = " · ".join(str(run["illegal"]) for run in runs)
            rows.append([title, wins, f"{illegal} of {GAMES}", " · ".join(f"{run['value_thrown']:.3f}" for run in runs)])
    heads = [
        "trained by",
        "wins without masks",
        "lost by an illegal action",
        "value lost per game against perfect play, with masks",
    ]
    return {"table": table(heads, rows)}


STUDY = Study(
    __file__,
    parts,
    shown,
    (*match_sources("tictactoe", "random"), *oracle_sources("tictactoe"), *GRADING, "baselines/sb3"),
    0,
    ("torch", "stable-baselines3"),
)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
