"""`ludus check GAME …`: checks games against the contract; exit status 1 where a fact does not hold."""

from __future__ import annotations

import argparse

from ...envs import game_names
from ...envs.check import check_game
from ..terminal.numbers import whole
from ..terminal.output import print_json


def arguments(parser: argparse.ArgumentParser) -> None:
    """The games, and how many random games to play."""
    parser.add_argument(
        "game", nargs="*", help="a game's name for all its variants, or a spec for one; none for every game there is"
    )
    parser.add_argument("--games", action=whole(1), default=10, help="random games at whose positions every fact is checked (10)")


def run(chosen: argparse.Namespace) -> int:
    """Checks and prints; 1 where something was found."""
    reports = []
    for game in chosen.game or game_names():
        report = check_game(game, seed=chosen.seed, games=chosen.games)
        reports.append(report)
        if not chosen.json:
            print(report)
    ok = all(report.ok for report in reports)
    if chosen.json:
        print_json({"ok": ok, "reports": [report.to_dict() for report in reports]})
    return 0 if ok else 1
