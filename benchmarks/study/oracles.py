"""What an oracle costs: processor seconds until its first answer, its tables made anew, and the moves that it judges a second.

python -m benchmarks.study.findings.oracles GAME    # measures in this process, and prints the three numbers as JSON
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ludus.agents import make_policy
from ludus.arena.grading.decisions import judge
from ludus.oracles import make_oracle

from .. import ROOT
from ..common import table
from .design import GAMES
from .measuring import COUNTS, TEST, play
from .policies import title

MINUTES = 10
"""Of an oracle's processor time."""
TIMED, LEAST_SECONDS = 100, 1.0
"""An oracle judges the moves of so many games, and of as many again until it has taken so many seconds."""


@dataclass(frozen=True)
class OracleCost:
    """What an oracle costs.

    Args:
        first: processor seconds until its first answer.
        moves: the moves of random play that it judges a second.
        games: the moves of a game that it judges.
    """

    first: float
    moves: float
    games: float


def time_oracle(game: str) -> OracleCost:
    """What the oracle of a game costs in a process of its own, whose cache has compiled kernels and no tables.

    What ships with Ludus, such as the book of Quarto, is there.
    """
    command = [sys.executable, "-m", __name__, game]
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "LUDUS_CACHE": cache}
        answers = list[str]()
        for _ in range(2):  # the first process compiles the kernels
            shutil.rmtree(Path(cache) / "tables", ignore_errors=True)
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT, env=environment)
            answers.append(done.stdout)
    return msgspec.json.decode(answers[-1], type=OracleCost)


def time_here(game: str) -> OracleCost:
    """What the oracle of a game costs in this process."""
    random, seed, judged, games, spent = make_policy("random", GAMES[game].spec), TEST, 0, 0, 0.0
    _, decisions = play(random, "random", TIMED, seed, opening_plies=0)
    began = time.process_time()
    oracle = make_oracle(random.game)
    oracle.values(decisions.states[oracle.reached(decisions.states)][:1])
    first = time.process_time() - began
    while spent < LEAST_SECONDS:
        began = time.process_time()
        judged += len(judge(random.game, decisions, most=GAMES[game].judged, seed=TEST).rows)
        spent += time.process_time() - began
        games, seed = games + TIMED, seed + 1
        _, decisions = play(random, "random", TIMED, seed, opening_plies=0)
    return OracleCost(first, judged / spent, judged / games)


def show_oracles(games: Mapping[str, OracleCost]) -> dict[str, str]:
    """What ten minutes of an oracle buy."""
    lines = list[list[str]]()
    for game, cost in games.items():
        moves = cost.moves * max(0.0, 60 * MINUTES - cost.first)
        numbers = (cost.moves, moves, moves / cost.games, moves / cost.games / COUNTS[-1])
        lines.append([title(game), f"{cost.first:.1f} s", *(f"{float(f'{number:.2g}'):,.0f}" for number in numbers)])
    heads = [
        *("game", "until the first answer", "moves a second", f"moves in {MINUTES} minutes", "that is, games"),
        f"policies, each in {COUNTS[-1]:,} games",
    ]
    return {"oracles": table(heads, lines)}


if __name__ == "__main__":
    print(msgspec.json.encode(time_here(sys.argv[1])).decode())
