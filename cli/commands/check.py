"""`ludus check GAME …`: checks games against the contract of the rules. The exit status is 1 if a check fails."""

from __future__ import annotations

import argparse

from ...envs import game_names
from ...envs.check import check_game
from ..terminal.options import whole
from ..terminal.output import print_json


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("game", nargs="*", help="a name for all variants of a game, or a spec for one variant (default: all games)")
    parser.add_argument("--games", action=whole(1), default=10, help="random games whose positions are checked (default: 10)")


def run(chosen: argparse.Namespace) -> int:
    """Checks, and prints results; returns 1 if a check fails."""
    results = []
    for game in chosen.game or game_names():
        result = check_game(game, seed=chosen.seed, games=chosen.games)
        results.append(result)
        if not chosen.json:
            print(result)
    ok = all(result.ok for result in results)
    if chosen.json:
        print_json({"ok": ok, "reports": [result.to_dict() for result in results]})
    return 0 if ok else 1
