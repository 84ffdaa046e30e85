"""`OtherSigns`: what belongs to the players is written by other signs, and the players have other names."""

from __future__ import annotations

from typing import ClassVar

from ...games.board_game import BoardGame
from ...games.game import Game

COLOURS = ("red", "blue")
"""The names of players whose names are not their signs."""


class OtherSigns(BoardGame):
    """V and Z stand for the pieces of the players, who are called so, too, or by other colours than the game's."""

    signs: ClassVar[str] = "VZ"

    @staticmethod
    def suits(game: Game) -> bool:
        """Whether a game can be written by other signs."""
        return isinstance(game, BoardGame) and game.signs != ""

    @property
    def player_names(self) -> tuple[str, str]:  # pyright: ignore[reportIncompatibleVariableOverride]
        first, second = self.signs
        return (first, second) if super().player_names == (*super().signs,) else COLOURS
