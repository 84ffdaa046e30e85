"""`OnlyMove`: a position in which exactly one move wins. Many of them come with a game, as puzzles.

They are in a file beside the rules of the game, as `games/quixo/quixo-size-4.puzzles`: after lines of remarks that begin with `#`,
one position a line, the easiest first, with tabs between the position, the move, the plies to the end (`-` where they are not
known) and the level. `python -m benchmarks.making.only_moves` makes the files and checks them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from ..games.game import Game

LEVELS = 5
"""How hard they are: level 1 finds who looks one ply ahead, levels 2 to 4 who looks 2, 4 and 6 plies ahead, 5 none of them."""
UNKNOWN = "-"


class OnlyMove(NamedTuple):
    """A position in which exactly one move wins.

    Args:
        position: the position, in the game's notation.
        move: the name of that move.
        distance: plies to the end, if the winner hurries and the loser delays; None where they are not known.
        level: how hard it is to find, from 1 to LEVELS.
    """

    position: str
    move: str
    distance: int | None
    level: int


@lru_cache(maxsize=32)
def puzzles_of(game: Game) -> tuple[OnlyMove, ...]:
    """The puzzles that come with a game, the easiest first; () if none do."""
    path = game.known.puzzles and game.known.puzzles / f"{game.file_stem}.puzzles"
    return read_only_moves(path.read_text(encoding="utf-8")) if path and path.exists() else ()


def read_only_moves(text: str) -> tuple[OnlyMove, ...]:
    """The puzzles of a file's text."""
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return tuple(
        OnlyMove(position, move, None if distance == UNKNOWN else int(distance), int(level))
        for position, move, distance, level in rows
    )


def only_moves_text(remarks: Iterable[str], puzzles: Iterable[OnlyMove]) -> str:
    """The text of a file of puzzles."""
    rows = (
        f"{puzzle.position}\t{puzzle.move}\t{UNKNOWN if puzzle.distance is None else puzzle.distance}\t{puzzle.level}"
        for puzzle in puzzles
    )
    return "".join(f"{line}\n" for line in [*(f"# {remark}" for remark in remarks), *rows])
