"""What an oracle costs: processor seconds until its first answer, its tables made anew, and the moves that it judges a second.

python -m benchmarks.study.oracles GAME COUNT    # measures in this process, by so many games, and prints the three numbers as JSON
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from ludus.agents import make_policy
from ludus.arena.grading.decisions import judge
from ludus.oracles import make_oracle

from .. import ROOT
from .design import GAMES
from .measuring import TEST, play

MINUTES = 10
"""Of an oracle's processor time."""
TIMED = 100
"""Games whose moves are judged to time an oracle."""


def time_oracle(game: str) -> dict[str, float]:
    """What the oracle of a game costs in a process of its own, whose cache has compiled kernels and no tables.

    What ships with Ludus, such as the book of Quarto, is there.
    """
    command = [sys.executable, "-m", __name__, game, str(TIMED)]
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "LUDUS_CACHE": cache}
        for _ in range(2):  # the first process compiles the kernels
            shutil.rmtree(Path(cache) / "tables", ignore_errors=True)
            done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment)
    return json.loads(done.stdout)


def main(arguments: Sequence[str]) -> None:
    """Prints the seconds until the first answer, the moves a second, and the moves of a game that it judges, of random play."""
    name, count = arguments
    random = make_policy("random", GAMES[name].spec)
    began = time.process_time()
    make_oracle(random.game).values(random.game.start[None])
    first = time.process_time() - began
    _, decisions = play(random, "random", int(count), TEST, opening_plies=0)
    began = time.process_time()
    judged = len(judge(random.game, decisions, most=GAMES[name].judged, seed=TEST).rows)
    print(json.dumps({"first": first, "moves": judged / (time.process_time() - began), "games": judged / int(count)}))


if __name__ == "__main__":
    main(sys.argv[1:])
