"""Games and positions by the million, and all positions of small games, as arrays for training and studies."""

from __future__ import annotations

from .checking import check_data
from .exact.arrays import ManyPositions
from .exact.files import open_positions
from .exact.positions import positions
from .exact.solving import STRATA
from .folder import open_games
from .many_games import ManyGames
from .openings import make_openings
from .playing import games
from .tables import write_table

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
