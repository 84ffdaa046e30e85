"""The strength of the classic policies, in the matches that earlier projects reported. Shown in docs/search.md.

python -m benchmarks.strength.classics             # plays what is missing or out of date
python -m benchmarks.strength.classics quarto      # of one game
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import Any

import ludus
from ludus.arena import evaluate
from ludus.arena.ratings.score import Score

from ..provenance import MATCHES, Counting, Part, Study, counting, counts, match_sources, table

GAMES, FEW, SEED = 200, 20, 0
OTHELLO, QUARTO, QUIXO = "othello:size=6", "quarto", "quixo"
MATCHES_PLAYED = [
    *((OTHELLO, f"minimax:depth={depth}", "random") for depth in (1, 3, 5, 7)),
    *((OTHELLO, f"minimax:depth={depth},mobility=3", "random") for depth in (1, 3, 5, 7)),
    *((OTHELLO, f"minimax:depth={depth},prune=false,table=false", "random") for depth in (1, 3, 5)),
    (OTHELLO, "expectimax", "random"),
    *((QUARTO, policy, against) for policy, against in (("hard", "easy"), ("hard", "random"), ("easy", "random"))),
    *((QUARTO, policy, "random") for policy in ("frontiers", "frontiers:highest=false", "minimax:depth=4")),
    *((QUIXO, policy, "random") for policy in ("minimax:depth=3", "minimax:depth=5,evaluation=plain", "greedy", "mcts")),
    *((game, "perfect", "random") for game in ("nim", "tictactoe", "quixo:size=3", "quixo:size=4", QUARTO, OTHELLO)),
]

ORIGINALLY = {"frontiers": "delay_minmax=False", "frontiers:highest=false": "delay_minmax=True"}
"""The names of settings in those projects."""

REPORTED = {
    "alphabeta": {1: "75 %, 96 nodes", 3: "98.7 %, 1,560", 5: "100 %, 18,698", 7: "100 %, 211,212"},
    "minimax": {1: "81 %, 97 nodes", 3: "98 %, 3,506", 5: "99.3 %, 133,706"},
}
"""The original's results in Othello on 6×6 against random, by depth: games won, and nodes per game."""
SETTINGS = {"alphabeta": "", "minimax": ",prune=false,table=false", "ours": ",mobility=3"}
"""The settings of minimax besides its depth."""


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each match."""
    return {
        f"{game} {a} – {b}": Part(partial(measured, game, a, b), partial(again, game, a, b), match_sources(game, a, b))
        for game, a, b in MATCHES_PLAYED
    }


def measured(game: str, first: str, second: str) -> dict[str, Any]:
    """The score of a match and of its first games, and seconds and nodes per game."""
    policy = player(game, first)
    few = score(policy, second, FEW)  # compiles, too, which is not timed
    if isinstance(policy, Counting):
        policy.visited.clear()
    began = time.perf_counter()
    played = score(policy, second, GAMES)
    seconds = (time.perf_counter() - began) / GAMES
    nodes = sum(policy.visited) / GAMES if isinstance(policy, Counting) else None
    return {"score": counts(played), "first": counts(few), "seconds_a_game": seconds, "nodes_a_game": nodes}


def again(game: str, first: str, second: str, kept: dict[str, Any]) -> tuple[Any, Any]:
    """The score of the first games, as stored and now."""
    return kept["first"], counts(score(player(game, first), second, FEW))


def player(game: str, spec: str) -> Any:
    """The policy; in Othello minimax counts its nodes."""
    return counting(spec, game) if game == OTHELLO and spec.startswith("minimax") else ludus.make_policy(spec, game)


def score(policy: Any, against: str, games: int) -> Score:
    """Games from the usual start."""
    return evaluate(policy, policy.game, against, games, seed=SEED, opening_plies=0)


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A row for each match."""
    rows = list[list[str]]()
    for name, one in found.items():
        game, _, match = name.partition(" ")
        percents = [f"{100 * count / GAMES:.1f}" for count in one["score"]]
        nodes = f"{one['nodes_a_game']:,.0f}" if one["nodes_a_game"] is not None else ""
        first = match.partition(" ")[0]
        called = f" ({ORIGINALLY[first]})" if first in ORIGINALLY else ""
        rows.append([game, f"{match}{called}", *percents, nodes, f"{1000 * one['seconds_a_game']:.2f}"])
    heads = ["game", "match", "win %", "draw %", "loss %", "nodes a game", "ms a game"]
    cells = {
        f"othello.{name}": " | ".join([lines(there), *(searched(kind, list(there), found) for kind in (name, "ours"))])
        for name, there in REPORTED.items()
    }
    return {"table": table(heads, rows, align="llr"), **cells}


def searched(name: str, depths: list[int], found: dict[str, Any]) -> str:
    """A cell: the results of minimax with the settings of that name in Othello at each depth, and its command."""
    settings, reached = SETTINGS[name], dict[int, str]()
    for depth in depths:
        if one := found.get(f"{OTHELLO} minimax:depth={depth}{settings} – random"):
            reached[depth] = f"{100 * one['score'][0] / GAMES:g} %, {one['nodes_a_game']:,.0f}"
    command = f"ludus arena {OTHELLO} --policies minimax:depth={depths[-1]}{settings} random --opening-plies 0"
    return f"{lines(reached)}<br>`{command}`"


def lines(by_depth: dict[int, str]) -> str:
    """A cell with one line per depth."""
    return "<br>".join(f"depth {depth}: {text}" for depth, text in by_depth.items())


STUDY = Study(__file__, parts, shown, MATCHES, SEED)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
