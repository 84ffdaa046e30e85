"""What Connect Four, Othello and Quixo share: a board of rows of X, O and -, X being player 0."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rows:
    """A position on such a board."""

    board: list[list[str]]
    player: int = 0

    def text(self) -> str:
        return "".join("".join(row) for row in self.board) + " " + "XO"[self.player]

    def planes(self, seat: int) -> list[list[list[int]]]:
        def plane(symbols: str) -> list[list[int]]:
            return [[int(cell in symbols) for cell in row] for row in self.board]

        return [plane("XO"[seat]), plane("XO"[1 - seat]), plane("XO-")]
