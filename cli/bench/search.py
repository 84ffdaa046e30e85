"""`ludus bench search`: measures search and the oracles, on one thread unless stated otherwise."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from ...agents import make_policy
from ...agents.mcts import Mcts
from ...agents.minimax import Minimax
from ...agents.policy import Policy
from ...arena import evaluate
from ...envs import Game, make_game
from ...games.connect_four.rules import ConnectFour
from ...games.game import StateArray
from ...games.othello.rules import Othello
from ...games.quarto.rules import Quarto
from ...oracles.connect_four import ConnectFourOracle
from ...oracles.othello import OthelloOracle, ffo
from ...oracles.quarto import QuartoOracle
from .measuring import Measurement, seconds

SIMULATIONS = {"othello": 2000, "tictactoe": 50_000}
"""Simulations per search."""
CALLS = 1000
"""So many calls of a policy are timed."""


def measures(threads: int) -> Iterator[Measurement]:
    """All measurements."""
    yield from othello()
    yield from quarto()
    yield from quixo(threads)
    yield from connect_four()
    yield from trees()


def othello() -> Iterator[Measurement]:
    """Exact endgames, perft, the classic minimax on 6×6, and calls of minimax with next to nothing to search."""
    game = Othello()
    suite = [game.position(position.text) for position in ffo()]
    hardest = next(game.position(position.text) for position in ffo() if position.number == 40)

    def solve(states: list[StateArray]) -> float:
        oracle = OthelloOracle(game)
        return sum(seconds(partial(oracle.score, state)) for state in states)

    yield Measurement("Othello: the 35 FFO positions, score and move", "s", lambda: solve(suite), 8)
    yield Measurement("Othello: FFO #40 (20 empty cells)", "s", lambda: solve([hardest]), 0.8)
    yield Measurement("Othello: perft 10", "leaves/s", lambda: 24571284 / seconds(lambda: game.perft(10)), 50e6)
    small = make_game("othello:size=6")
    depth7, random = make_policy("minimax:depth=7", small), make_policy("random", small)
    games = 20

    def match() -> float:
        return seconds(lambda: evaluate(depth7, small, random, games, opening_plies=0)) / games

    yield Measurement("Othello 6×6: minimax:depth=7 against random, a game", "s", match, 8.5 / 500)
    spec = "minimax:evaluation=patterns,depth=1,endings=14"
    policy = make_policy(spec, game)
    for where, state in (("from the start", game.start), ("with one empty cell", game.position(f"{'X' * 62}O- X"))):
        yield Measurement(f"Othello: {spec} {where}, a call", "s", partial(call_cost, policy, state), 5e-5)


def call_cost(policy: Policy, state: StateArray) -> float:
    """The median of the seconds that CALLS calls of a policy take for one position."""
    states, key = state[None], np.zeros(1, np.uint64)
    return statistics.median(seconds(partial(policy.act, states, key)) for _ in range(CALLS))


def quarto() -> Iterator[Measurement]:
    """Exact value and move of positions with a piece in hand, the median of 30 random positions."""
    game = Quarto()
    for placed, aim in ((6, 0.05), (5, 0.5), (4, 5.0)):
        states = quarto_positions(game, placed, 30)

        def solve(states: list[StateArray] = states) -> float:
            oracle = QuartoOracle(game)  # with empty tables
            return statistics.median(seconds(partial(oracle.value_and_action, state)) for state in states)

        yield Measurement(f"Quarto: value and move, {placed} placed, one in hand", "s", solve, aim)


def quarto_positions(game: Game, placed: int, count: int) -> list[StateArray]:
    """Random unfinished positions with a number of pieces placed and one in hand."""
    rng = np.random.default_rng(placed)
    states: list[StateArray] = []
    while len(states) < count:
        state = game.start
        for _ in range(2 * placed + 1):
            if game.outcome(state) is not None:
                break
            state = game.play(state, int(rng.choice(game.legal_actions(state))))
        else:
            states.append(state)
    return states


def quixo(threads: int) -> Iterator[Measurement]:
    """Solving whole boards, in new processes, and a search on 5×5."""
    yield Measurement("Quixo 3×3: all boards", "s", lambda: solving_seconds(3, 1), 0.2)
    yield Measurement(f"Quixo 4×4: all boards, threads: {threads}", "s", lambda: solving_seconds(4, threads), 20)
    game = make_game("quixo")
    policy = make_policy("minimax:depth=6", game)
    assert isinstance(policy, Minimax)

    def search() -> float:
        return seconds(lambda: policy.searcher.search(game.start[None], np.zeros(1, np.uint64)))

    yield Measurement("Quixo 5×5: minimax:depth=6 from the start", "s", search, 1)


def solving_seconds(size: int, threads: int) -> float:
    """Seconds to solve a board size in a new process, without compiling."""
    code = (
        "import time, ludus; from ludus.oracles.quixo.retrograde import solve_size; "
        "from ludus.search import Watch; ludus.set_threads(%d); solve_size(3, Watch()); "
        "began = time.perf_counter(); solve_size(%d, Watch()); print(time.perf_counter() - began)"
    )
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", code % (threads, size)]
        return float(subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout)


def connect_four() -> Iterator[Measurement]:
    """Value and distance of random positions in which no move wins at once, the median of each set."""
    game = ConnectFour()
    for discs, count, aim in ((8, 10, 0.5), (12, 40, 0.01)):
        states = quiet_positions(game, discs, count)

        def solve(states: list[StateArray] = states) -> float:
            oracle = ConnectFourOracle(game)  # with an empty table
            return statistics.median(seconds(partial(oracle.position_values, state[None])) for state in states)

        yield Measurement(f"Connect Four: value and distance, {discs} discs", "s", solve, aim)


def quiet_positions(game: ConnectFour, discs: int, count: int) -> list[StateArray]:
    """Random unfinished positions with a number of discs in which no move wins."""
    rng = np.random.default_rng(discs)
    states: list[StateArray] = []
    while len(states) < count:
        state = game.start
        while game.outcome(state) is None and game.count_discs(state[None])[0] < discs:
            state = game.play(state, int(rng.choice(game.legal_actions(state))))
        after = [game.play(state, action) for action in game.legal_actions(state)]
        if after and all(game.outcome(state) is None for state in after):
            states.append(state)
    return states


def trees() -> Iterator[Measurement]:
    """Monte-Carlo tree search with random playouts from the start."""
    for name, count in SIMULATIONS.items():
        yield Measurement(f"MCTS {name}", "simulations/s", our_simulations(make_game(name), count))


def our_simulations(game: Game, count: int) -> Callable[[], float]:
    """Simulations per second of one search from the start, without the solver, which could end it early."""
    search = Mcts(game, simulations=count, solver=False)
    key = np.zeros(1, np.uint64)
    return lambda: count / seconds(lambda: search.search(game.start[None], key))
