"""Othello: the board is a list of rows, and from each cell one walks in eight directions to see what a disc would flip.

Black (X) moves first. A disc must flip at least one; who cannot place one passes, and may not pass otherwise. The game ends
when neither can, and more discs win.
"""

from __future__ import annotations

from dataclasses import dataclass

from .rows import Rows

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
Cell = tuple[int, int]


@dataclass(frozen=True)
class Othello(Rows):
    """A position of Othello."""

    @classmethod
    def start(cls, size: int) -> Othello:
        board = [["-"] * size for _ in range(size)]
        high, low = size // 2 - 1, size // 2
        board[high][high] = board[low][low] = "O"
        board[high][low] = board[low][high] = "X"
        return cls(board)

    def flipped(self, cell: Cell, player: int) -> list[Cell]:
        """The discs that a player would flip from a cell; none where it is occupied."""
        row, column = cell
        return [] if self.board[row][column] != "-" else [disc for step in DIRECTIONS for disc in self.flanked(cell, step, player)]

    def flanked(self, cell: Cell, step: Cell, player: int) -> list[Cell]:
        """The opponent's discs from a cell on in one direction, up to one of the player's own."""
        size, own = len(self.board), "XO"[player]
        (row, column), (down, right) = cell, step
        passed = []
        while True:
            row, column = row + down, column + right
            if not (0 <= row < size and 0 <= column < size) or self.board[row][column] == "-":
                return []
            if self.board[row][column] == own:
                return passed
            passed.append((row, column))

    def placements(self, player: int) -> list[str]:
        size = range(len(self.board))
        return [f"{'abcdefgh'[column]}{row + 1}" for row in size for column in size if self.flipped((row, column), player)]

    def legal(self) -> list[str]:
        if own := self.placements(self.player):
            return own
        return ["pass"] if self.placements(1 - self.player) else []

    def play(self, move: str) -> Othello:
        board = [list(row) for row in self.board]
        if move != "pass":
            cell = int(move[1:]) - 1, "abcdefgh".index(move[0])
            for row, column in [cell, *self.flipped(cell, self.player)]:
                board[row][column] = "XO"[self.player]
        return Othello(board, 1 - self.player)

    def outcome(self) -> tuple[int, int] | None:
        if self.legal():
            return None
        black, white = self.discs()
        return (1, -1) if black > white else (-1, 1) if white > black else (0, 0)

    def discs(self) -> tuple[int, int]:
        black, white = (sum(row.count(symbol) for row in self.board) for symbol in "XO")
        return black, white
