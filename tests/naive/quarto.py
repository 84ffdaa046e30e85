"""Quarto: a piece is four attributes, the board a dictionary from cells to pieces, and lines are lists of cells.

A player places the piece that the opponent gave, then gives one. Four in a line that share an attribute win for
whoever placed the last of them; sixteen pieces without such a line are a draw. Player 0 gives first.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product

Piece = tuple[int, int, int, int]  # dark, tall, square, hollow
PIECES: list[Piece] = [(dark, tall, square, hollow) for hollow, square, tall, dark in product((0, 1), repeat=4)]

CELLS = [column + row for row in "1234" for column in "abcd"]
ROWS = ["a1 b1 c1 d1", "a2 b2 c2 d2", "a3 b3 c3 d3", "a4 b4 c4 d4"]
COLUMNS = ["a1 a2 a3 a4", "b1 b2 b3 b4", "c1 c2 c3 c4", "d1 d2 d3 d4"]
DIAGONALS = ["a1 b2 c3 d4", "d1 c2 b3 a4"]
SQUARES = ["a1 b1 a2 b2", "b1 c1 b2 c2", "c1 d1 c2 d2", "a2 b2 a3 b3", "b2 c2 b3 c3", "c2 d2 c3 d3"]
SQUARES += ["a3 b3 a4 b4", "b3 c3 b4 c4", "c3 d3 c4 d4"]


@dataclass(frozen=True)
class Quarto:
    """A position of Quarto."""

    squares: bool
    board: dict[str, Piece] = field(default_factory=dict)
    hand: Piece | None = None
    player: int = 0

    @classmethod
    def start(cls, squares: bool) -> Quarto:
        return cls(squares)

    def left(self) -> list[Piece]:
        return [piece for piece in PIECES if piece not in self.board.values() and piece != self.hand]

    def legal(self) -> list[str]:
        if self.outcome():
            return []
        if self.hand:
            return [cell for cell in CELLS if cell not in self.board]
        return [f"give {PIECES.index(piece)}" for piece in self.left()]

    def play(self, move: str) -> Quarto:
        if move.startswith("give "):
            return replace(self, hand=PIECES[int(move.removeprefix("give "))], player=1 - self.player)
        return replace(self, board={**self.board, move: self.hand}, hand=None)

    def outcome(self) -> tuple[int, int] | None:
        lines = ROWS + COLUMNS + DIAGONALS + (SQUARES if self.squares else [])
        if any(self.wins(line.split()) for line in lines):
            return (1, -1) if self.player == 0 else (-1, 1)
        return (0, 0) if len(self.board) == 16 else None

    def wins(self, line: list[str]) -> bool:
        """Whether four pieces lie there and share an attribute."""
        pieces = [self.board[cell] for cell in line if cell in self.board]
        return len(pieces) == 4 and any(len(set(attribute)) == 1 for attribute in zip(*pieces, strict=True))

    def text(self) -> str:
        def digit(piece: Piece | None) -> str:
            return "0123456789abcdef"[PIECES.index(piece)] if piece else "-"

        return "".join(digit(self.board.get(cell)) for cell in CELLS) + " " + digit(self.hand)

    def planes(self, seat: int) -> list[list[list[int]]]:
        def plane(values: list[int]) -> list[list[int]]:
            return [values[0:4], values[4:8], values[8:12], values[12:16]]

        nothing, left = (0, 0, 0, 0), self.left()
        return [
            *(plane([self.board.get(cell, nothing)[i] for cell in CELLS]) for i in range(4)),
            plane([int(cell in self.board) for cell in CELLS]),
            *(plane([attribute] * 16) for attribute in self.hand or nothing),
            plane([int(self.hand is not None)] * 16),
            plane([int(piece in left) for piece in PIECES]),
            plane([1] * 16),
        ]
