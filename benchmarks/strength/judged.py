"""Policies of a game beside exact play, which judges every move of their games. Shown on the game's page."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from ludus.agents.policy import Policy
from ludus.arena import grade
from ludus.arena.report.words import percent
from ludus.baselines import train
from ludus.baselines.runs.measure import Measure
from ludus.cli.bench.study import Rows, Study

from .. import RESULTS
from ..common import counts, points, table
from .grades import ALONE

GAME, AGAINST = "connect_four", "minimax:depth=4"
GAMES, OPENING = 200, 2
"""The games of each policy, half of them from each seat, and the random plies that each begins with."""


class Entry(NamedTuple):
    """A policy of the table.

    Args:
        title: how the table names it.
        spec: its spec; of a trainer's policy, the settings that it plays by.
        trainer: the trainer that learns it by the game's preset, with seed 1; empty for others.
    """

    title: str
    spec: str
    trainer: str = ""

    def policy(self) -> str | Policy:
        """The policy, which is trained first if it has a trainer."""
        if not self.trainer:
            return self.spec
        return train(self.trainer, GAME, seed=1, measure=Measure(every="never")).policy()


ENTRIES = (
    *(Entry(f"`{spec}`", spec) for spec in ("random", "greedy")),
    *(Entry(f"`minimax:depth={depth}`", f"minimax:depth={depth}") for depth in (2, 4, 6, 8)),
    *(Entry(f"`mcts:simulations={number}`", f"mcts:simulations={number}") for number in (100, 400, 1600)),
    Entry("`td_ntuple`, which looks one ply ahead", "", "td_ntuple"),
    Entry("`maskable_ppo`", "", "maskable_ppo"),
    Entry("`alphazero`, its network alone", ALONE),
    *(Entry(f"`alphazero:simulations={number}`", f"alphazero:simulations={number}") for number in (100, 400)),
)


def cells() -> dict[str, Any]:
    """A cell for each policy."""
    return {entry.title: partial(judge, entry) for entry in ENTRIES}


def judge(entry: Entry) -> dict[str, Any]:
    """The score of a policy, and what its moves in the same games lost."""
    found = grade(entry.policy(), GAME, games=GAMES, against=AGAINST, opening_plies=OPENING, most=None, seed=1)
    document = found.document()
    assert found.score is not None  # its games were played
    names = (
        "moves",
        "graded",
        "optimal_rate",
        "value_lost",
        "value_lost_interval",
        "random_optimal_rate",
        "random_value_lost",
        "first_error",
        "games_with_errors",
        "games_without_errors",
    )
    return {"score": counts(found.score), **{name: document[name] for name in names}}


def show(rows: Rows) -> dict[str, str]:
    """A row for each policy."""
    lines = list[list[str]]()
    for title, row in rows.items():
        low, high = row["value_lost_interval"]
        kept, lost = percent(row["optimal_rate"]), f"{row['value_lost']:.3f} ({low:.3f} to {high:.3f})"
        floor = percent(row["random_optimal_rate"]), f"{row['random_value_lost']:.3f}"
        first = "none in half of them" if row["first_error"] is None else str(row["first_error"])
        errors = first, f"{row['games_without_errors']} of {row['games_without_errors'] + row['games_with_errors']}"
        graded = f"{row['graded']:,} of {row['moves']:,}"
        lines.append([title, points(row["score"])[0], graded, kept, floor[0], lost, floor[1], *errors])
    heads = [
        *("policy", "points", "moves graded", "keep the value", "random moves there"),
        *("value lost a move (95 %)", "by random moves there", "ply of its first error, median", "games without an error"),
    ]
    return {GAME: table(heads, lines), "games": str(GAMES), "opening": str(OPENING), "against": f"`{AGAINST}`"}


LIBRARIES = ("numpy", "llvmlite", "torch", "stable-baselines3", "sb3-contrib")
STUDIES = (Study(RESULTS / "judged.json", cells, show, 1, LIBRARIES),)
