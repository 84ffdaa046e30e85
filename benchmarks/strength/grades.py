"""Grades from 100,000 moves of Quarto and of 6×6 Othello, by ply. Shown in docs/grading.md.

python -m benchmarks.strength.grades
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

from ludus.arena import grade

from ..provenance import Part, Study, match_sources, oracle_sources, table, without_seconds

MOVES = 100_000
GRADES = {"quarto": ("quarto", "minimax:depth=2"), "othello": ("othello:size=6", "minimax:depth=2")}
"""Each game and the policy, which plays against random play."""
GRADING = (*(f"arena/grading/{name}.py" for name in ("decisions", "sampled")), "oracles/values.py")
SEED = 0


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each game."""
    return {
        name: Part(
            partial(measured, game, policy),
            partial(again, game, policy),
            (*match_sources(game, policy, "random"), *oracle_sources(game), *GRADING),
        )
        for name, (game, policy) in GRADES.items()
    }


def measured(game: str, policy: str) -> dict[str, Any]:
    """The grade, the command that prints it, and what it took."""
    began = time.perf_counter(), time.process_time()
    found = grade(policy, game, most=MOVES, seed=SEED).document()
    seconds = {"seconds": time.perf_counter() - began[0], "processor_seconds": time.process_time() - began[1]}
    same = ("games", "moves", "graded", "optimal_rate", "optimal_interval", "value_lost", "value_lost_interval", "by_ply")
    command = f"ludus grade {game} --policy {policy} --moves {MOVES} --seed {SEED}"
    return {"command": command, **seconds, **{name: found[name] for name in same}}


def again(game: str, policy: str, kept: dict[str, Any]) -> tuple[Any, Any]:
    """All but the times, as stored and now."""
    return without_seconds(kept), without_seconds(measured(game, policy))


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A table by ply for each game, and numbers of the whole."""
    figures = dict[str, str]()
    for name, one in found.items():
        heads = ["ply", "moves", "graded", "kept", "95 %", "value lost a move", "95 %"]
        figures[f"{name}.table"] = table(heads, [*rows(one["by_ply"])], align="r")
        figures[f"{name}.command"] = f"`{one['command']}`"
        figures[f"{name}.graded"] = f"{one['graded']:,}"
        figures[f"{name}.games"] = f"{one['games']:,}"
        figures[f"{name}.seconds"] = f"{one['seconds']:.0f} s, {one['processor_seconds']:.0f} s of processors"
        low, high = one["value_lost_interval"]
        figures[f"{name}.lost"] = f"{one['value_lost']:.4f} ({low:.4f} to {high:.4f})"
    return figures


def rows(plies: list[dict[str, Any]]) -> Iterator[list[str]]:
    """A row for each ply in which moves were graded."""
    for one in plies:
        if one["graded"]:
            kept, lost = ([f"{100 * bound:.1f}" for bound in one["optimal_interval"]], one["value_lost_interval"])
            yield [
                str(one["ply"]),
                f"{one['moves']:,}",
                f"{one['graded']:,}",
                f"{100 * one['optimal_rate']:.1f} %",
                f"{kept[0]} to {kept[1]}",
                f"{one['value_lost']:.3f}",
                f"{lost[0]:.3f} to {lost[1]:.3f}",
            ]


STUDY = Study(__file__, parts, shown, GRADING, SEED)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
