"""Othello's oracle on the long endgames of the FFO suite, beside two other programs. See docs/search.md.

    python -m benchmarks ffo --zebra SCRZEBRA

SCRZEBRA is the program of https://github.com/hoshir/zebra (commit c4a4acc), built by `make scrzebra`, in a folder with its
coeffs2.bin. It is under the GPL, so it does not come with ludus. Without it, its column stays empty.

The positions were published in FForum, the magazine of the Fédération Française d'Othello; #40 to #59 are also at
http://radagast.se/othello/ffotest.html. ffo.tsv has a line for each: its number, the cells from a1 row by row, the player to
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
from pathlib import Path
from typing import Any, NamedTuple

from ludus.arena.report.words import with_sign
from ludus.core.files.writing import write_whole
from ludus.envs import make_game
from ludus.oracles.othello import OthelloOracle
from ludus.search.watch import Watch

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study

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
        LongEndgame(number, cells, mover, int(score), best.split(), float(egaroucid), float(edax))
        for number, cells, mover, score, best, egaroucid, edax in lines
    ]


def cells(zebra: str = "") -> dict[str, Callable[[], dict[str, Any]]]:
    """Each position: the score and a best move, by ours and then by Zebra, one thread each.

    Args:
        zebra: the path of scrzebra; empty to leave it out.
    """
    return {endgame.number: partial(measure, endgame, zebra) for endgame in long_endgames()}


def measure(endgame: LongEndgame, zebra: str) -> dict[str, Any]:
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
        check(endgame, answer[0], row["move"])
    if zebra:
        score, move, seconds = ask_zebra(zebra, endgame.text)
        row["zebra"] = None
        if score is not None:
            check(endgame, score, move)
            row["zebra"] = max(0.0, seconds - ask_zebra(zebra, NEARLY_OVER)[2])
    return row


def check(endgame: LongEndgame, score: int, move: str) -> None:
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
        seconds = children_seconds() - before
        # the limit is counted by the clock's ticks, which come out a few seconds off; a kill long before it is of something else
        if ended.returncode == -signal.SIGXCPU or (ended.returncode == -signal.SIGKILL and seconds > 0.9 * LIMIT):
            return None, "", seconds
        ended.check_returncode()
        black, _, white, move = next(
            line.split()[:4] for line in answer.read_text(encoding="utf-8").splitlines() if line.strip() and line[0] != "%"
        )
    score = int(black) - int(white)
    return score if text.endswith("X") else -score, move, seconds


def children_seconds() -> float:
    """The processor seconds of all processes that this one started and that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_text(row: dict[str, Any], whose: str) -> str:
    """Seconds as the table has them; empty where they were not measured."""
    if whose not in row:
        return ""
    return f"over {LIMIT}" if row[whose] is None else f"{row[whose]:.2f}"


def show(rows: Rows) -> dict[str, str]:
    """A line for each position; without a score and a move where ours did not find them."""
    lines = list[list[str]]()
    for endgame in long_endgames():
        row = rows[endgame.number]
        ours, theirs = (seconds_text(row, whose) for whose in ("seconds", "zebra"))
        nodes = f"{row['nodes'] / 1e6:,.1f}"
        empty = str(endgame.cells.count("-"))
        answer = [with_sign(endgame.score), row["move"]] if row["move"] else ["", ""]
        published = [f"{seconds:.3f}" for seconds in (endgame.egaroucid, endgame.edax)]
        lines.append([f"#{endgame.number}", empty, *answer, nodes, ours, theirs, *published])
    heads = ["position", "empty cells", "score", "move", "million nodes", "seconds", "Zebra, seconds"]
    return {"table": table([*heads, "Egaroucid, published", "Edax, published"], lines, align="lrrlr")}


STUDIES = (Study(RESULTS / "ffo.json", cells, show, usage="--zebra SCRZEBRA"),)
