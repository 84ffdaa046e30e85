"""`ludus demo`: plays a short tournament of the quick policies on every game, keeps its games, and writes a report page."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from pathlib import Path

from ...agents.registry import plays, policies_for
from ...arena import Tournament, tournament
from ...arena.planning.plan import Plan
from ...arena.planning.planning import make_plan
from ...arena.store.schema import is_store
from ...arena.store.store import Store
from ...core.threads import available
from ...core.workers.worker import Worker
from ...envs import Game, game_names, make_game
from ..terminal.options import games, pathname, whole
from ..terminal.output import check_page
from .arena import page_of, play, resume_command, show

QUICK = {"minimax": "minimax:depth=2", "mcts": "mcts:simulations=50"}
"""Settings with which policies answer in less than a millisecond."""
SLOW = ("expectimax", "hard", "perfect")
"""Policies that take longer, or whose kernels take long to compile."""
STORE = Path("ludus-demo.sqlite")
"""Where the games are kept; those of the last demo are replaced."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("--games", action=games(), default=20, metavar="N", help="games per pair, half in each seat (default: 20)")
    parser.add_argument("--workers", action=whole(1), default=1, metavar="N", help="number of processes (default: 1)")
    page = parser.add_mutually_exclusive_group()
    page.add_argument("--report", action=pathname(), metavar="FILE", help="report page (default: ludus-demo.html)")
    page.add_argument("--no-report", action="store_true", help="do not write a report page")
    parser.set_defaults(engine="local")


def run(chosen: argparse.Namespace) -> None:
    """Plays the tournament, prints the results, and writes the page."""
    page = page_of(chosen, Path("ludus-demo.html"))
    check_page(page)
    boards = [board for name in game_names() for board in _boards(make_game(name))]
    with Worker() as worker, Worker(threads=1) as other:
        if available() > 1 and os.name == "posix":
            other.send(_play_backwards, boards)  # which compiles the kernels of the last games while the first are played
        plan, cast = make_plan(boards, _quick_policies(boards), chosen.games, seed=chosen.seed, worker=worker)
        contest = Tournament(_new_store(plan), cast)
        play(contest, chosen, f"resume with: {resume_command(STORE, plan)}")
    show(contest, chosen, page, graded=0)


def _boards(game: Game) -> list[Game]:
    """The usual board of a game, and its smallest one where that is smaller."""
    smallest = min(map(make_game, game.variants), key=lambda variant: variant.num_cells)
    return [game, smallest] if smallest.num_cells < game.num_cells else [game]


def _quick_policies(games: Iterable[Game]) -> list[str]:
    """The built-in policies that play one of the games and answer quickly."""
    names = dict.fromkeys(name for game in games for name in policies_for(game) if name not in SLOW)
    return [QUICK.get(name, name) for name in names]


def _play_backwards(boards: list[Game]) -> None:
    """Plays two games a pair on each board, the last board first."""
    for board in reversed(boards):
        tournament(board, [policy for policy in _quick_policies(boards) if plays(policy, board)], 2)


def _new_store(plan: Plan) -> Store:
    """An empty store in the place of the last demo's."""
    if STORE.exists():
        if not is_store(STORE):
            raise ValueError(f"{STORE} is not a store of ludus, and the demo keeps its games there; move it elsewhere")
        STORE.unlink()
    return Store.create(STORE, plan)
