"""Policies of a game beside exact play, which judges every move of their games. Shown on the game's page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from statistics import median
from typing import Any

from ludus.agents.policy import Policy
from ludus.arena import grade
from ludus.arena.report.words import percent

from .. import RESULTS
from ..common import counts, points, share, table
from ..runner import Rows, Study
from .grades import ALONE
from .trained import RANDOM, Measured, TrainedLine, figures_of, train_line

GAME, AGAINST = "connect_four", "minimax:depth=4"
GAMES, OPENING = 200, 2
"""The games of each policy, half of them from each seat, and the random plies that each begins with."""
POLICIES = {
    **{f"`{spec}`": spec for spec in (RANDOM, "greedy")},
    **{f"`{spec}`": spec for spec in (f"minimax:depth={depth}" for depth in (2, 4, 6, 8))},
    **{f"`{spec}`": spec for spec in (f"mcts:simulations={number}" for number in (100, 400, 1600))},
    "`alphazero`, its network alone": ALONE,
    **{f"`{spec}`": spec for spec in (f"alphazero:simulations={number}" for number in (100, 400))},
}
"""The specs of the policies of the package, by their titles."""
TRAINED = (TrainedLine("td_ntuple", GAME, seconds=30), TrainedLine("maskable_ppo", GAME, seconds=200))
"""What is trained; n-tuples look one ply ahead when they play."""


def cells() -> dict[str, Any]:
    """A cell for each policy of the package, and for each line and seed."""
    policies = {title: partial(judge, spec) for title, spec in POLICIES.items()}
    return policies | {f"{line.name}-{seed}": partial(judge_run, line, seed) for line in TRAINED for seed in line.seeds}


def judge_run(line: TrainedLine, seed: int) -> dict[str, Any]:
    """What a run took, the score of its policy, and what its moves lost."""
    run, row = train_line(line, seed)
    return row | judge(run.policy(), seed)


def judge(policy: str | Policy, seed: int = 1) -> dict[str, Any]:
    """The score of a policy, and what its moves in the same games lost."""
    found = grade(policy, GAME, games=GAMES, against=AGAINST, opening_plies=OPENING, most=None, seed=seed)
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
    """A row for each policy of the package, and a table of what was trained."""
    lines = list[list[str]]()
    for title in POLICIES:
        row = rows[title]
        low, high = row["value_lost_interval"]
        kept, lost = percent(row["optimal_rate"]), f"{row['value_lost']:.3f} ({low:.3f} to {high:.3f})"
        floor = percent(row["random_optimal_rate"]), f"{row['random_value_lost']:.3f}"
        first = "none in half of them" if row["first_error"] is None else f"{row['first_error']:g}"
        errors = first, f"{row['games_without_errors']} of {row['games_without_errors'] + row['games_with_errors']}"
        graded = f"{row['graded']:,} of {row['moves']:,}"
        lines.append([title, points(row["score"])[0], graded, kept, floor[0], lost, floor[1], *errors])
    heads = [
        *("policy", "points", "moves graded", "keep the value", "random moves there"),
        *("value lost a move (95 %)", "by random moves there", "ply of its first error, median", "games without an error"),
    ]
    trained = figures_of(TRAINED, rows, measures_of)["table"]
    figures = {"games": str(GAMES), "opening": str(OPENING), "against": f"`{AGAINST}`"}
    return {GAME: table(heads, lines), f"{GAME}.trained": trained, **figures}


def measures_of(line: TrainedLine, runs: Sequence[dict[str, Any]], rows: Rows) -> dict[str, Measured]:
    """The points and errors of a line's runs, beside random play, and beside random moves in the positions that came up."""
    kept, lost = (median(run[f"random_{name}"] for run in runs) for name in ("optimal_rate", "value_lost"))
    return {
        "points": Measured("points", [share(run["score"]) for run in runs], share(rows[f"`{RANDOM}`"]["score"])),
        "kept": Measured(
            "moves that keep the value (last column: of random moves there)", [run["optimal_rate"] for run in runs], kept
        ),
        "lost": Measured(
            "value lost a move (last column: by random moves there)",
            [run["value_lost"] for run in runs],
            lost,
            max,
            "{:.3f}".format,
        ),
    }


LIBRARIES = ("numpy", "llvmlite", "torch", "stable-baselines3", "sb3-contrib")
STUDIES = (Study(RESULTS / "judged.json", cells, show, 1, LIBRARIES),)
