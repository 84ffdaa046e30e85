"""Games by the million and all positions of small games, as arrays for training and studies."""

from __future__ import annotations

from .playing import ManyGames, games, open_games
from .tables import write_table

__all__ = ["ManyGames", "games", "open_games", "write_table"]
