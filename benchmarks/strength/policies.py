"""The strength and speed of all policies against a random player. Shown on the pages of policies and games.

python -m benchmarks.strength.policies              # measures what is missing or out of date
python -m benchmarks.strength.policies othello      # of one game
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import numpy as np

import ludus
from ludus.agents import policies_for, policy_names
from ludus.arena import evaluate
from ludus.arena.ratings.score import Score

from ..provenance import MATCHES, Part, Study, counts, match_sources, table

GAMES, FEW, SEED = 200, 20, 0
TITLES = {
    "nim": "Nim",
    "tictactoe": "tic-tac-toe",
    "quarto": "Quarto",
    "quixo:size=4": "Quixo 4×4",
    "quixo": "Quixo",
    "othello:size=6": "Othello 6×6",
    "othello": "Othello",
}


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each game and policy."""
    pairs = [(game, name) for game in TITLES for name in policies_for(ludus.make_game(game))]
    return {
        f"{game} {name}": Part(partial(measured, game, name), partial(again, game, name), match_sources(game, name, "random"))
        for game, name in pairs
    }


def measured(game: str, name: str) -> dict[str, Any]:
    """The score of a policy and of its first games, and its time per move."""
    policy = ludus.make_policy(name, game)
    policy.act(policy.game.start[None], np.zeros(1, np.uint64))  # compiles, which is not timed
    score = against_random(policy, GAMES)
    return {"score": counts(score), "first": counts(against_random(policy, FEW)), "seconds_a_move": score.seconds_a_move[0]}


def again(game: str, name: str, kept: dict[str, Any]) -> tuple[Any, Any]:
    """The score of the first games, as stored and now."""
    return kept["first"], counts(against_random(ludus.make_policy(name, game), FEW))


def against_random(policy: Any, games: int) -> Score:
    """Games from the usual start."""
    return evaluate(policy, policy.game, "random", games, seed=SEED, opening_plies=0)


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A row for each policy, a column for each game."""
    those = {part.partition(" ")[2] for part in found}
    rows = [[f"`{name}`", *(cell(found.get(f"{game} {name}")) for game in TITLES)] for name in policy_names() if name in those]
    alone = {game: table(["policy", "wins", "draws", "losses", "µs a move"], lines(found, game)) for game in TITLES}
    return {"table": table(["", *TITLES.values()], rows), "games": str(GAMES), **alone}


def lines(found: dict[str, Any], game: str) -> list[list[str]]:
    """The policies on one game, the strongest first."""
    scores = {part.partition(" ")[2]: stored for part, stored in found.items() if part.partition(" ")[0] == game}
    ranked = sorted(scores, key=lambda name: scores[name]["score"][0] + scores[name]["score"][1] / 2, reverse=True)
    return [[f"`{name}`", *map(share, scores[name]["score"]), micros(scores[name])] for name in ranked]


def share(count: int) -> str:
    return f"{100 * count / GAMES:g} %"


def micros(stored: dict[str, Any]) -> str:
    """Microseconds per move."""
    taken = 1e6 * stored["seconds_a_move"]
    return f"{taken:.1f}" if taken < 1 else f"{taken:,.0f}"


def cell(found: dict[str, Any] | None) -> str:
    """Wins and draws in %, and microseconds per move; empty if the policy does not play the game."""
    if found is None:
        return ""
    wins, draws, _ = (f"{100 * count / GAMES:g}" for count in found["score"])
    return f"{wins} / {draws} · {micros(found)}"


STUDY = Study(__file__, parts, shown, MATCHES, SEED)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
