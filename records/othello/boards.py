"""What Othello's files share: boards as other programs write them."""

from __future__ import annotations

from math import isqrt

from ...core.numbers import short_repr
from ...games.game import Game, StateArray
from ...games.othello import Othello
from ...games.registry import make_game
from ..file import RecordFile, check_wanted
from ..positions import read_position


def is_othello(file: RecordFile) -> bool:
    """Whether the user names Othello, or no game."""
    return file.asked is None or isinstance(file.asked, Othello)


def asked_game(file: RecordFile) -> Game:
    """The game that the user names, or Othello on 8×8; ValueError where it is not Othello."""
    if not is_othello(file):
        raise ValueError(f"this is a file of {Othello.title}, and games of {file.asked} are wanted")
    return file.asked or Othello()


def read_board(file: RecordFile, cells: str, mover: str) -> tuple[Game, StateArray]:
    """The game on a board of this size, and the position.

    Args:
        file: the file.
        cells: the cells row by row, in any of the usual signs, with spaces between them or not.
        mover: the sign of the player to move.

    Raises:
        ValueError: there is no such board, or the user names another game.
    """
    cells = "".join(cells.split())
    size = isqrt(len(cells))
    if size * size != len(cells):
        raise ValueError(f"a board has as many rows as columns, and {short_repr(cells)} has {len(cells)} cells")
    game = check_wanted(game_of_size(size), file.asked)
    return game, read_position(game, f"{cells} {mover}").state


def game_of_size(size: int) -> Game:
    """Othello on a board of this size; ValueError where it is not played here on such a board."""
    if size not in (4, 6, 8):
        raise ValueError(f"{Othello.title} on {size}×{size} is not supported; boards have 4, 6 or 8 rows")
    return make_game(Othello.name, size=size)
