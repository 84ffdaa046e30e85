"""Connect Four's oracle: the starts of all boards, and two other programs on the same positions. See docs/games/connect_four.md.

    python -m benchmarks connect_four starts
    python -m benchmarks connect_four referees speed --program C4SOLVER --python PYTHON

C4SOLVER is the program of https://github.com/PascalPons/connect4, built by its Makefile; it reads positions as columns and prints
scores as ours. PYTHON is an interpreter with bitbully (PyPI). Both are under the AGPL, so neither comes with ludus.
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from ludus.envs import Game, make_game
from ludus.oracles import make_oracle
from ludus.oracles.connect_four.search import ConnectFourSearcher
from ludus.search.watch import Watch

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study

PLAYED = (8, 12)
"""Discs of the positions whose time is measured."""
BITBULLY = """
import sys
from bitbully import BitBully, Board
solver = BitBully()
for line in sys.stdin:
    board = Board()
    for column in line.strip():
        board.play(int(column) - 1)
    print(solver.mtdf(board), flush=True)
"""


def cells(program: str = "", python: str = "") -> dict[str, Any]:
    """The starts; 1,000 positions of 8 to 36 discs, whose scores are compared; the time from 8 and from 12 discs on.

    Args:
        program: the path of Pascal Pons's c4solver.
        python: an interpreter with bitbully.
    """
    others = {"connect4": partial(connect4, program), "bitbully": partial(bitbully, python)}
    return {
        **{f"starts {rows}×{columns}": partial(solve_start, rows, columns) for columns, rows in product(range(4, 8), range(4, 7))},
        **{f"referees {name}": partial(compare, other, 1000) for name, other in others.items()},
        **{f"speed {discs}": partial(measure, partial(connect4, program), discs, 40) for discs in PLAYED},
    }


def solve_start(rows: int, columns: int) -> dict[str, Any]:
    """The value of an empty board, the distance, and the first moves that keep the value."""
    game = make_game("connect_four", rows=rows, columns=columns)
    began = time.perf_counter()
    solution = make_oracle(game, table_bits=26).solve(game.start, Watch())
    best = [game.move_name(action) for action in solution.best]
    return {"value": solution.value, "distance": solution.distance, "best": best, "seconds": time.perf_counter() - began}


def compare(other: Callable[[Sequence[str]], list[int]], count: int) -> dict[str, Any]:
    """How many of random positions get the same score from another program, and the time of both."""
    game, lines = make_game("connect_four"), random_lines(8, 36, count)
    began = time.perf_counter()
    theirs = other(lines)
    middle = time.perf_counter()
    ours = [score for score, _ in scores_of(game, lines)]
    seconds = time.perf_counter() - middle, middle - began
    same = sum(one == two for one, two in zip(ours, theirs, strict=True))
    return {"positions": count, "equal": same, "ours": seconds[0], "theirs": seconds[1]}


def measure(other: Callable[[Sequence[str]], list[int]], discs: int, count: int) -> dict[str, Any]:
    """The time of positions with a number of discs, ours and the other program's, one by one in turn; milliseconds."""
    game, lines = make_game("connect_four"), random_lines(discs, discs, count)
    start = seconds_of(partial(other, lines[:0]))  # of its process
    searcher, pairs = ConnectFourSearcher(game, 22), list[tuple[float, float]]()
    for line in lines:
        (score, ours), began = scores_of(game, [line], searcher)[0], time.perf_counter()
        assert other([line]) == [score], line
        pairs.append((1000 * ours, max(0.0, 1000 * (time.perf_counter() - began - start))))
    return {"count": count} | {whose: spread([pair[i] for pair in pairs]) for i, whose in enumerate(("ours", "theirs"))}


def spread(times: list[float]) -> dict[str, float]:
    """The median, the mean and the 99th percentile."""
    return {"median": statistics.median(times), "mean": statistics.fmean(times), "p99": float(np.quantile(times, 0.99))}


def seconds_of(work: Callable[[], Any]) -> float:
    """How long some work takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def random_lines(least: int, most: int, count: int) -> list[str]:
    """Random unfinished positions in which no move wins, as the columns that were played, counted from 1."""
    game, rng, lines = make_game("connect_four"), np.random.default_rng(least), list[str]()
    while len(lines) < count:
        state, line = game.start, ""
        for _ in range(int(rng.integers(least, most + 1))):
            if game.outcome(state) is None:
                action = int(rng.choice(game.legal_actions(state)))
                state, line = game.play(state, action), f"{line}{action + 1}"
        after = [game.play(state, action) for action in game.legal_actions(state)]
        if after and len(line) >= least and all(game.outcome(state) is None for state in after):
            lines.append(line)
    return lines


def scores_of(game: Game, lines: Sequence[str], searcher: ConnectFourSearcher | None = None) -> list[tuple[int, float]]:
    """Our score of each position, and its seconds."""
    searcher, results = searcher or ConnectFourSearcher(game, 22), list[tuple[int, float]]()  # pyright: ignore[reportArgumentType]
    for line in lines:
        state, words = game.play_line([int(column) - 1 for column in line])[-1], Watch().words
        began = time.perf_counter()
        results.append((searcher.score(state, words), time.perf_counter() - began))
    return results


def connect4(program: str, lines: Sequence[str]) -> list[int]:
    """The scores by Pascal Pons's program."""
    with tempfile.TemporaryDirectory() as folder:  # where no book lies
        printed = piped([program], lines, folder)
    return [int(line.split()[1]) for line in printed]


def bitbully(python: str, lines: Sequence[str]) -> list[int]:
    """The scores by BitBully, with its book of twelve plies: it needs several times as long as ours without."""
    return [int(line) for line in piped([python, "-c", BITBULLY], lines, None)]


def piped(command: list[str], lines: Sequence[str], folder: str | None) -> list[str]:
    """What a program prints that reads lines."""
    text = "".join(f"{line}\n" for line in lines)
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=folder).stdout.split("\n")[
        : len(lines)
    ]


def show(rows: Rows) -> dict[str, str]:
    """The starts by rows and columns, and sentences of the referees and the times."""
    words = {1: "won in {} plies", 0: "drawn", -1: "lost in {} plies"}
    starts = list[list[str]]()
    for height in range(6, 3, -1):
        each = [rows[f"starts {height}×{width}"] for width in range(4, 8)]
        starts.append([str(height), *(words[row["value"]].format(row["distance"]) for row in each)])
    figures = {"starts": table(["rows", *(f"{width} columns" for width in range(4, 8))], starts, align="lllll")}
    for name in ("connect4", "bitbully"):
        row = rows[f"referees {name}"]
        figures[f"referees.{name}"] = f"{row['equal']:,} of {row['positions']:,}"
    figures["ratio"] = f"{rows['referees connect4']['theirs'] / rows['referees connect4']['ours']:.1f}"
    times = [
        [str(discs), whose, *(f"{rows[f'speed {discs}'][side][name]:.1f}" for name in ("median", "mean", "p99"))]
        for discs in PLAYED
        for side, whose in (("ours", "ludus"), ("theirs", "connect4"))
    ]
    return figures | {"times": table(["discs", "whose", "median, ms", "mean, ms", "99th percentile, ms"], times, align="llrrr")}


STUDIES = (Study(RESULTS / "connect_four.json", cells, show, usage="--program C4SOLVER --python PYTHON"),)
