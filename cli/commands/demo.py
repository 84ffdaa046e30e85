"""`ludus demo`: plays a short tournament of all built-in policies on every game, keeps its games, and writes a report page."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...arena import Tournament
from ...arena.planning.plan import Plan
from ...arena.planning.planning import make_plan
from ...arena.store.store import Store
from ...core.workers.worker import Worker
from ...envs import game_names
from ..terminal.numbers import games, pathname, whole
from ..terminal.output import check_page
from .arena import light_policies, page_of, play, resume_command, show

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
        help="report page (default: ludus-demo.html)",
    )
    page.add_argument("--no-report", action="store_true", help="do not write a report page")
    parser.set_defaults(engine="local")


def run(chosen: argparse.Namespace) -> None:
    """Plays the tournament, prints the results, and writes the page.

    Raises:
        ValueError: there is a file of the store's name that is not a store, or what writes the page is not installed.
        OSError: the store or the page cannot be written.
    """
    page = page_of(chosen, Path("ludus-demo.html"))
    check_page(page)
    with Worker() as worker:
        plan, cast = make_plan(game_names(), light_policies(game_names()), chosen.games, seed=chosen.seed, worker=worker)
        contest = Tournament(_new_store(plan), cast)
        play(contest, chosen, f"resume with: {resume_command(STORE, plan)}")
    show(contest, chosen, page)


def _new_store(plan: Plan) -> Store:
    """An empty store in the place of the last demo's."""
    if STORE.exists():
        Store.open(STORE).close()  # another file of this name stays
        STORE.unlink()
    return Store.create(STORE, plan)
