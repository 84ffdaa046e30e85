"""`ludus perft GAME DEPTH`: counts the leaves of the game tree, and the lines of exactly this many plies.

A game that ended before the depth counts as one leaf, and is no such line."""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from ...core.numbers import several
from ...envs import make_game
from ...games.game import MOST_DEPTH
from ...records.positions import state_of
from ..terminal.options import whole
from ..terminal.output import print_result

T = TypeVar("T")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("game", help="spec of the game, for example othello:size=6")
    parser.add_argument("depth", action=whole(0, MOST_DEPTH), help="depth in plies")
    parser.add_argument("--position", help="position to start from (default: the start of the game)")


def run(chosen: argparse.Namespace) -> None:
    """Counts, and prints the number."""
    game = make_game(chosen.game)
    state = game.start if chosen.position is None else state_of(game, chosen.position)
    game.perft(min(chosen.depth, 0), state)  # compiles; this is not timed
    began = time.perf_counter()
    leaves, lines = run_interruptibly(lambda: game.perft_counts(chosen.depth, state))
    seconds = time.perf_counter() - began
    document = {"game": game.spec, "depth": chosen.depth, "position": game.text(state)}
    rate = f", {leaves / seconds / 1e6:.1f} M leaves/s" if seconds > 1e-3 else ""
    counts = several(leaves, "leaf", "leaves")
    if lines < leaves:
        counts += f", {several(lines, 'line')} of exactly {several(chosen.depth, 'ply', 'plies')},"
    print_result(
        chosen.json,
        document | {"leaves": leaves, "lines": lines, "seconds": seconds},
        f"{game.spec} depth {chosen.depth}: {counts} in {seconds:.3f} s{rate}",
    )


def run_interruptibly(work: Callable[[], T]) -> T:
    """Runs long compiled work in a thread, so that Ctrl-C can interrupt it, and returns its result."""
    results = list[T]()
    # Python handles Ctrl-C in the main thread, and not while that runs compiled code
    thread = threading.Thread(target=lambda: results.append(work()), daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
    return results[0]
