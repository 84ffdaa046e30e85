"""How far the measured difference of two policies scatters when both meet the same dice, and when they do not. In docs/arena.md."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ludus.arena import evaluate
from ludus.arena.report.words import percent

from .. import RESULTS
from ..common import TITLES, table
from ..runner import Rows, Study

MATCHES, GAMES = 200, 100
PAIRS = (
    # the game, both policies, and whom they play
    ("tictactoe", "minimax:depth=2", "minimax:depth=3", "random"),
    ("tictactoe", "minimax:depth=2", "minimax:depth=3", "mcts:simulations=10"),
    ("tictactoe", "mcts:simulations=20", "mcts:simulations=24", "random"),
    ("nim", "minimax:depth=2", "minimax:depth=3", "random"),
    ("tictactoe", "random", "greedy", "random"),
    ("othello:size=6", "minimax:depth=2", "minimax:depth=2,mobility=0.1", "random"),
)


def cells() -> dict[str, Any]:
    """A cell for each pair."""
    return {", ".join(pair): partial(scatter, *pair) for pair in PAIRS}


def scatter(game: str, a: str, b: str, against: str, matches: int = MATCHES) -> dict[str, list[float]]:
    """The mean and the standard deviation of the difference of both shares of the points, over seeds: with keys of each pair's own,
    and with common keys."""
    row = dict[str, list[float]]()
    for name, common in (("own", False), ("common", True)):
        points = [
            [evaluate(policy, game, against, GAMES, seed=seed, common_keys=common).points for policy in (a, b)]
            for seed in range(matches)
        ]
        differences = np.diff(points).ravel()
        row[name] = [float(differences.mean()), float(differences.std(ddof=1))]
    return row


def show(rows: Rows) -> dict[str, str]:
    """A row for each pair: the standard deviations, and how many times as many games the larger one costs."""
    lines = list[list[str]]()
    for (game, a, b, against), row in zip(PAIRS, rows.values(), strict=True):
        own, common = row["own"][1], row["common"][1]
        spreads = (percent(spread) for spread in (own, common))
        lines.append([TITLES[game], f"`{a}`", f"`{b}`", f"`{against}`", *spreads, f"{(own / common) ** 2:.1f}"])
    heads = ["game", "policy", "another", "both against", "own keys", "common keys", "variance, times smaller"]
    return {"table": table(heads, lines, "llllr")}


STUDIES = (Study(RESULTS / "dice.json", cells, show, 0),)
