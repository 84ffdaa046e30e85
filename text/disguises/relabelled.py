"""`Relabelled`: what moves name, such as cells, has made-up names in no order."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from ...games.board_game import BoardGame
from ...games.drawing.grid import labelled_grid
from ...games.game import Game

NAMES = """
vamo bufe dega rapo dobe mefi rupo buze pogi dila niba nare dazo kani diru ribe
nefo dabo roga fanu gubi daki rufo ruzi bugo gove bozi rima feli fiko fabo ropi
legu rito vofe doti runi tuma gebi meti repu zare rodu dafe tiru ginu vobi raki
nelu leto nuro mavi lanu kefi vuno katu dezu lapi pifu lugi zifu nogi tezo degu
"""
"""Words that mean nothing, for boards of up to 64 cells. The order was drawn once."""


class Relabelled(BoardGame):
    """The names that moves are made of are made-up words. The position shows each in its place, and no coordinates."""

    label_words: ClassVar[str] = "the word that stands with it in the position"

    @staticmethod
    def suits(game: Game) -> bool:
        """Whether a game can be relabelled."""
        return isinstance(game, BoardGame) and len(game.labels) > 0

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(NAMES.split()[: len(super().labels)])

    def _draw_cells(self, symbols: list[str], marked: list[int], below: list[str]) -> str:
        return labelled_grid(symbols, self.board[1], self.labels, marked, below)
