"""The FFO endgame suite, published in FForum, the magazine of the Fédération Française d'Othello: positions #1 to #34 and #40.

ffo.tsv has a line for each: its number, the cells from a1 row by row, the player to move, the exact score for that player, and
the best moves.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple


class Endgame(NamedTuple):
    """A position of the suite.

    Args:
        number: its number in the suite.
        text: the position, in the notation of 8×8.
        score: discs of the player to move less the opponent's, empty cells to the winner.
        best: the names of the moves that keep it.
    """

    number: int
    text: str
    score: int
    best: tuple[str, ...]


@cache
def ffo() -> tuple[Endgame, ...]:
    """The 35 positions, by number."""
    lines = (line.split("\t") for line in Path(__file__).with_name("ffo.tsv").read_text().splitlines())
    return tuple(
        Endgame(int(number), f"{cells} {mover}", int(score), tuple(best.lower().split()))
        for number, cells, mover, score, best in lines
    )
