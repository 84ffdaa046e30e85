"""Connect Four: the board is a list of rows from the top, and from each cell one walks in four directions to see a line.

X moves first. A disc falls to the lowest free cell of its column. A line of one player's discs wins; a full board without
one is a draw.
"""

from __future__ import annotations

from dataclasses import dataclass

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


@dataclass(frozen=True)
class ConnectFour:
    """A position of Connect Four."""

    board: list[list[str]]
    line: int
    player: int = 0

    @classmethod
    def start(cls, rows: int, columns: int, line: int) -> ConnectFour:
        return cls([["-"] * columns for _ in range(rows)], line)

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
        return ConnectFour(board, self.line, 1 - self.player)

    def outcome(self) -> tuple[int, int] | None:
        if self.has_line("X"):
            return (1, -1)
        if self.has_line("O"):
            return (-1, 1)
        return None if self.legal() else (0, 0)

    def text(self) -> str:
        return "".join("".join(row) for row in self.board) + " " + "XO"[self.player]

    def planes(self, seat: int) -> list[list[list[int]]]:
        def plane(symbols: str) -> list[list[int]]:
            return [[int(cell in symbols) for cell in row] for row in self.board]

        return [plane("XO"[seat]), plane("XO"[1 - seat]), plane("XO-")]

    def solve(self, known: dict[str, tuple[int, int]]) -> tuple[int, int]:
        """The value for the player to move, and the plies to the end, -1 of a draw; `known` remembers what was solved."""
        if self.text() not in known:
            outcome = self.outcome()
            if outcome:
                known[self.text()] = outcome[self.player], 0 if any(outcome) else -1
            else:
                replies = [self.play(move).solve(known) for move in self.legal()]
                value = max(-reply for reply, _ in replies)
                plies = [distance + 1 for reply, distance in replies if -reply == value]
                known[self.text()] = value, -1 if value == 0 else min(plies) if value > 0 else max(plies)
        return known[self.text()]

    @classmethod
    def parse(cls, text: str, columns: int, line: int) -> ConnectFour:
        """The position with this text."""
        cells, mover = text.split()
        return cls([list(cells[first : first + columns]) for first in range(0, len(cells), columns)], line, "XO".index(mover))
