"""Search and the oracles: what `ludus bench search` measures, and beside OpenSpiel. Shown in docs/search.md.

python -m benchmarks search
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from ludus.cli.bench import search
from ludus.cli.bench.measuring import Measurement, seconds, take_measurements
from ludus.envs import make_game
from ludus.games.game import Game
from ludus.search.mcts.guided import GuidedSearch, InlineEvaluator

from .. import RESULTS
from ..cells import Rows, Study
from ..common import quantity, table

RUNS = 5
OPENSPIEL = {"othello": ("othello", 60), "tictactoe": ("tic_tac_toe", 2)}
"""OpenSpiel's name of the game, and how many times as fast we want to be."""


def cells() -> dict[str, Any]:
    """A cell for each game, and one for Monte-Carlo trees."""
    groups = {
        "othello": lambda threads: search.othello(),
        "quarto": lambda threads: search.quarto(),
        "quixo": search.quixo,
        "trees": lambda threads: trees(),
    }
    return {name: partial(take_measurements, group, RUNS) for name, group in groups.items()}


def trees() -> Iterator[Measurement]:
    """Monte-Carlo tree search with random playouts from the start, ours and OpenSpiel's in turn, and AlphaZero's search."""
    for name, (there, aim) in OPENSPIEL.items():
        count = search.SIMULATIONS[name]
        ours, theirs = search.our_simulations(make_game(name), count), openspiel_simulations(there, count)
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


def show(rows: Rows) -> dict[str, str]:
    """A row for each measurement; ratios first, which say more than speeds, for these depend on the machine."""
    measured = sorted((row for those in rows.values() for row in those), key=lambda row: row["unit"] != "×")
    lines = [[row["what"], *(quantity(row[name], row["unit"]) for name in ("median", "slowest", "aim"))] for row in measured]
    return {"table": table(["what", "median", "slowest", "target"], lines), "runs": str(RUNS)}


STUDIES = (Study(RESULTS / "search.json", cells, show, libraries=("numpy", "llvmlite", "open_spiel")),)
