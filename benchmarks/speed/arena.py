"""Matches, stores, ratings, grades and pages of the arena, on one thread unless a line says otherwise. Shown in docs/arena.md."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ludus.agents import make_policy
from ludus.arena import grade_exact, tournament
from ludus.arena.matches.games import Pairing, PlayedGames
from ludus.arena.matches.job import Job, play_job
from ludus.arena.matches.settings import MatchSettings
from ludus.arena.report.page import write_report
from ludus.cli.measuring import Measurement, seconds, take_measurements
from ludus.envs import game_names, make_game, thread_count

from .. import RESULTS
from ..common import quantity, table
from ..runner import Rows, Study

MANY, SOME, BATCH = 100_000, 20_000, 4096
RUNS = 3


def cells() -> dict[str, Any]:
    """One cell with all measurements."""
    return {"all": lambda: take_measurements(measures(thread_count()), RUNS)}


def show(rows: Rows) -> dict[str, str]:
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
    yield Measurement("tic-tac-toe: a policy's exact grade", "s", exact_grade(), 1)
    yield Measurement("all games: a page, two policies", "s", page())


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


STUDIES = (Study(RESULTS / "arena.json", cells, show),)
