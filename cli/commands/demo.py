"""`ludus demo`: plays a short tournament of all built-in policies on every game, keeps its games, and writes a report page."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...arena import Tournament
from ...arena.engines.guarded import Guard
from ...arena.planning.plan import Plan
from ...arena.planning.planning import make_plan
from ...arena.store.store import Store
from ...core.files.writing import check_target
from ...envs import game_names
from ..terminal.numbers import games, pathname, whole
from .arena import light_policies, play, resume_command, show

STORE = Path("ludus-demo.sqlite")
"""Where the games are kept; those of the last demo are replaced."""


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
        action=pathname(),
        metavar="FILE",
        default=Path("ludus-demo.html"),
        help="report page (default: ludus-demo.html)",
    )
    page.add_argument("--no-report", action="store_true", help="do not write a report page")
    parser.set_defaults(engine="local")


def run(chosen: argparse.Namespace) -> None:
    """Plays the tournament, prints the results, and writes the page.

    Raises:
        ValueError: there is a file of the store's name that is not a store.
        OSError: the store or the page cannot be written.
    """
    page = None if chosen.no_report else chosen.report
    if page:
        check_target(page)
    with Guard() as guard:
        plan, cast = make_plan(game_names(), light_policies(game_names()), chosen.games, seed=chosen.seed, guard=guard)
        contest = Tournament(_new_store(plan), cast)
        play(contest, chosen, f"resume with: {resume_command(STORE, plan)}")
    show(contest, chosen, page)


def _new_store(plan: Plan) -> Store:
    """An empty store in the place of the last demo's."""
    if STORE.exists():
        Store.open(STORE).close()  # another file of this name stays
        STORE.unlink()
    return Store.create(STORE, plan)
