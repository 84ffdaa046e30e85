"""Connect Four: the board is a list of rows from the top, and from each cell one walks in four directions to see a line.

X moves first. A disc falls to the lowest free cell of its column. A line of one player's discs wins; a full board without
one is a draw.
"""

from __future__ import annotations

from dataclasses import dataclass

from .rows import Rows

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


@dataclass(frozen=True)
class ConnectFour(Rows):
    """A position of Connect Four."""

    line: int = 4

    @classmethod
    def start(cls, rows: int, columns: int, line: int) -> ConnectFour:
        return cls([["-"] * columns for _ in range(rows)], line=line)

    def cell(self, row: int, column: int) -> str:
        """What is on a cell; nothing beyond the edge."""
        return self.board[row][column] if 0 <= row < len(self.board) and 0 <= column < len(self.board[0]) else ""

    def has_line(self, symbol: str) -> bool:
        return any(
            all(self.cell(row + down * i, column + right * i) == symbol for i in range(self.line))
            for row in range(len(self.board))
            for column in range(len(self.board[0]))
            for down, right in DIRECTIONS
        )

    def legal(self) -> list[str]:
        free = [column for column, cell in zip("abcdefg", self.board[0], strict=False) if cell == "-"]
        return [] if self.has_line("X") or self.has_line("O") else free

    def play(self, move: str) -> ConnectFour:
        board, column = [list(row) for row in self.board], "abcdefg".index(move)
        lowest = max(row for row, cells in enumerate(board) if cells[column] == "-")
        board[lowest][column] = "XO"[self.player]
        return ConnectFour(board, 1 - self.player, self.line)

    def outcome(self) -> tuple[int, int] | None:
        if self.has_line("X"):
            return (1, -1)
        if self.has_line("O"):
            return (-1, 1)
        return None if self.legal() else (0, 0)
