"""What makes NEAT lose value in tic-tac-toe: one setting changed at a time, graded exactly. Shown in docs/training.md.

python -m benchmarks.strength.unbeaten             # trains what is missing or out of date, in memory
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from ludus.arena import grade_exact
from ludus.baselines import train

from ..provenance import GRADING, Part, Study, match_sources, oracle_sources, repeated, table
from .training import OF_TRAINERS

GAME = "tictactoe"
SEEDS = 1, 2, 3, 4
BASE: dict[str, Any] = {
    "sight": "lines",
    "opponents": ("random",),
    "every_line": False,
    "fame": 0,
    "games": 200,
    "final_games": 1000,
    "opening_plies": 0,
    "generations": 60,
}
"""The settings that each row changes, written out, so that a new preset leaves them as they are."""
CHANGES: list[dict[str, Any]] = [{}, {"games": 400}, {"opening_plies": 2}, {"opponents": None, "every_line": True}]


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each change and seed."""
    sources = (*match_sources(GAME, "random"), *oracle_sources(GAME), *GRADING, *OF_TRAINERS["neat"])
    return {named(change, seed): repeated(partial(measured, change, seed), sources) for change in CHANGES for seed in SEEDS}


def named(change: dict[str, Any], seed: int) -> str:
    """The name of a part."""
    return f"{written(change) or 'nothing'}, seed {seed}"


def written(change: dict[str, Any]) -> str:
    """Settings as options of the command line."""
    words = {name: "+".join(value) if isinstance(value, tuple) else str(value).lower() for name, value in change.items()}
    return " ".join(f"--{name.replace('_', '-')} {word}" for name, word in words.items())


def measured(change: dict[str, Any], seed: int) -> dict[str, Any]:
    """The exact grade of what is learnt with a changed setting."""
    found = grade_exact(train("neat", GAME, seed=seed, **{**BASE, **change}).policy(), GAME)
    return {"beatable": found.beatable, "value_lost": found.value_lost, "value_thrown": found.value_thrown}


def shown(found: dict[str, Any]) -> dict[str, str]:
    """The table of the page."""
    rows = list[list[str]]()
    for change in CHANGES:
        if those := [found[name] for seed in SEEDS if (name := named(change, seed)) in found]:
            beatable = " · ".join("yes" if one["beatable"] else "no" for one in those)
            lost = [" · ".join(f"{one[name]:.4f}" for one in those) for name in ("value_thrown", "value_lost")]
            rows.append([f"`{written(change)}`" if change else "nothing", beatable, *lost])
    return {"table": table(HEADS, rows, align="llrr"), "seeds": f"{SEEDS[0]} to {SEEDS[-1]}"}


HEADS = ["changed", "can be beaten", "value lost a game, perfect opponent", "value lost a move, random opponent"]
STUDY = Study(__file__, parts, shown, OF_TRAINERS["neat"])

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
