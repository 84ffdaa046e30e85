"""`ludus assignment GAME FILE…`: grades files of students, each with an agent, against levels and perfect play."""

from __future__ import annotations

import argparse
import re

from ...arena.assignment import LEVELS, Assignment, grade_files
from ...arena.engines.remote import guard_policy
from ...core.files.writing import add_to_errors, make_folder
from ...core.numbers import short_repr
from ...core.workers.worker import Worker
from ...envs import make_game
from ..terminal.display import spinner
from ..terminal.options import games, pathname, seconds, whole
from ..terminal.output import check_page, print_page, show, write_and_show

PAGE = "index.html"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("game", help="spec of the game, for example connect_four")
    add("file", nargs="+", help="Python files with an agent each, which are run")
    add("--levels", nargs="+", metavar="SPEC", default=LEVELS, help=f"opponents (default: {' '.join(LEVELS)})")
    add("--games", action=games(), metavar="N", default=20, help="games against each level (default: 20)")
    add("--positions", action=whole(), metavar="N", default=100, help="positions that show the value lost (default: 100)")
    add("--time", action=seconds(), metavar="SECONDS", default=1.0, help="time limit per move (default: 1)")
    add("--memory", metavar="SIZE", default="1G", help="memory that a file may take, such as 512M (default: 1G)")
    add("--out", action=pathname(), metavar="FOLDER", help=f"folder for a JSON file for each file, and the page {PAGE}")


def run(chosen: argparse.Namespace) -> None:
    """Grades the files, and prints the table."""
    memory = size_of(chosen.memory, "--memory")
    if chosen.out:
        make_folder(chosen.out)
        check_page(chosen.out / PAGE)
    game = make_game(chosen.game)
    with Worker() as worker, spinner() as progress:
        result = grade_files(
            game,
            chosen.file,
            levels=[guard_policy(level, game, worker) for level in chosen.levels],
            games=chosen.games,
            positions=chosen.positions,
            move_time=chosen.time,
            memory=memory,
            seed=chosen.seed,
            progress=progress,
        )
    write_and_show(lambda: write(result, chosen), lambda written: show(result, chosen.json))
    if chosen.out and not chosen.json:
        print_page(chosen.out / PAGE)


def write(result: Assignment, chosen: argparse.Namespace) -> None:
    """Writes the results and the page, where a folder is named."""
    if chosen.out:
        from ...arena.report.page import write_assignment

        with add_to_errors(lambda: "the table is printed above"):
            result.write(chosen.out)
            write_assignment(chosen.out / PAGE, result)


def size_of(text: str, name: str) -> int:
    """The bytes of a size that is written as 512M."""
    if (size := re.fullmatch(r"([1-9]\d{0,5})([MG])", text, re.IGNORECASE)) is None:
        raise ValueError(f"{name} is {short_repr(text)}; it must be a number of megabytes or gigabytes, such as 512M or 2G")
    return int(size[1]) << {"M": 20, "G": 30}[size[2].upper()]
