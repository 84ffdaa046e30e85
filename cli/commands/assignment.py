"""`ludus assignment GAME FILE…`: grades files of students, each with an agent, against levels and perfect play."""

from __future__ import annotations

import argparse
import re

from ...arena.assignment import LEVELS, PAGE, grade_files
from ...arena.engines.remote import guard_policy
from ...core.files.writing import make_folder
from ...core.numbers import short_repr
from ...core.workers.worker import Worker
from ...envs import make_game
from ..terminal.display import spinner
from ..terminal.options import games, pathname, seconds, whole
from ..terminal.output import check_page, print_page, show, write_and_show


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("game", help="spec of the game, for example connect_four")
    add("file", nargs="*", help="Python files with an agent each, or folders of them, which are run")
    add("--levels", nargs="+", metavar="SPEC", default=LEVELS, help=f"opponents (default: {' '.join(LEVELS)})")
    add("--games", action=games(), metavar="N", default=20, help="games against each level (default: 20)")
    add("--positions", action=whole(), metavar="N", default=100, help="positions that show the value lost (default: 100)")
    add("--time", dest="move_time", action=seconds(), metavar="SECONDS", default=1.0, help="time limit per move (default: 1)")
    add("--memory", metavar="SIZE", default="1G", help="memory that a file may take, such as 512M (default: 1G)")
    add("--out", action=pathname(), metavar="FOLDER", help=f"folder for a JSON file for each file, and the page {PAGE}")


def run(chosen: argparse.Namespace) -> None:
    """Grades the files, prints the table, and writes the results where a folder is named."""
    memory, folder = size_of(chosen.memory), chosen.out
    files = [*chosen.file, *(word for word in chosen.levels if word.endswith(".py"))]  # where they follow the levels
    if not files:
        raise ValueError("no file is named; name Python files after the game: ludus assignment tictactoe students/*.py")
    if folder:
        make_folder(folder)
        check_page(folder / PAGE)
    game = make_game(chosen.game)
    with Worker() as worker, spinner() as progress:
        levels = [guard_policy(level, game, worker) for level in chosen.levels if level not in files]
        numbers = {name: getattr(chosen, name) for name in ("games", "positions", "move_time", "seed")}
        graded = grade_files(game, files, levels=levels, memory=memory, progress=progress, **numbers)
    write_and_show(lambda: graded.write(folder) if folder else None, lambda written: show(graded, chosen.json))
    if folder and not chosen.json:
        print_page(folder / PAGE)


def size_of(text: str) -> int:
    """The bytes of a size that is written as 512M."""
    if (size := re.fullmatch(r"([1-9]\d{0,5})([MG])", text, re.IGNORECASE)) is None:
        raise ValueError(f"--memory is {short_repr(text)}; it must be a number of megabytes or gigabytes, such as 512M or 2G")
    return int(size[1]) << {"M": 20, "G": 30}[size[2].upper()]
