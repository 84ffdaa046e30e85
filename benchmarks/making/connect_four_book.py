"""Makes the book of Connect Four's oracle: `python -m benchmarks.making.connect_four_book [--seconds N]`, some six hours of a core.

All positions with eight discs are searched; those with fewer follow from them. What is known so far is saved in the cache each
minute, and when the time is up or Ctrl-C is pressed; the next run goes on from there. `LUDUS_THREADS` says how many threads search.
The whole book comes to where the oracle reads it.
"""

from __future__ import annotations

import argparse

from ludus.core.files.writing import check_target, write_whole
from ludus.games.connect_four.rules import ConnectFour
from ludus.oracles.connect_four.book import ConnectFourBook
from ludus.search.watch import DONE, TOTAL, Watch


def main() -> None:
    """Makes the book, as far as the time goes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, help="how long to search (default: until the book is whole)")
    game, watch = ConnectFour(), Watch(seconds=parser.parse_args().seconds)
    check_target(ConnectFourBook.path_in_package(game))
    book = ConnectFourBook.build(game, watch=watch)
    print(f"{watch.words[DONE]:,} of {watch.words[TOTAL]:,} positions are known")
    if book is not None:
        write_whole(ConnectFourBook.path_in_package(game), ConnectFourBook.path_in_cache(game).read_bytes())


if __name__ == "__main__":
    main()
