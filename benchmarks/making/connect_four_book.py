"""Makes the book of Connect Four's oracle: `python -m benchmarks.making.connect_four_book [--seconds N]`, some six hours of a core.

All positions with eight discs are searched; those with fewer follow from them. What is known so far is saved in the cache each
minute, and beside this file when the time is up or Ctrl-C is pressed; the next run goes on from there. `LUDUS_THREADS` says how
many threads search. The whole book comes to where the oracle reads it, and the file beside this one goes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from ludus.core.files.writing import check_target, make_folder, write_whole
from ludus.games.connect_four.rules import ConnectFour
from ludus.oracles.connect_four.book import ConnectFourBook
from ludus.oracles.files import read_arrays
from ludus.search.watch import DONE, TOTAL, Watch

PROGRESS = Path(__file__).with_name("connect_four_book.scores")


def main() -> None:
    """Makes the book, as far as the time goes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, help="how long to search (default: until the book is whole)")
    seconds = parser.parse_args().seconds
    game = ConnectFour()
    check_target(ConnectFourBook.path_in_package(game))
    working = ConnectFourBook.progress_path(game, ConnectFourBook.usual)
    if count_known(PROGRESS) > count_known(working):
        make_folder(working.parent)
        write_whole(working, PROGRESS.read_bytes())
    watch = Watch(seconds=seconds)
    try:
        book = ConnectFourBook.build(game, watch=watch)
    finally:
        if count_known(working) > count_known(PROGRESS):
            write_whole(PROGRESS, working.read_bytes())
    print(f"{watch.words[DONE]:,} of {watch.words[TOTAL]:,} positions are known")
    if book is not None:
        write_whole(ConnectFourBook.path_in_package(game), ConnectFourBook.path_in_cache(game).read_bytes())
        PROGRESS.unlink(missing_ok=True)


def count_known(path: Path) -> int:
    """How many scores a file of results so far holds; 0 without one."""
    arrays = read_arrays(path, "it counts as empty")
    return 0 if arrays is None else int(np.count_nonzero(arrays["scores"] != ConnectFourBook.unknown))


if __name__ == "__main__":
    main()
