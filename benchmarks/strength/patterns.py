"""Othello's search by patterns: what its depth, its cuts and its book are worth, and the discs that its moves lose. Shown in
docs/search.md."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np

import ludus
from ludus.cli.bench.study import Rows, Study
from ludus.oracles import make_oracle

from .. import RESULTS
from ..common import play, points, table

ENGINE = "minimax:evaluation=patterns,nodes=20000,endings=14"
DEEPER = "minimax:evaluation=patterns,nodes=80000,endings=14"
MATCHES = (
    ("minimax:evaluation=patterns,depth=1", "minimax:depth=3"),
    (f"{ENGINE},probcut=1", ENGINE),
    (f"{DEEPER},probcut=1", DEEPER),
    (f"{ENGINE},book=true", ENGINE),
)
SEEDS, GAMES = (1, 2), 100
"""The seeds of each match, and its games with each."""
LOST, EXAMINED = "discs lost", 20
"""The cell of the discs lost, and the games for it."""


def cells() -> dict[str, Any]:
    """A cell for each match and seed, and for the discs lost."""
    matches = {
        f"engine {engine} – {against}, seed {seed}": partial(play, engine, "othello", against, GAMES, seed=seed)
        for engine, against in MATCHES
        for seed in SEEDS
    }
    return {**matches, LOST: discs_lost}


def discs_lost() -> dict[str, Any]:
    """The discs that moves lose within the oracle's reach of 20 empty cells, in games against minimax:depth=6."""
    game = ludus.make_game("othello")
    oracle, players = make_oracle(game), [ludus.make_policy(spec, game) for spec in (ENGINE, "minimax:depth=6")]
    rng, lost = np.random.default_rng(1), list[int]()
    for number in range(EXAMINED):
        state, ply = game.start, 0
        while game.outcome(state) is None:
            seat = (game.player(state) + number) % 2
            key = rng.integers(2**64, size=1, dtype=np.uint64)
            action = int(rng.choice(game.legal_actions(state))) if ply < 6 else int(players[seat].act(state[None], key)[0])
            if seat == 0 and oracle.reaches(state):
                scores = oracle.after(state)
                lost.append(int(max(after.score or 0 for after in scores.values()) - (scores[action].score or 0)))
            state, ply = game.play(state, action), ply + 1
    return {"moves": len(lost), "discs": sum(lost) / len(lost), "most": max(lost)}


def show(rows: Rows) -> dict[str, str]:
    """A table of the search, and the discs that its moves lost."""
    lines = list[list[str]]()
    for (engine, against), seed in product(MATCHES, SEEDS):
        row = rows[f"engine {engine} – {against}, seed {seed}"]
        score = ", ".join(map(str, row["score"]))
        lines.append([f"`{engine}`", f"`{against}`", str(seed), score, bounded(row["score"]), f"{row['seconds']:.0f}"])
    heads = ["engine", "against", "seed", "wins, draws, losses", "points (at least)", "seconds"]
    return {
        "matches": table(heads, lines, align="lllllr"),
        "discs": f"{rows[LOST]['discs']:.2f}",
        "moves": str(rows[LOST]["moves"]),
    }


def bounded(score: list[int]) -> str:
    """The share of points, and the lower end of its 95 % interval."""
    share, least = points(score)
    return f"{share} ({least.removesuffix(' %')})"


STUDIES = (Study(RESULTS / "patterns.json", cells, show, 1),)
