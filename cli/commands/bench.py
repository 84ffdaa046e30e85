"""`ludus bench`: measures how fast environments, policies and search are on this machine."""

from __future__ import annotations

import argparse
import platform
import statistics

from ...agents.registry import policies_for
from ...arena.move_times import time_moves
from ...arena.quantities import cells_of, headings, numbers_of
from ...envs import make_game, thread_count
from .. import measuring
from ..machine import conditions, describe_machine, machine
from ..terminal.options import seconds, whole
from ..terminal.output import print_json, print_table, show


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
        bench_environments(chosen)
    elif chosen.what == "search":
        bench_search(chosen)
    elif chosen.game is None:
        raise ValueError("name the game whose policies to measure, as --game SPEC")
    else:
        game = make_game(chosen.game)
        show(time_moves([*(chosen.policies or policies_for(game))], game, seconds=chosen.seconds, seed=chosen.seed), chosen.json)


def bench_environments(chosen: argparse.Namespace) -> None:
    """Measures the speed of the environments, and the time until a process has its first one."""
    rows = measuring.measure_environments(chosen.seconds, chosen.runs, chosen.boards)
    start = statistics.median([measuring.start_seconds() for _ in range(chosen.runs + 1)][1:])
    here, now = machine(), conditions()
    if chosen.json:
        speeds = [numbers_of(row, measuring.SPEEDS) for row in rows]
        about = {"machine": here, "conditions": now, "threads": thread_count()}
        print_json({**about, "steps_per_second": speeds, "start_seconds": start})
        return
    where = f"{describe_machine(here, now['mhz'])}, Python {platform.python_version()}"
    title = f"median of {chosen.runs} runs, {thread_count()} threads, {where}"
    print_table(title, headings(measuring.SPEEDS), [cells_of(row, measuring.SPEEDS) for row in rows], left=2)
    print(f"process start to first gym.make(...).reset(), caches warm: {start:.2f} s")


def bench_search(chosen: argparse.Namespace) -> None:
    """Measures Monte-Carlo tree search and minimax from the start of each game, on one thread."""
    rows = measuring.take_measurements(measuring.search_measurements(), chosen.runs)
    if chosen.json:
        measured = [numbers_of(row, measuring.TIMES) for row in rows]
        print_json({"threads": thread_count(), "runs": chosen.runs, "measured": measured})
        return
    cells = [cells_of(row, measuring.TIMES) for row in rows]
    print_table(f"median of {chosen.runs} runs", headings(measuring.TIMES), cells, left=2)
