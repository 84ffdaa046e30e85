"""`ludus demo`: plays a short tournament of all built-in policies on every game, and writes a report page."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...arena import Tournament
from ...arena.engines.guarded import Guard
from ...arena.planning.planning import draw_up
from ...arena.store.store import Store
from ...envs import game_names
from ...envs.files.writing import check_target
from ..terminal.numbers import games, whole
from .arena import light_policies, play, show


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument(
        "--games",
        action=games(),
        default=10,
        metavar="N",
        help="games per pair, half in each seat (default: 10)",
    )
    parser.add_argument("--workers", action=whole(1), default=1, metavar="N", help="number of processes (default: 1)")
    page = parser.add_mutually_exclusive_group()
    page.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        default=Path("ludus-demo.html"),
        help="report page (default: ludus-demo.html)",
    )
    page.add_argument("--no-report", action="store_true", help="do not write a report page")
    parser.set_defaults(engine="local")


def run(chosen: argparse.Namespace) -> None:
    """Plays the tournament, prints the results, and writes the page."""
    page = None if chosen.no_report else chosen.report
    if page:
        check_target(page)
    with Guard() as guard:
        plan, cast = draw_up(game_names(), light_policies(game_names()), chosen.games, seed=chosen.seed, guard=guard)
        contest = Tournament(Store.create(None, plan), cast)
        play(contest, chosen, "a demo cannot be resumed; use `ludus arena` for that")
    show(contest, chosen, page)
