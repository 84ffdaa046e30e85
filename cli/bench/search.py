"""`ludus bench search`: measures search and the oracles, on one thread unless stated otherwise."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

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
from ...search.mcts.guided import GuidedSearch, InlineEvaluator
from .measuring import Measurement, seconds

OPENSPIEL = {"othello": ("othello", 2000, 60), "tictactoe": ("tic_tac_toe", 50_000, 2)}
"""OpenSpiel's name of the game, simulations per search, and how many times as fast we want to be."""
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
    yield Measurement("Quixo 3×3: all boards", "s", lambda: solving_cost(3, 1)[0], 0.2)
    yield Measurement(f"Quixo 4×4: all boards, threads: {threads}", "s", lambda: solving_cost(4, threads)[0], 20)
    if find_spec("resource"):  # not on Windows
        yield Measurement(f"Quixo 4×4: memory while solving, threads: {threads}", "MB", lambda: solving_cost(4, threads)[1], 500)
    game = make_game("quixo")
    policy = make_policy("minimax:depth=6", game)
    assert isinstance(policy, Minimax)

    def search() -> float:
        return seconds(lambda: policy.searcher.search(game.start[None], np.zeros(1, np.uint64)))

    yield Measurement("Quixo 5×5: minimax:depth=6 from the start", "s", search, 1)


def solving_cost(size: int, threads: int) -> tuple[float, float]:
    """Seconds to solve a board size in a new process, without compiling, and its peak memory in MB; nan where it is not known."""
    kilobyte = 1024 if sys.platform == "darwin" else 1  # macOS counts bytes
    peak = f"__import__('resource').getrusage(0).ru_maxrss / {1024 * kilobyte}" if find_spec("resource") else "float('nan')"
    code = (
        "import time, ludus; from ludus.oracles.quixo.retrograde import solve_size; "
        "from ludus.search import Watch; ludus.set_threads(%d); solve_size(3, Watch()); "
        "began = time.perf_counter(); solve_size(%d, Watch()); print(time.perf_counter() - began); "
        "print(%s)"
    )
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.run(
            [sys.executable, "-c", code % (threads, size, peak)],
            check=True,
            capture_output=True,
            text=True,
            cwd=folder,
            env=os.environ,
        )
    took, memory = process.stdout.split()
    return float(took), float(memory)


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
    """Monte-Carlo tree search with random playouts from the start, ours and OpenSpiel's in turn."""
    for name, (there, count, aim) in OPENSPIEL.items():
        ours, theirs = our_simulations(make_game(name), count), openspiel_simulations(there, count)
        yield Measurement(f"MCTS {name}", "simulations/s", ours)
        if theirs is not None:
            yield Measurement(f"MCTS {name}: OpenSpiel's MCTSBot", "simulations/s", theirs)
            yield Measurement(f"MCTS {name}: times OpenSpiel", "×", partial(ratio, ours, theirs), aim)
    for formula in ("puct", "gumbel"):
        what = f"AlphaZero's search by {formula}, othello, 64 boards of 32 simulations, free network"
        yield Measurement(what, "simulations/s", guided_simulations(make_game("othello"), formula, 64, 32))


def guided_simulations(game: Game, formula: str, boards: int, count: int) -> Callable[[], float]:
    """Simulations per second from the start with a network that takes no time, over ten searches."""
    search, states = GuidedSearch(game, count, formula=formula, solver=False), np.repeat(game.start[None], boards, axis=0)
    return lambda: 10 * boards * count / seconds(lambda: [search.search(states, InlineEvaluator()) for _ in range(10)])


def ratio(ours: Callable[[], float], theirs: Callable[[], float]) -> float:
    """How many times as fast we are, measured in turn."""
    return ours() / theirs()


def our_simulations(game: Game, count: int) -> Callable[[], float]:
    """Simulations per second of one search from the start, without the solver, which could end it early."""
    search = Mcts(game, simulations=count, solver=False)
    key = np.zeros(1, np.uint64)
    return lambda: count / seconds(lambda: search.search(game.start[None], key))


def openspiel_simulations(name: str, count: int) -> Callable[[], float] | None:
    """Simulations per second of OpenSpiel's C++ bot; None if OpenSpiel is not installed."""
    try:
        import pyspiel  # pyright: ignore[reportMissingImports]
    except ImportError:
        return None
    spiel: Any = pyspiel
    game = spiel.load_game(name)

    def measure() -> float:
        bot = spiel.MCTSBot(game, spiel.RandomRolloutEvaluator(1, 0), 1.4, count, 1000, False, 0, False)
        return count / seconds(lambda: bot.mcts_search(game.new_initial_state()))

    return measure
