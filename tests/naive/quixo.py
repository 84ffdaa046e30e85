"""Quixo: the board is a list of rows, and a move takes a cube out of a list and puts one in at its end.

A cube from the border, blank or one's own, goes back in at another end of its row or column, with one's own symbol up.
Whoever completes a line of the opponent's loses, even with a line of his own; a line of his own alone wins.
"""

from __future__ import annotations

from dataclasses import dataclass

from .rows import Rows

Board = list[list[str]]


@dataclass(frozen=True)
class Quixo(Rows):
    """A position of Quixo."""

    @classmethod
    def start(cls, size: int, max_plies: int = 0) -> Quixo:
        """An empty board; the rules themselves know no limit of plies."""
        return cls([["-"] * size for _ in range(size)])

    def legal(self) -> list[str]:
        if self.outcome():
            return []
        size, last = len(self.board), len(self.board) - 1
        moves = []
        for row in range(size):
            for column in range(size):
                on_the_border = row in (0, last) or column in (0, last)
                if on_the_border and self.board[row][column] in ("-", "XO"[self.player]):
                    ends = {(row, 0), (row, last), (0, column), (last, column)} - {(row, column)}
                    moves += [f"{name(row, column)}>{name(*end)}" for end in ends]
        return moves

    def play(self, move: str) -> Quixo:
        (row, column), (to_row, to_column) = map(place, move.split(">"))
        board = [list(cubes) for cubes in self.board]
        if row == to_row:
            board[row] = pushed(board[row], column, to_column, "XO"[self.player])
        else:
            columns = transposed(board)
            columns[column] = pushed(columns[column], row, to_row, "XO"[self.player])
            board = transposed(columns)
        return Quixo(board, 1 - self.player)

    def outcome(self) -> tuple[int, int] | None:
        to_move, moved = self.player, 1 - self.player
        for winner in to_move, moved:
            if self.has_line("XO"[winner]):
                return (1, -1) if winner == 0 else (-1, 1)
        return None

    def has_line(self, symbol: str) -> bool:
        size = range(len(self.board))
        falling, rising = [self.board[i][i] for i in size], [self.board[i][-1 - i] for i in size]
        return any(set(line) == {symbol} for line in [*self.board, *transposed(self.board), falling, rising])


def pushed(cubes: list[str], out: int, end: int, symbol: str) -> list[str]:
    """A row or column after a cube is taken out and one with the symbol is put in at its end."""
    rest = cubes[:out] + cubes[out + 1 :]
    return [symbol, *rest] if end == 0 else [*rest, symbol]


def transposed(board: Board) -> Board:
    return [list(line) for line in zip(*board, strict=True)]


def name(row: int, column: int) -> str:
    return f"{'abcde'[column]}{row + 1}"


def place(cell: str) -> tuple[int, int]:
    return int(cell[1]) - 1, "abcde".index(cell[0])
