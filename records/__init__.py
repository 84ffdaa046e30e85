"""Games and positions as files, read and written by one interface, whatever program wrote them."""

from __future__ import annotations

from .format import RecordFormat
from .formats import FORMATS, read_games, read_positions, write_games
from .game import RecordedGame

__all__ = ["FORMATS", "RecordFormat", "RecordedGame", "read_games", "read_positions", "write_games"]
