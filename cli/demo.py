"""`ludus demo`: every pair of policies on every game, with a table of results and time per move."""

from __future__ import annotations

import argparse
import sys
from itertools import combinations_with_replacement

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..agents import Policy, make_policy, policies_for
from ..arena import Result, play_match
from ..envs import Game, game_names, make_game
from .output import print_json, print_table

LIGHT = {"minimax": "minimax:depth=3", "mcts": "mcts:simulations=100", "perfect": "perfect:nodes=500"}
"""Settings with which slow policies still make a short demonstration."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """How many games a pair plays."""
    parser.add_argument("--games", type=int, default=10, help="games a pair (10)")


def run(chosen: argparse.Namespace) -> None:
    """Plays all matches and prints how they went."""
    if chosen.games < 1:
        raise ValueError(f"a match is of 1 game or more, not {chosen.games}")
    pairs = [(game, a, b) for name in game_names() for game in [make_game(name)] for a, b in pairs_of(game)]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeElapsedColumn())
    results: list[tuple[Game, Policy, Policy, Result]] = []
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        whole = progress.add_task("all games", total=len(pairs) * chosen.games)
        for done, (game, a, b) in enumerate(pairs):
            progress.update(whole, description=f"{game}: {a} – {b}")

            def show(over: int, before: int = done * chosen.games) -> None:
                progress.update(whole, completed=before + over)

            results.append((game, a, b, play_match(game, a, b, chosen.games, chosen.seed, show)))
    if chosen.json:
        print_json({"pairs": [_document(*row) for row in results], "seed": chosen.seed})
    else:
        print_table(
            f"{chosen.games} games a pair, each policy in each seat for half of them",
            ["game", "match", "wins", "draws", "losses", "plies", "µs a move"],
            [
                (
                    g,
                    f"{a} – {b}",
                    r.wins,
                    r.draws,
                    r.losses,
                    f"{r.plies / r.games:.1f}",
                    " – ".join(f"{s * 1e6:.2f}" for s in r.seconds),
                )
                for g, a, b, r in results
            ],
            left=2,
        )
        print(f"Next: {sys.argv[0]} play quixo, {sys.argv[0]} list, and the examples/ folder.")


def pairs_of(game: Game) -> list[tuple[Policy, Policy]]:
    """Every pair of the policies that play a game, each with itself included."""
    made = [make_policy(LIGHT.get(name, name), game) for name in policies_for(game)]
    for policy in made:
        policy.act(game.start[None], np.zeros(1, np.uint64))  # compiles, which is not timed
    return list(combinations_with_replacement(made, 2))


def _document(game: Game, a: Policy, b: Policy, result: Result) -> dict[str, object]:
    counts = {"games": result.games, "wins": result.wins, "draws": result.draws, "losses": result.losses}
    return {"game": game.spec, "a": a.spec, "b": b.spec, **counts, "plies": result.plies, "seconds_a_move": list(result.seconds)}
