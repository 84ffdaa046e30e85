"""Oracles beside programs of others: Othello's on the long endgames of the FFO suite (docs/search.md), and Connect Four's on the
starts of all boards and on random positions (docs/games/connect_four.md).

    python -m benchmarks ffo --zebra SCRZEBRA
    python -m benchmarks connect_four starts
    python -m benchmarks connect_four referees --program C4SOLVER

SCRZEBRA is the program of https://github.com/hoshir/zebra (commit c4a4acc), built by `make scrzebra`, in a folder with its
coeffs2.bin. C4SOLVER is the program of https://github.com/PascalPons/connect4, built by its
Makefile; it reads positions as columns and prints scores as ours. They are under the GPL and the AGPL, so none comes with ludus.

The endgames were published in FForum, the magazine of the Fédération Française d'Othello; #40 to #59 are also at
http://radagast.se/othello/ffotest.html. oracles.tsv has a line for each: its number, the cells from a1 row by row, the player to
move, the exact score for that player, the best moves, and the seconds that Egaroucid 7.8.0 (Windows x64 SIMD, 42 threads) and Edax
4.5.5 (x86-64-v3, 32 threads) took on a Core i9-13900K. These are from the files 000 and 010 of Egaroucid's benchmarks:
https://www.egaroucid.nyanyan.dev/en/technology/benchmarks/7_8_0/
"""

from __future__ import annotations

import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludus.core.files.writing import write_whole
from ludus.core.words import with_sign
from ludus.envs import make_game
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
    """Our nodes and processor seconds, and Zebra's seconds, less those of its start; None for seconds beyond LIMIT. RuntimeError
    where a score or a move is not what was published."""
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
    """The score for the player to move, None beyond LIMIT, and the move by Zebra, on one thread, and the processor seconds of its
    process."""
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


def connect_four_cells(program: str = "") -> dict[str, Any]:
    """The starts, and 1,000 positions of 8 to 36 discs, whose scores are compared.

    Args:
        program: the path of Pascal Pons's c4solver.
    """
    starts = {
        f"starts {rows}×{columns}": partial(solve_start, rows, columns) for columns, rows in product(range(4, 8), range(4, 7))
    }
    return {**starts, "referees connect4": partial(compare, program, 1000)}


def solve_start(rows: int, columns: int) -> dict[str, Any]:
    """The value of an empty board, the distance, and the first moves that keep the value."""
    game = make_game("connect_four", rows=rows, columns=columns)
    began = time.perf_counter()
    solution = make_oracle(game, table_bits=26).solve(game.start, Watch())
    best = [game.move_name(action) for action in solution.best]
    return {"value": solution.value, "distance": solution.distance, "best": best, "seconds": time.perf_counter() - began}


def compare(program: str, count: int) -> dict[str, Any]:
    """How many of random positions get the same score from Pascal Pons's program, without a book, and the time of both."""
    game, lines = make_game("connect_four"), random_lines(8, 36, count)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:  # where no book lies
        printed = run(program, input="".join(f"{line}\n" for line in lines), cwd=folder).splitlines()[:count]
    middle = time.perf_counter()
    searcher = ConnectFourSearcher(game, 22)  # pyright: ignore[reportArgumentType]
    states = [game.play_line([int(column) - 1 for column in line])[-1] for line in lines]
    ours = [searcher.score(state, Watch().words) for state in states]
    same = sum(score == int(line.split()[1]) for score, line in zip(ours, printed, strict=True))
    return {"positions": count, "equal": same, "ours": time.perf_counter() - middle, "theirs": middle - began}


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


def show_connect_four(rows: Rows) -> dict[str, str]:
    """The starts by rows and columns, and how many scores another program confirms, in how many times the time."""
    words = {1: "won in {} plies", 0: "drawn", -1: "lost in {} plies"}
    starts = list[list[str]]()
    for height in range(6, 3, -1):
        each = [rows[f"starts {height}×{width}"] for width in range(4, 8)]
        starts.append([str(height), *(words[row["value"]].format(row["distance"]) for row in each)])
    row = rows["referees connect4"]
    return {
        "starts": table(["rows", *(f"{width} columns" for width in range(4, 8))], starts, align="lllll"),
        "referees.connect4": f"{row['equal']:,} of {row['positions']:,}",
        "ratio": f"{row['theirs'] / row['ours']:.1f}",
    }


STUDIES = (
    Study(RESULTS / "ffo.json", ffo_cells, show_ffo, usage="--zebra SCRZEBRA"),
    Study(RESULTS / "connect_four.json", connect_four_cells, show_connect_four, usage="--program C4SOLVER"),
)
