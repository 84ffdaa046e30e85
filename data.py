"""Games and positions by the million, and all positions of small games, as arrays for training and studies."""

from __future__ import annotations

from .arena.data.checking import check_data
from .arena.data.exact.arrays import ManyPositions
from .arena.data.exact.files import open_positions, positions
from .arena.data.exact.solving import STRATA
from .arena.data.folder import open_games
from .arena.data.many_games import ManyGames
from .arena.data.openings import make_openings
from .arena.data.playing import games
from .arena.data.tables import write_table

__all__ = [
    "STRATA",
    "ManyGames",
    "ManyPositions",
    "check_data",
    "games",
    "make_openings",
    "open_games",
    "open_positions",
    "positions",
    "write_table",
]
