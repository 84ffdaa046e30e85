"""Makes the study of measures of strength from nothing, and goes on where it stopped.

python -m benchmarks.study                        # trains, measures and rates everything that is missing, then finds the answers
python -m benchmarks.study tictactoe seed=1       # the cells whose game and name contain all these words
python -m benchmarks.study --status               # what is done, what has failed, and what is left
python -m benchmarks.study --from-nothing         # does not take the rows that the repository keeps
python -m benchmarks.study --keep                 # writes the rows that are there to the files that the repository keeps

A cell has a file of its own below runs/strength, written when it is done, so that an interruption loses one cell at most, and
several processes may share the work. When all are there, the findings are written to benchmarks/results/study.json, the figure to
docs/images/study. One thread is used. plan.md says what is measured and why.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence

from ludus.cli.terminal.output import print_table
from ludus.core.files.locking import hold_lock
from ludus.core.files.writing import make_folder, write_whole
from ludus.envs import set_threads

from .design import GAMES, Cell, every_cell, panel
from .measuring import measure_cell
from .policies import FOLDER, error_file, folder_of, is_done, keep_rows, read_row, row_file, seconds_of, take_kept_rows, write_row
from .training import NothingLearnt, opponent_of

PATIENCE = 24 * 3600
"""Seconds that it waits for another process to make an opponent."""


def main(arguments: Sequence[str]) -> int:
    """Does the work that is missing; returns the exit status: 1 if cells have failed."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.study", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help="only the cells whose game and name contain all of these")
    parser.add_argument("--status", action="store_true", help="say what is done and what is left")
    parser.add_argument("--from-nothing", action="store_true", help="do not take the rows that the repository keeps")
    parser.add_argument("--keep", action="store_true", help="write the rows to the files that the repository keeps")
    chosen = parser.parse_args(arguments)
    cells = [cell for cell in every_cell() if {*chosen.words} <= {*f"{cell.game} {cell.name}".split()}]
    if not cells:
        parser.error(f"no cell has the words {' '.join(chosen.words)}; games are {', '.join(GAMES)}")
    if not chosen.from_nothing:
        take_kept_rows()
    if chosen.keep:
        keep_rows()
        return 0
    if chosen.status:
        print_status(cells)
        return 0
    one_thread()
    measured = [work_on(cell, f"{number} of {len(cells)}") for number, cell in enumerate(cells, 1) if not is_done(cell)]
    failed = [cell for cell in cells if error_file(cell).exists()]
    for cell in failed:
        print(error_file(cell).read_text(encoding="utf-8"), file=sys.stderr)
    if all(map(is_done, every_cell())):
        write_findings(anew=any(measured))
    return int(bool(failed))


def write_findings(anew: bool) -> None:
    """Finds the answers in the rows of all cells where they are missing, and with `anew` those that may be of other rows, and draws
    the figure.

    Another process that is at it began when all rows were there, and so does the same.
    """
    from .report import STUDY, draw

    try:
        with hold_lock(FOLDER / "findings.lock"):
            if anew or STUDY.missing():
                STUDY.run(["--anew"])
            draw()
    except BlockingIOError:
        print("another process finds the answers", file=sys.stderr)


def one_thread() -> None:
    """Uses one thread, so that results do not depend on the machine's processors, and times can be added."""
    import torch

    set_threads(1)
    torch.set_num_threads(1)


def work_on(cell: Cell, number: str) -> bool:
    """Measures a cell, and keeps its row, or the sentence that says why it has none; False if that is another process's work."""
    make_folder(row_file(cell).parent)
    for opponent in panel(cell.game):
        wait_for(opponent)
    try:
        with hold_lock(row_file(cell).with_suffix(".lock")):
            if is_done(cell):
                return False
            began = time.process_time()
            try:
                write_row(cell, measure_cell(cell))
                what = f"{time.process_time() - began:.1f} s"
            except NothingLearnt as error:
                write_whole(error_file(cell), f"{error}\n".encode())
                what = f"failed: {error}"
            print(f"{cell.game}: {cell.name} ({number}): {what}", file=sys.stderr, flush=True)
    except BlockingIOError:
        return False
    return True


def wait_for(opponent: Cell) -> None:
    """Makes an opponent that is not there, or waits until the process that makes it has done so."""
    folder = folder_of(opponent)
    if not opponent.is_classic and not folder.with_suffix(".done").exists():
        make_folder(folder.parent)
        with hold_lock(folder.with_suffix(".lock"), patience=PATIENCE):
            opponent_of(opponent)


# ---- what is left


def print_status(cells: Sequence[Cell]) -> None:
    """For each game the cells that are done, have failed and are left, and the processor hours so far."""
    lines = list[list[str]]()
    for game in (*GAMES, ""):
        some = [cell for cell in cells if game in ("", cell.game)]
        spent = [seconds_of(row) for cell in some if (row := read_row(cell)) is not None]
        failed = sum(error_file(cell).exists() for cell in some)
        counts = len(some), len(spent), failed, sum(not is_done(cell) for cell in some)
        lines.append([game or "all", *map(str, counts), f"{sum(spent) / 3600:.2f}"])
    print_table("the study", ["game", "cells", "done", "failed", "left", "hours"], lines, left=1)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    raise SystemExit(main(sys.argv[1:]))
