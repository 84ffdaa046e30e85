"""Another face of tic-tac-toe: picking numbers whose sum is 15.

The rows, columns and diagonals of a magic square are all the ways in which three different numbers from 1 to 9 make 15. So a cell
is a number, and a line is a sum.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from ...core.numbers import short_repr
from ..drawing.layout import Content, Layout
from ..game import StateArray
from .rules import TicTacToe

SQUARE = "276951438"
"""The magic square, row by row."""
POSITION = re.compile(r"Ann: (-|[1-9](?: [1-9])*); Bob: (-|[1-9](?: [1-9])*); (Ann|Bob) to move")


class PickNumbers(TicTacToe):
    """Two players pick numbers from 1 to 9; three of one's own that make 15 win. There is no board."""

    player_names: ClassVar[tuple[str, str]] = ("Ann", "Bob")
    signs: ClassVar[str] = "AB"

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(SQUARE)

    @property
    def explanation(self) -> str:
        return (
            "Two players, Ann and Bob, take turns picking one of the numbers 1 to 9; Ann begins. A number that either player has "
            "picked cannot be picked again. A player wins as soon as any three of the numbers that this player has picked add up "
            "to exactly 15. If all nine numbers are picked and nobody has three such numbers, the game is a draw. A move is the "
            "number to pick, as in 4."
        )

    @cached_property
    def layout(self) -> Layout:
        layout, words = super().layout, ("not picked", "picked by Ann", "picked by Bob")
        faults = (
            "{text} cannot be: Ann begins, so with {A} numbers of Ann and {B} of Bob the other player is to move",
            "{text} cannot be: who is to move has three numbers that make 15, so the game was over before the last pick",
        )
        return replace(
            layout,
            symbols=tuple(symbol._replace(words=said) for symbol, said in zip(layout.symbols, words, strict=True)),
            notation=replace(layout.notation, faults=faults),
        )

    def picture(self, state: StateArray, action: int | None = None) -> str:
        last = None if action is None else self.move_name(action)
        left, ann, bob = (
            " ".join(f"[{number}]" if number == last else number for number in owned) for owned in self._numbers(state)
        )
        lines = f"Ann has picked: {ann or '-'}", f"Bob has picked: {bob or '-'}", f"not picked yet: {left or '-'}"
        return "\n".join([*lines, "", self.status(state)])

    def text(self, state: StateArray) -> str:
        _, ann, bob = map(" ".join, self._numbers(state))
        return f"Ann: {ann or '-'}; Bob: {bob or '-'}; {self.player_names[self.player(state)]} to move"

    def parse(self, text: str) -> StateArray:
        if not (match := POSITION.fullmatch(text.strip())):
            raise ValueError(f"{short_repr(text)} is not a position of {self.title}; one reads 'Ann: 2 7; Bob: 5; Bob to move'")
        ann, bob = match[1].split(), match[2].split()
        if twice := [number for number in SQUARE if (ann + bob).count(number) > 1]:
            raise ValueError(f"{short_repr(text)} cannot be: {twice[0]} was picked twice")
        symbols = [1 if number in ann else 2 if number in bob else 0 for number in SQUARE]
        return self._set_up(symbols, self.player_names.index(match[3]), text)

    def legal_moves(self, state: StateArray) -> list[str]:
        return sorted(super().legal_moves(state))

    def contents(self, state: StateArray) -> tuple[Content, ...]:
        """The numbers in rising order, and who has picked them."""
        return tuple(sorted(super().contents(state)))

    def _numbers(self, state: StateArray) -> list[list[str]]:
        """The numbers that nobody has, those of Ann, and those of Bob, in rising order."""
        symbols = self._look(state)[0]
        return [sorted(number for number, symbol in zip(SQUARE, symbols, strict=True) if symbol == owner) for owner in range(3)]
