"""Games by the million and all positions of small games, as arrays for training and studies."""

from __future__ import annotations

from .folder import open_games
from .many_games import ManyGames
from .playing import games
from .tables import write_table

__all__ = ["ManyGames", "games", "open_games", "write_table"]
