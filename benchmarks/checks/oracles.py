"""Oracles beside programs of others: Othello's on the long endgames of the FFO suite (docs/search.md), and Connect Four's on the
starts of all boards and on random positions (docs/games/connect_four.md).

    python -m benchmarks ffo --zebra SCRZEBRA
    python -m benchmarks connect_four starts
    python -m benchmarks connect_four referees speed --program C4SOLVER --python PYTHON

SCRZEBRA is the program of https://github.com/hoshir/zebra (commit c4a4acc), built by `make scrzebra`, in a folder with its
coeffs2.bin. C4SOLVER is the program of https://github.com/PascalPons/connect4, built by its
Makefile; it reads positions as columns and prints scores as ours. PYTHON is an interpreter with bitbully (PyPI). They are under the
GPL and the AGPL, so none comes with ludus.

The endgames were published in FForum, the magazine of the Fédération Française d'Othello; #40 to #59 are also at
http://radagast.se/othello/ffotest.html. oracles.tsv has a line for each: its number, the cells from a1 row by row, the player to
move, the exact score for that player, the best moves, and the seconds that Egaroucid 7.8.0 (Windows x64 SIMD, 42 threads) and Edax
4.5.5 (x86-64-v3, 32 threads) took on a Core i9-13900K. These are from the files 000 and 010 of Egaroucid's benchmarks:
https://www.egaroucid.nyanyan.dev/en/technology/benchmarks/7_8_0/
"""

from __future__ import annotations

import resource
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludus.arena.report.words import with_sign
from ludus.cli.measuring import seconds
from ludus.core.files.writing import write_whole
from ludus.envs import Game, make_game
from ludus.oracles import make_oracle
from ludus.oracles.connect_four.search import ConnectFourSearcher
from ludus.oracles.othello import OthelloOracle
from ludus.search.watch import Watch

from .. import RESULTS
from ..common import children_seconds, run, table
from ..runner import Rows, Study

# ---- Othello's long endgames

LIMIT = 180
"""Processor seconds of each program for a position."""
TABLE_BITS = 24
NEARLY_OVER = f"{'X' * 62}O- X"
"""A position that takes no time, to measure how long a process takes to start."""


class LongEndgame(NamedTuple):
    """A line of ffo.tsv."""

    number: str
    cells: str
    mover: str
    score: int
    best: list[str]
    egaroucid: float
    edax: float

    @property
    def text(self) -> str:
        return f"{self.cells} {self.mover}"


