"""Tic-tac-toe: a position is the list of moves that led to it, and X's are every second one.

Three of one's own marks in a row, column or diagonal win; a full board without is a draw.
"""

from __future__ import annotations

from dataclasses import dataclass

CELLS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
LINES = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "c1 b2 a3"]


@dataclass(frozen=True)
class TicTacToe:
    """A position of tic-tac-toe."""

    moves: tuple[str, ...] = ()

    @classmethod
    def start(cls) -> TicTacToe:
        return cls()

    @property
    def player(self) -> int:
        return len(self.moves) % 2

    def marks(self, player: int) -> tuple[str, ...]:
        return self.moves[player::2]

    def legal(self) -> list[str]:
        return [] if self.outcome() else [cell for cell in CELLS if cell not in self.moves]

    def play(self, move: str) -> TicTacToe:
        return TicTacToe((*self.moves, move))

    def outcome(self) -> tuple[int, int] | None:
        for player, result in (0, (1, -1)), (1, (-1, 1)):
            if any(set(line.split()) <= set(self.marks(player)) for line in LINES):
                return result
        return (0, 0) if len(self.moves) == 9 else None

    def text(self) -> str:
        x, o = self.marks(0), self.marks(1)
        cells = "".join("X" if cell in x else "O" if cell in o else "-" for cell in CELLS)
        return f"{cells} {'XO'[self.player]}"

    def planes(self, seat: int) -> list[list[list[int]]]:
        def plane(marked: tuple[str, ...] | list[str]) -> list[list[int]]:
            return [[int(column + row in marked) for column in "abc"] for row in "123"]

        return [plane(self.marks(seat)), plane(self.marks(1 - seat)), plane(CELLS)]
