"""`ludus bench`: measures how fast environments, policies and search are on this machine."""

from __future__ import annotations

import argparse

from ...agents.registry import policies_for
from ...arena.move_times import time_moves
from ...envs import make_game
from ..bench import environments, search
from ..terminal.options import seconds, whole
from ..terminal.output import show


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add(
        "what",
        nargs="?",
        default="environments",
        choices=["environments", "policies", "search"],
        help="what to measure (default: environments)",
    )
    add("--seconds", action=seconds(), default=1.0, help="environments and policies only: length of one run (default: 1)")
    add("--runs", action=whole(1), default=3, help="not for policies: number of runs, of which the median is shown (default: 3)")
    add("--boards", action=whole(1), default=8192, help="environments only: number of boards (default: 8192)")
    add("--game", metavar="SPEC", help="policies only: the game")
    add("--policies", nargs="+", metavar="SPEC", help="policies only: which (default: all that play the game)")


def run(chosen: argparse.Namespace) -> None:
    """Measures, and prints medians."""
    if chosen.what == "environments":
        environments.run(chosen.seconds, chosen.runs, chosen.boards, chosen.json)
    elif chosen.what == "search":
        search.run(chosen.runs, chosen.json)
    elif chosen.game is None:
        raise ValueError("name the game whose policies to measure, as --game SPEC")
    else:
        game = make_game(chosen.game)
        show(time_moves([*(chosen.policies or policies_for(game))], game, seconds=chosen.seconds, seed=chosen.seed), chosen.json)
