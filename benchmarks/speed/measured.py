"""Lists of measurements: search, beside OpenSpiel's, and the oracles (docs/search.md); matches, stores, ratings, grades and pages
of the arena (docs/arena.md). All on one thread unless a line says otherwise."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ludus.agents import make_policy
from ludus.agents.minimax import Minimax
from ludus.arena import evaluate, tournament
from ludus.arena.matches.games import Pairing, PlayedGames
from ludus.arena.matches.job import Job, play_job
from ludus.arena.matches.settings import MatchSettings
from ludus.arena.quantities import numbers_of
from ludus.cli.measuring import TIMES, Measurement, call_seconds, seconds, simulation_rate, take_measurements
from ludus.envs import game_names, make_game, thread_count
from ludus.games.game import StateArray
from ludus.games.othello.rules import Othello
from ludus.games.quarto.rules import Quarto
from ludus.oracles.othello import OthelloOracle, ffo
from ludus.oracles.quarto import QuartoOracle

from .. import RESULTS
from ..common import positions_after, quantity, table
from ..runner import Rows, Study

# ---- search and the oracles

SEARCH_RUNS = 5
OPENSPIEL = {"othello": ("othello", 2000, 60), "tictactoe": ("tic_tac_toe", 50_000, 2)}
"""OpenSpiel's name of the game, simulations per search, and how many times as fast we want to be."""
GAMES = 20


def search_cells() -> dict[str, Any]:
    """A cell for each game, and one for Monte-Carlo trees."""
    groups = {"othello": othello, "quarto": quarto, "quixo": quixo, "trees": trees}
    return {name: lambda group=group: measure_in_runs(group(), SEARCH_RUNS) for name, group in groups.items()}


def measure_in_runs(measurements: Iterable[Measurement], runs: int) -> list[dict[str, Any]]:
    """The numbers of measurements, for the file of results."""
    return [numbers_of(row, TIMES) for row in take_measurements(measurements, runs)]


def show_search(rows: Rows) -> dict[str, str]:
    """A row for each measurement; ratios first, which say more than speeds, for these depend on the machine."""
    measured = sorted((row for those in rows.values() for row in those), key=lambda row: row["unit"] != "×")
    lines = [[row["what"], *(quantity(row[name], row["unit"]) for name in ("median", "slowest", "aim"))] for row in measured]
    return {"table": table(["what", "median", "slowest", "target"], lines), "runs": str(SEARCH_RUNS)}


def othello() -> Iterator[Measurement]:
    """Exact endgames, perft, the classic minimax on 6×6, and calls of minimax with next to nothing to search."""
    game = Othello()
    suite = {position.number: game.position(position.text) for position in ffo()}

    def solve(*states: StateArray) -> float:
        oracle = OthelloOracle(game)
        return sum(seconds(partial(oracle.score, state)) for state in states)

    yield Measurement("Othello: the 35 FFO positions, score and move", "s", partial(solve, *suite.values()), 8)
    yield Measurement("Othello: FFO #40 (20 empty cells)", "s", partial(solve, suite[40]), 0.8)
    yield Measurement("Othello: perft 10", "leaves/s", lambda: 24571284 / seconds(lambda: game.perft(10)), 50e6)
    small = make_game("othello:size=6")
    depth7, random = make_policy("minimax:depth=7", small), make_policy("random", small)

    def match() -> float:
        return seconds(lambda: evaluate(depth7, small, random, GAMES, opening_plies=0)) / GAMES

    yield Measurement("Othello 6×6: minimax:depth=7 against random, a game", "s", match, 8.5 / 500)
    spec = "minimax:evaluation=patterns,depth=1,endings=14"
    policy = make_policy(spec, game)
    for where, state in (("from the start", game.start), ("with one empty cell", game.position(f"{'X' * 62}O- X"))):
        yield Measurement(f"Othello: {spec} {where}, a call", "s", partial(call_seconds, policy, state), 5e-5)


def quarto() -> Iterator[Measurement]:
    """Exact value and move of positions with a piece in hand, the median of 30 random positions."""
    game = Quarto()
    for placed, aim in ((6, 0.05), (5, 0.5), (4, 5.0)):
        states = positions_after(game, 2 * placed + 1, 30)

        def solve(states: StateArray = states) -> float:
            oracle = QuartoOracle(game)  # with empty tables
            return statistics.median(seconds(partial(oracle.value_and_action, state)) for state in states)

        yield Measurement(f"Quarto: value and move, {placed} placed, one in hand", "s", solve, aim)


