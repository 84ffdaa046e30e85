"""`ludus bench search`: measures Monte-Carlo tree search and minimax from the start of each game, on one thread."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from ...agents.mcts import Mcts
from ...agents.minimax import Minimax
from ...agents.policy import Policy
from ...envs import Game, game_names, make_game, thread_count
from ...games.game import StateArray
from ..terminal.output import print_json, print_table
from .measuring import Measurement, seconds, take_measurements

SIMULATIONS = 2000
DEPTH = 6
CALLS = 1000
"""How many calls of a policy are timed, of which the median counts."""


def run(runs: int, as_json: bool) -> None:
    """Measures, and prints medians.

    Args:
        runs: how often to measure each.
        as_json: print JSON.
    """
    rows = take_measurements(measures(), runs)
    if as_json:
        print_json({"threads": thread_count(), "runs": runs, "measured": rows})
        return
    lines = [(row["what"], row["unit"], *(_number(row[key]) for key in ("median", "slowest", "fastest", "aim"))) for row in rows]
    print_table(f"median of {runs} runs", ["what", "unit", "median", "slowest", "fastest", "aim"], lines, left=2)


def measures() -> Iterator[Measurement]:
    """Of each game the speed of `mcts`, the time of a fixed depth of minimax, and a call with next to nothing to search."""
    for game in map(make_game, game_names()):
        shallow, deep = Minimax(game, depth=1), Minimax(game, depth=DEPTH)
        yield Measurement(f"{game.spec}: mcts", "simulations/s", simulation_rate(game, SIMULATIONS))
        yield Measurement(f"{game.spec}: {deep.spec}", "s", partial(call_seconds, deep, game.start, calls=1), 1)
        yield Measurement(f"{game.spec}: {shallow.spec}, a call", "s", partial(call_seconds, shallow, game.start), 5e-5)


def simulation_rate(game: Game, count: int) -> Callable[[], float]:
    """Measures the simulations per second of one search from the start, without the solver, which could end it early."""
    search, key = Mcts(game, simulations=count, solver=False), np.zeros(1, np.uint64)
    return lambda: count / seconds(lambda: search.search(game.start[None], key))


def call_seconds(policy: Policy, state: StateArray, calls: int = CALLS) -> float:
    """The median of the seconds that calls of a policy take for one position."""
    states, key = state[None], np.zeros(1, np.uint64)
    return statistics.median(seconds(partial(policy.act, states, key)) for _ in range(calls))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
