"""`ludus bench`: measures how fast environments, policies, the search, the arena, the pages in the browser or the compiler are."""

from __future__ import annotations

import argparse
from importlib import import_module

from ...core.plugins.loading import check_installed
from ..bench import compile as compile_bench
from ..bench import environments, measuring, policies
from ..terminal.numbers import seconds, whole


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add(
        "what",
        nargs="?",
        default="environments",
        choices=["environments", "policies", "search", "arena", "web", "page", "compile"],
        help="what to measure (default: environments)",
    )
    add("--seconds", action=seconds(), default=1.0, help="environments and policies only: length of one run (default: 1)")
    add("--runs", action=whole(1), default=3, help="number of runs, of which the median is shown (default: 3)")
    add("--boards", action=whole(1), default=8192, help="environments only: number of boards (default: 8192)")
    add("--game", metavar="SPEC", help="policies only: the game")
    add("--policies", nargs="+", metavar="SPEC", help="policies only: which (default: all that play the game)")


def run(chosen: argparse.Namespace) -> None:
    """Measures, and prints medians."""
    if chosen.what == "environments":
        environments.run(chosen.seconds, chosen.runs, chosen.boards, chosen.json)
    elif chosen.what == "policies":
        if chosen.game is None:
            raise ValueError("name the game whose policies to measure, as --game SPEC")
        policies.run(chosen.game, chosen.policies, chosen.seconds, chosen.seed, chosen.json)
    elif chosen.what == "compile":
        compile_bench.run(chosen.runs, chosen.json)
    else:
        if chosen.what in ("arena", "web"):
            check_installed(f"ludus bench {chosen.what}", "report" if chosen.what == "arena" else "web")
        measuring.run(import_module(f"...bench.{chosen.what}", __name__).measures, chosen.runs, chosen.json)
