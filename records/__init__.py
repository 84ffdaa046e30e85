"""Games and positions as files, read and written by one interface, whatever program wrote them."""

from __future__ import annotations

from .format import RecordFormat
from .formats import FORMATS, read_games, read_positions, write_games
from .game import RecordedGame
from .openings import Openings, load_openings

__all__ = ["FORMATS", "Openings", "RecordFormat", "RecordedGame", "load_openings", "read_games", "read_positions", "write_games"]
