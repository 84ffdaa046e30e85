"""Makes the book of an oracle: `python -m benchmarks.making.books GAME [--seconds N]`.

All positions of the deepest layer are searched; those with fewer pieces follow from them. For `connect_four` that takes some six
hours of a core, for `quarto` a few minutes. What is known so far is saved in the cache each minute, and when the time is up or
Ctrl-C is pressed; the next run goes on from there. `LUDUS_THREADS` says how many threads search.
"""

from __future__ import annotations

import argparse
from typing import Any

from ludus.core.files.writing import check_target
from ludus.games.registry import make_game
from ludus.oracles.connect_four.book import ConnectFourBook
from ludus.oracles.quarto.book import QuartoBook
from ludus.search.watch import DONE, TOTAL, Watch

BOOKS: dict[str, Any] = {"connect_four": ConnectFourBook, "quarto": QuartoBook}


def main() -> None:
    """Makes the book, as far as the time goes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="a variant of connect_four or quarto, such as quarto:squares=true")
    parser.add_argument("--seconds", type=float, help="how long to search (default: until the book is whole)")
    chosen = parser.parse_args()
    game, watch = make_game(chosen.game), Watch(seconds=chosen.seconds)
    check_target(BOOKS[game.name].path(game))
    BOOKS[game.name].build(game, watch=watch)
    print(f"{watch.words[DONE]:,} of {watch.words[TOTAL]:,} positions are known")


if __name__ == "__main__":
    main()
