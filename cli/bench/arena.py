"""`ludus bench arena`: measures matches, stores, ratings, grades and pages, on one thread unless stated otherwise."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from ...agents import make_policy
from ...arena import grade_exact, tournament
from ...arena.matches.games import Pairing, PlayedGames
from ...arena.matches.job import Job, play_job
from ...arena.matches.settings import MatchSettings
from ...arena.report.page import write_report
from ...envs import game_names, make_game
from .measuring import Measurement, seconds

MANY, BATCH = 100_000, 4096


def measures(threads: int) -> Iterator[Measurement]:
    """All measurements."""
    yield Measurement(f"Quixo: {MANY:,} random games, stored and rated", "s", partial(time_tournament, "quixo", MANY), 10)
    yield Measurement(f"Quixo: the same by {threads} workers", "s", partial(time_tournament, "quixo", MANY, threads), 10)
    for name in game_names():
        yield Measurement(f"{name}: the arena's own cost of a move, {BATCH} games at once", "µs", partial(own_cost, name), 2)
    for name in game_names():
        yield Measurement(f"{name}: random games", "games/s", lambda name=name: 20_000 / time_tournament(name, 20_000))
    for name in game_names():
        yield Measurement(f"{name}: a random game in the store", "bytes", partial(size_of_a_game, name))
    yield Measurement("tic-tac-toe: a policy's exact grade", "s", exact_grade(), 1)
    yield Measurement("all games: a page, two policies", "s", page())


def time_tournament(game: str, games: int, workers: int = 1) -> float:
    """Seconds to play random games, store them in a file and rate the policies."""
    with tempfile.TemporaryDirectory() as folder:
        return seconds(lambda: _play(game, games, Path(folder) / "games.sqlite", workers))


def size_of_a_game(game: str, games: int = 20_000) -> float:
    """Bytes per random game in a store."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "games.sqlite"
        _play(game, games, store)
        return store.stat().st_size / games


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


def exact_grade() -> Callable[[], float]:
    """Seconds for the exact grade of a tic-tac-toe policy that is a table."""
    game = make_game("tictactoe")
    response = grade_exact("random", game).best_response
    return lambda: seconds(lambda: grade_exact(response, game))


def page() -> Callable[[], float]:
    """Seconds to write the page of a finished tournament."""
    contest = tournament(game_names(), ["random", "greedy"], 100)

    def measure() -> float:
        with tempfile.TemporaryDirectory() as folder:
            return seconds(lambda: write_report(Path(folder) / "page.html", contest))

    return measure


def _play(game: str, games: int, store: Path, workers: int = 1) -> None:
    contest = tournament(game, ["random"], games, against=["random"], store=store, workers=workers)
    assert contest.ratings
    contest.store.close()