def long_endgames() -> list[LongEndgame]:
    """The positions, by number."""
    lines = (line.split("\t") for line in Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8").splitlines())
    return [
        LongEndgame(number, board, mover, int(score), best.split(), float(egaroucid), float(edax))
        for number, board, mover, score, best, egaroucid, edax in lines
    ]


def ffo_cells(zebra: str = "") -> dict[str, Callable[[], dict[str, Any]]]:
    """Each position: the score and a best move, by ours and then by Zebra, one thread each.

    Args:
        zebra: the path of scrzebra.
    """
    return {endgame.number: partial(solve_endgame, endgame, zebra) for endgame in long_endgames()}


def solve_endgame(endgame: LongEndgame, zebra: str) -> dict[str, Any]:
    """Our nodes and processor seconds, and Zebra's seconds, less those of its start; None for seconds beyond LIMIT.

    Raises:
        RuntimeError: a score or a move is not what was published.
    """
    game = make_game("othello")
    oracle = OthelloOracle(game, empties=endgame.cells.count("-"), table_bits=TABLE_BITS)  # pyright: ignore[reportArgumentType]
    oracle.prepare()
    began = time.process_time()
    watch = Watch(report=lambda watch: watch.stop() if time.process_time() - began > LIMIT else None)
    answer = oracle.score(game.position(endgame.text), watch)
    row: dict[str, Any] = {"move": None, "nodes": watch.nodes, "seconds": None}
    if answer is not None:
        row |= {"move": game.move_name(answer[1]), "seconds": time.process_time() - began}
        check_answer(endgame, answer[0], row["move"])
    score, move, took = ask_zebra(zebra, endgame.text)
    if score is not None:
        check_answer(endgame, score, move)
    return {**row, "zebra": None if score is None else max(0.0, took - ask_zebra(zebra, NEARLY_OVER)[2])}


def check_answer(endgame: LongEndgame, score: int, move: str) -> None:
    """Compares an answer with what was published."""
    if (score, move in endgame.best) != (endgame.score, True):
        raise RuntimeError(f"FFO #{endgame.number} is {endgame.score:+} by {' or '.join(endgame.best)}, not {score:+} by {move}")


def ask_zebra(program: str, text: str) -> tuple[int | None, str, float]:
    """The score for the player to move and the move by Zebra, on one thread, and the processor seconds of its process.

    Beyond LIMIT the score is None.

    Raises:
        CalledProcessError: it ended with an error.
    """
    with tempfile.TemporaryDirectory() as folder:
        script, answer = Path(folder, "script"), Path(folder, "answer")
        write_whole(script, f"{text}\n".encode())
        before = children_seconds()
        command = [program, "-n", "1", "-line", "1", "-script", str(script), str(answer)]
        limit = partial(resource.setrlimit, resource.RLIMIT_CPU, (LIMIT, LIMIT))
        ended = subprocess.run(command, cwd=Path(program).parent, stdout=subprocess.DEVNULL, preexec_fn=limit, check=False)
        took = children_seconds() - before
        # the limit is counted by the clock's ticks, which come out a few seconds off; a kill long before it is of something else
        if ended.returncode == -signal.SIGXCPU or (ended.returncode == -signal.SIGKILL and took > 0.9 * LIMIT):
            return None, "", took
        ended.check_returncode()
        black, _, white, move = next(
            line.split()[:4] for line in answer.read_text(encoding="utf-8").splitlines() if line.strip() and line[0] != "%"
        )
    score = int(black) - int(white)
    return score if text.endswith("X") else -score, move, took


def show_ffo(rows: Rows) -> dict[str, str]:
    """A line for each position; without a score and a move where ours did not find them."""
    lines = list[list[str]]()
    for endgame in long_endgames():
        row = rows[endgame.number]
        empty, nodes = str(endgame.cells.count("-")), f"{row['nodes'] / 1e6:,.1f}"
        answer = [with_sign(endgame.score), row["move"]] if row["move"] else ["", ""]
        seconds = [f"over {LIMIT}" if row[whose] is None else f"{row[whose]:.2f}" for whose in ("seconds", "zebra")]
        published = [f"{each:.3f}" for each in (endgame.egaroucid, endgame.edax)]
        lines.append([f"#{endgame.number}", empty, *answer, nodes, *seconds, *published])
    heads = ["position", "empty cells", "score", "move", "million nodes", "seconds", "Zebra, seconds"]
    return {"table": table([*heads, "Egaroucid, published", "Edax, published"], lines, align="lrrlr")}


# ---- Connect Four's positions

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


def connect_four_cells(program: str = "", python: str = "") -> dict[str, Any]:
    """The starts; 1,000 positions of 8 to 36 discs, whose scores are compared; the time from 8 and from 12 discs on.

    Args:
        program: the path of Pascal Pons's c4solver.
        python: an interpreter with bitbully.
    """
    others = {"connect4": partial(connect4, program), "bitbully": partial(bitbully, python)}
    return {
        **{f"starts {rows}×{columns}": partial(solve_start, rows, columns) for columns, rows in product(range(4, 8), range(4, 7))},
        **{f"referees {name}": partial(compare, other, 1000) for name, other in others.items()},
        **{f"speed {discs}": partial(measure_times, partial(connect4, program), discs, 40) for discs in PLAYED},
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
    same = sum(one == two for one, two in zip(ours, theirs, strict=True))
    return {"positions": count, "equal": same, "ours": time.perf_counter() - middle, "theirs": middle - began}


def measure_times(other: Callable[[Sequence[str]], list[int]], discs: int, count: int) -> dict[str, Any]:
    """The time of positions with a number of discs, ours and the other program's, one by one in turn; milliseconds."""
    game, lines = make_game("connect_four"), random_lines(discs, discs, count)
    start = seconds(partial(other, lines[:0]))  # of its process
    searcher, pairs = ConnectFourSearcher(game, 22), list[tuple[float, float]]()
    for line in lines:
        (score, ours), began = scores_of(game, [line], searcher)[0], time.perf_counter()
        assert other([line]) == [score], line
        pairs.append((1000 * ours, max(0.0, 1000 * (time.perf_counter() - began - start))))
    return {"count": count} | {whose: spread([pair[i] for pair in pairs]) for i, whose in enumerate(("ours", "theirs"))}


def spread(times: list[float]) -> dict[str, float]:
    """The median, the mean and the 99th percentile."""
    return {"median": statistics.median(times), "mean": statistics.fmean(times), "p99": float(np.quantile(times, 0.99))}


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
    return run(*command, input="".join(f"{line}\n" for line in lines), cwd=folder).splitlines()[: len(lines)]


def show_connect_four(rows: Rows) -> dict[str, str]:
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


STUDIES = (
    Study(RESULTS / "ffo.json", ffo_cells, show_ffo, usage="--zebra SCRZEBRA"),
    Study(RESULTS / "connect_four.json", connect_four_cells, show_connect_four, usage="--program C4SOLVER --python PYTHON"),
)
