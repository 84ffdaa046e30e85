"""Games by the million, as arrays for training."""

from __future__ import annotations

from .playing import Games, games, open_games

__all__ = ["Games", "games", "open_games"]
