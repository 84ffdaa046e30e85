"""Monte-Carlo tree search beside OpenSpiel's in C++, on this machine, in the same run: simulations a second on one core.

The same work for both: a search from the start of the game, one random playout to the end for each simulation, UCT, no solver
(which would end the search), a new tree for each search. Ours and theirs run in turn; the best of several runs counts, in time of
the thread, so that a busy machine does not blur it.

    python benchmarks/mcts_peer.py --seconds 1 --runs 5
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.agents.search.mcts import PlayoutSearch
from ludus.envs import make_game

EXPLORATION = 1.4
SIMULATIONS = 10_000
GAMES = {"othello": ("othello", 60), "tictactoe": ("tic_tac_toe", 2)}
"""OpenSpiel's name of each game, and how many times as fast we want to be."""


def ours(game_spec: str, seconds: float, simulations: int = SIMULATIONS) -> float:
    """Simulations a second of our search, in searches of so many from the start of a game."""
    game = make_game(game_spec)
    search = PlayoutSearch(game, simulations, EXPLORATION, solver=False)
    return rate(lambda seed: search.search(game.start[None], np.array([seed], np.uint64)), simulations, seconds)


def openspiel(name: str, seconds: float, simulations: int = SIMULATIONS) -> float:
    """Simulations a second of OpenSpiel's `MCTSBot`, in searches of so many from the start of a game."""
    import pyspiel

    game: Any = pyspiel.load_game(name)
    start = game.new_initial_state()

    def search(seed: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, 1000, False, seed, False).mcts_search(start)

    return rate(search, simulations, seconds)


def rate(search: Callable[[int], object], simulations: int, seconds: float) -> float:
    """Simulations a second of the thread's time; the first search, which compiles or warms up, is not counted."""
    search(1)
    done, began = 0, time.thread_time()
    while (taken := time.thread_time() - began) < seconds:
        search(done + 2)
        done += 1
    return done * simulations / taken


def measured(seconds: float, runs: int) -> list[dict[str, Any]]:
    """A row for each game: the best rate of each side, and how many times as fast we are."""
    rows: list[dict[str, Any]] = []
    for spec, (name, wanted) in GAMES.items():
        pairs = [(ours(spec, seconds), openspiel(name, seconds)) for _ in range(runs)]
        we, they = (max(rates) for rates in zip(*pairs, strict=True))
        rows.append({"game": spec, "ludus": we, "openspiel": they, "times_as_fast": we / they, "target": wanted, "runs": pairs})
    return rows


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="length of one run of each (1)")
    parser.add_argument("--runs", type=int, default=5, help="runs, of which the best counts (5)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    chosen = parser.parse_args()
    rows = measured(chosen.seconds, chosen.runs)
    if chosen.json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        rates = f"ludus {row['ludus']:,.0f}, OpenSpiel {row['openspiel']:,.0f} simulations a second"
        print(f"{row['game']}: {rates}; {row['times_as_fast']:.1f} times as fast (target: {row['target']})")


if __name__ == "__main__":
    main()
