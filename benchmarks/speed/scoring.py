"""How many answers a second are scored by exact regret, and how long 100,000 positions with the values of all their moves take.

Answers come in batches of 1,024, about positions after random moves; a short one marks its move, a sentence says it in prose.

python -m benchmarks.speed.scoring
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from functools import partial
from itertools import chain
from statistics import median
from typing import Any

import numpy as np

import ludus
from ludus.rewards import score

from ..provenance import ROOT, RULES, Part, Study, of_times, oracle_sources, table

GAMES = ("nim", "tictactoe", "quixo:size=3", "quixo:size=4")
BATCH, BATCHES = 1024, 15
WORDS = {"marked": "<move>{move}</move>", "a sentence": "After some thought, I'll play {move}."}
POSITIONS, FROM = 100_000, "quixo:size=4"
READING = (*(f"text/{name}.py" for name in ("scoring", "reading", "prose", "marks")), "text/positions")
"""What reads and scores answers of all games."""


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """One part for each game, and one for the positions."""
    found = {
        game: of_times(partial(scored, game), partial(scored, game, 3), dict, (*oracle_sources(game), *READING)) for game in GAMES
    }
    return {**found, "positions": of_times(positions, positions, dict, (*oracle_sources(FROM), *READING))}


def scored(spec: str, batches: int = BATCHES) -> dict[str, float]:
    """Answers a second by the median batch, after one that does not count, for each way of answering."""
    game, random, found = ludus.make_game(spec), np.random.default_rng(0), dict[str, float]()
    for name, words in WORDS.items():
        times = list[float]()
        for _ in range(batches + 1):
            states = np.array([after_random_moves(game, random) for _ in range(BATCH)])
            moves = [game.move_name(int(random.choice(game.legal_actions(state)))) for state in states]
            answers = [words.format(move=move) for move in moves]
            began = time.perf_counter()
            scores = score(game, states, answers)
            times.append(time.perf_counter() - began)
            assert all(one.value_lost is not None for one in scores)
        found[name] = BATCH / median(times[1:])
    return found


def after_random_moves(game: Any, random: np.random.Generator) -> Any:
    """A position that is not finished, after 0 to 7 random moves."""
    state = game.start
    for _ in range(random.integers(8)):
        after = game.play(state, int(random.choice(game.legal_actions(state))))
        if game.outcome(after) is not None:
            break
        state = after
    return state


def positions() -> dict[str, float]:
    """Seconds of the command that writes positions, as a user has to wait for it."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["positions", FROM, "--count", str(POSITIONS), "--seed", "1", "--out", f"{folder}/positions.jsonl"]
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "ludus.cli", *command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        return {"seconds": time.perf_counter() - began}


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A table of the answers, the slowest of each kind, and the time for the positions."""
    measured = {game: found[game] for game in GAMES if game in found}
    figures = dict[str, str]()
    if measured:
        rows = [[game, *(f"{one[name]:,.0f}" for name in WORDS)] for game, one in measured.items()]
        figures["table"] = table(["answers a second", *WORDS], rows)
        figures["least"] = f"{min(chain.from_iterable(one.values() for one in measured.values())):,.0f}"
    if one := found.get("positions"):
        figures["positions"] = f"{one['seconds']:.0f} s"
    return figures


STUDY = Study(__file__, parts, shown, (*RULES, *READING, "oracles"), 0)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
