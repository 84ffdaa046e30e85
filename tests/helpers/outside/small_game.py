"""A game small enough to read at once: marks on a row of six cells, three side by side win. The tests of checks break it."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from ludus.rules import ONE, ONGOING, Box, Game, Pen, Permutation, Planes, State, StateArray, Symmetries, bit, has, number, u64

# Bits 0 to 5 of the one word are X's cells, bits 8 to 13 those of O, bit 16 the player to move.
CELLS, ALL, TURN = 6, u64(0b111111), u64(16)


def player(state: State) -> int:
    return number(state[0] >> TURN)


def legal(state: State, word: int) -> np.uint64:
    return ~(state[0] | (state[0] >> u64(8))) & ALL


def play(state: State, action: int) -> State:
    mark = bit(action + 8 * player(state))
    return ((state[0] | mark) ^ (ONE << TURN),)


def outcome(state: State) -> int:
    if three(state[0] & ALL):
        return 1
    if three((state[0] >> u64(8)) & ALL):
        return -1
    return 0 if legal(state, 0) == u64(0) else ONGOING


def three(cells: np.uint64) -> bool:
    return cells & (cells >> ONE) & (cells >> u64(2)) != u64(0)


def observe(state: State, seat: int, planes: Planes) -> None:
    for cell in range(CELLS):
        planes[0, cell] = has(state[0], 8 * seat + cell)
        planes[1, cell] = has(state[0], 8 * (1 - seat) + cell)
    planes[2] = 1


def permute(state: State, cells: Permutation, actions: Permutation) -> State:
    moved = state[0] & (ONE << TURN)
    for cell in range(CELLS):
        both = (state[0] >> u64(cell)) & u64(0b1_0000_0001)
        moved |= both << u64(cells[cell])
    return (moved,)


@dataclass(frozen=True)
class SmallGame(Game):
    """Three in a row on six cells."""

    name: ClassVar[str] = "small"
    title: ClassVar[str] = "Small"
    num_words: ClassVar[int] = 1
    player_names: ClassVar[tuple[str, str]] = ("X", "O")
    planes: ClassVar[tuple[str, ...]] = ("own marks", "the opponent's marks", "ones")
    planes_by_owner: ClassVar[bool] = True
    variants: ClassVar[tuple[str, ...]] = (name,)

    @property
    def board(self) -> tuple[int, int]:
        return 1, CELLS

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return tuple("abcdef")

    @property
    def start_words(self) -> tuple[int, ...]:
        return (0,)

    @cached_property
    def symmetries(self) -> Symmetries:
        cells = np.array([[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]], np.int16)
        return Symmetries(cells, cells)

    def _cells(self, state: StateArray) -> str:
        word = int(state[0])
        return "".join("X" if word >> cell & 1 else "O" if word >> cell + 8 & 1 else "-" for cell in range(CELLS))

    def text(self, state: StateArray) -> str:
        return f"{self._cells(state)} {'XO'[int(state[0]) >> 16]}"

    def parse(self, text: str) -> StateArray:
        cells, _, mover = text.partition(" ")
        turn = {"X": 0, "O": 1}.get(mover)
        if len(cells) != CELLS or set(cells) - set("XO-") or turn != cells.count("X") - cells.count("O"):
            raise ValueError(f"{text!r} is not a position of Small: six cells of X, O or -, a space, who moves")
        marks = [sum(1 << cell for cell, mark in enumerate(cells) if mark == symbol) for symbol in "XO"]
        return np.array([marks[0] | marks[1] << 8 | turn << 16], np.uint64)

    def picture(self, state: StateArray, action: int | None = None) -> str:
        return f"{' '.join(self.moves)}\n{' '.join(self._cells(state))}\n\n{self.status(state)}"

    def clicks(self, state: StateArray, action: int) -> tuple[Box, ...]:
        return (Box(40 * action, 0, 40, 40),)

    def svg(self, state: StateArray, action: int | None = None) -> str:
        pen = Pen(40 * CELLS, 70)
        for cell, mark in enumerate(self._cells(state)):
            pen.text(40 * cell + 20, 30, mark, 20)
        pen.text(100, 60, self.status(state), 12)
        return pen.finish()
