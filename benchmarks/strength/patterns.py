"""Othello's search by patterns: what its depth, its cuts and its book are worth, how far off the patterns are, and the discs that
moves lose. Shown in docs/search.md."""

from __future__ import annotations

from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ludus
from benchmarks.making.othello_patterns import Round, empties, features_of, play_games, rms
from ludus.agents.minimax import Minimax
from ludus.games.game import StateArray
from ludus.games.othello.rules import Othello
from ludus.oracles import make_oracle
from ludus.oracles.othello import OthelloOracle
from ludus.search import AlphaBeta
from ludus.search.patterns.evaluation import UNITS, shipped_patterns, stage_of

from .. import RESULTS
from ..common import play, points, table
from ..runner import Rows, Study

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
FRESH, PLAYED = 2, 4_000
"""The seed of games from which nothing was learnt, and how many there are."""
SOLVED, SEARCHED = (8, 12, 16, 20), (28, 36, 44, 52)
"""The empty cells of positions whose values are exact, and of those whose values come from a deep search."""
ESTIMATED, AHEAD = 500, 3
"""Positions of each number of empty cells at most, and the plies of a shallow search."""
DEEP: dict[str, Any] = {"evaluation": "patterns", "nodes": 400_000}
ERRORS = {"spread": "spread of the values, discs", "alone": "patterns alone, off by", "ahead": f"search of {AHEAD} plies, off by"}
GAME, CELLS = Othello(), 64


def cells() -> dict[str, Any]:
    """A cell for each match and seed, for the errors with each number of empty cells, and for the discs lost."""
    matches = {
        f"engine {engine} – {against}, seed {seed}": partial(play, engine, "othello", against, GAMES, seed=seed)
        for engine, against in MATCHES
        for seed in SEEDS
    }
    errors = {f"{empty} empty": partial(measure_errors, empty) for empty in SOLVED + SEARCHED}
    return {**matches, **errors, LOST: discs_lost}


def measure_errors(empty: int) -> dict[str, Any]:
    """How far off the patterns alone are, and a search of a few plies, in positions of games from which nothing was learnt.

    The numbers are root mean squares in discs; `spread` is that of the values themselves.
    """
    stage, evaluation = stage_of(CELLS - empty), shipped_patterns()
    states = fresh_positions()[stage]
    states = states[empties(states) == empty][:ESTIMATED]
    alone = evaluation.tables[stage][features_of(states)].sum(axis=1) / UNITS
    ahead = search_discs(AlphaBeta(GAME, evaluation, AHEAD), states)
    values = exact_discs(states) if empty in SOLVED else search_discs(Minimax(GAME, **DEEP).searcher, states)
    errors = {"spread": values, "alone": values - alone, "ahead": values - ahead}
    return {"positions": len(states), **{name: rms(each) for name, each in errors.items()}}


def exact_discs(states: StateArray) -> NDArray[np.float64]:
    """The scores of positions (N,)."""
    scores = OthelloOracle(GAME, empties=SOLVED[-1]).position_values(states, scores=True).scores
    assert scores is not None
    return scores.astype(np.float64)


def search_discs(search: AlphaBeta, states: StateArray) -> NDArray[np.float64]:
    """The values of positions by search, in discs (N,)."""
    values = search.search(states, np.zeros(len(states), np.uint64)).values / UNITS
    return np.clip(values, -CELLS, CELLS)  # a win that is certain counts far more


@cache
def fresh_positions() -> list[StateArray]:
    """Positions of each stage, some random plies away from games of the search against itself (N, 3)."""
    return play_games(Round(PLAYED, 1, PLAYED, ()), shipped_patterns(), np.random.default_rng(FRESH))


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
    """The tables of matches and of errors, and the discs that moves lost."""
    lines = list[list[str]]()
    for (engine, against), seed in product(MATCHES, SEEDS):
        row = rows[f"engine {engine} – {against}, seed {seed}"]
        score = ", ".join(map(str, row["score"]))
        lines.append([f"`{engine}`", f"`{against}`", str(seed), score, bounded(row["score"]), f"{row['seconds']:.0f}"])
    heads = ["engine", "against", "seed", "wins, draws, losses", "points (at least)", "seconds"]
    errors = list[list[str]]()
    for empty in SOLVED + SEARCHED:
        row = rows[f"{empty} empty"]
        numbers = [f"{row[name]:.1f}" for name in ERRORS]
        errors.append([str(empty), "the oracle" if empty in SOLVED else "search", str(row["positions"]), *numbers])
    return {
        "errors": table(["empty cells", "values by", "positions", *ERRORS.values()], errors, align="rlr"),
        "matches": table(heads, lines, align="lllllr"),
        "discs": f"{rows[LOST]['discs']:.2f}",
        "moves": str(rows[LOST]["moves"]),
    }


def bounded(score: list[int]) -> str:
    """The share of points, and the lower end of its 95 % interval."""
    share, least = points(score)
    return f"{share} ({least.removesuffix(' %')})"


STUDIES = (Study(RESULTS / "patterns.json", cells, show, 1),)