def quixo() -> Iterator[Measurement]:
    """A search on 5×5."""
    game = make_game("quixo")
    searcher = Minimax(game, depth=6).searcher

    def search() -> float:
        return seconds(lambda: searcher.search(game.start[None], np.zeros(1, np.uint64)))

    yield Measurement("Quixo 5×5: minimax:depth=6 from the start", "s", search, 1)


def trees() -> Iterator[Measurement]:
    """Monte-Carlo tree search with random playouts from the start, ours and OpenSpiel's in turn."""
    for name, (there, count, aim) in OPENSPIEL.items():
        ours, theirs = simulation_rate(make_game(name), count), openspiel_simulations(there, count)
        yield Measurement(f"MCTS {name}", "simulations/s", ours)
        yield Measurement(f"MCTS {name}: OpenSpiel's MCTSBot", "simulations/s", theirs)
        yield Measurement(f"MCTS {name}: times OpenSpiel", "×", lambda ours=ours, theirs=theirs: ours() / theirs(), aim)


def openspiel_simulations(name: str, count: int) -> Callable[[], float]:
    """Simulations per second of OpenSpiel's C++ bot."""
    import pyspiel  # pyright: ignore[reportMissingImports]

    spiel: Any = pyspiel
    game = spiel.load_game(name)

    def measure() -> float:
        bot = spiel.MCTSBot(game, spiel.RandomRolloutEvaluator(1, 0), 1.4, count, 1000, False, 0, False)
        return count / seconds(lambda: bot.mcts_search(game.new_initial_state()))

    return measure


# ---- the arena

MANY, SOME, BATCH = 100_000, 20_000, 4096
ARENA_RUNS = 3


def arena_cells() -> dict[str, Any]:
    """One cell with all measurements."""
    return {"all": lambda: measure_in_runs(measures(thread_count()), ARENA_RUNS)}


def show_arena(rows: Rows) -> dict[str, str]:
    """A row for each measurement."""
    return {"table": table(["what", "median"], [[row["what"], quantity(row["median"], row["unit"], 2)] for row in rows["all"]])}


def measures(workers: int) -> Iterator[Measurement]:
    """All measurements."""
    yield Measurement(f"Quixo: {MANY:,} random games, stored and rated", "s", lambda: play_random_games("quixo", MANY)[0], 10)
    yield Measurement(f"Quixo: the same by {workers} workers", "s", lambda: play_random_games("quixo", MANY, workers)[0], 10)
    for name in game_names():
        yield Measurement(f"{name}: the arena's own cost of a move, {BATCH} games at once", "µs", partial(own_cost, name), 2)
    for name in game_names():
        yield Measurement(f"{name}: random games", "games/s", lambda name=name: SOME / play_random_games(name, SOME)[0])
    for name in game_names():
        yield Measurement(f"{name}: a random game in the store", "bytes", lambda name=name: play_random_games(name, SOME)[1] / SOME)


def play_random_games(game: str, games: int, workers: int = 1) -> tuple[float, int]:
    """Plays random games, stores them in a file and rates the policies; returns the seconds and the bytes of the file."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "games.sqlite"

        def play() -> None:
            contest = tournament(game, ["random"], games, against=["random"], store=store, workers=workers)
            assert contest.ratings
            contest.store.close()

        return seconds(play), store.stat().st_size


def own_cost(name: str) -> float:
    """Microseconds per move, without the time of the policies."""
    game = make_game(name)
    random = make_policy("random", game)
    job = Job(
        pairing=Pairing(game.spec, "random", "random"),
        policies=(random, random),
        numbers=np.arange(BATCH),
        seed=0,
        settings=MatchSettings(2),
    )
    results: list[PlayedGames] = []
    took = seconds(lambda: results.append(play_job(job)))
    return 1e6 * (took - results[0].seconds.sum()) / results[0].moves.sum()


STUDIES = (
    Study(RESULTS / "search.json", search_cells, show_search, libraries=("numpy", "llvmlite", "open_spiel")),
    Study(RESULTS / "arena.json", arena_cells, show_arena),
)
