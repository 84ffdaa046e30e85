"""The rules of Tic-tac-toe, which [its page](../../docs/games/tictactoe.md) describes.

A state is one word:

| word | bits | what |
|---|---|---|
| 0 | 0 to 8 | the cells of X, cell *c* in bit *c* |
| 0 | 9 to 17 | the cells of O |
| 0 | 18 | the player to move |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from .. import squares
from ..drawing.layout import Layout, Symbol
from ..drawing.svg import FIRST, SECOND, TOUCHED, Field, cross, ring
from ..kernels.arrays import Numbers
from ..kernels.bits import ONE, bit, count, number, u64
from ..kernels.boards import holding, put
from ..kernels.rules import ONGOING, Permutation, Planes, Sites, State
from ..known import Known, read_known
from ..squares import SquareGame, field_layout, marks_notation

#     cell     0 1 2        X-O        bits of X  000000001
#              3 4 5        ---        bits of O  000000100   so the word is 0b0_000000100_000000001,
#              6 7 8        ---                               and X is to move
BOARD, BOTH = u64(0o777), u64(0o777777)
TURN = u64(18)
LINES = tuple(u64(sum(1 << cell for cell in line)) for line in squares.lines(3))


def player(state: State) -> int:
    return number(state[0] >> TURN)


def sides(state: State) -> tuple[np.uint64, np.uint64]:
    """The cells of the player to move, and the opponent's."""
    x, o = state[0] & BOARD, (state[0] >> u64(9)) & BOARD
    return (x, o) if player(state) == 0 else (o, x)


def legal(state: State, word: int) -> np.uint64:
    return ~(state[0] | (state[0] >> u64(9))) & BOARD


def play(state: State, action: int) -> State:
    mark = bit(action + 9 * player(state))
    return ((state[0] | mark) ^ (ONE << TURN),)


def outcome(state: State) -> int:
    won = lines(state[0])
    x_wins, o_wins, full = won & BOARD != u64(0), won > BOARD, legal(state, 0) == u64(0)
    return 1 if x_wins else -1 if o_wins else 0 if full else ONGOING


def lines(marks: np.uint64) -> np.uint64:
    """The first cell of each three in a row, column or diagonal; of X in bits 0-8 and of O in bits 9-17, as the marks are."""
    rows = marks & (marks >> u64(1)) & (marks >> u64(2)) & u64(0o111111)
    columns = marks & (marks >> u64(3)) & (marks >> u64(6)) & u64(0o007007)
    falling = marks & (marks >> u64(4)) & (marks >> u64(8)) & u64(0o001001)
    rising = (marks >> u64(2)) & (marks >> u64(4)) & (marks >> u64(6)) & u64(0o001001)
    return rows | columns | falling | rising


def observe(state: State, seat: int, planes: Planes) -> None:
    own, other = state[0] >> u64(9 * seat), state[0] >> u64(9 - 9 * seat)
    # `spread` would do; loops of nine that LLVM can count are faster by half
    for cell in range(9):
        planes[0, cell] = (own >> u64(cell)) & ONE
    for cell in range(9):
        planes[1, cell] = (other >> u64(cell)) & ONE
    for cell in range(9):
        planes[2, cell] = 1


def permute(state: State, cells: Permutation, actions: Permutation) -> State:
    moved = state[0] & (ONE << TURN)
    for cell in range(9):
        both = (state[0] >> u64(cell)) & u64(0o1001)
        moved |= both << u64(cells[cell])
    return (moved,)


def is_state(state: State, start: State) -> bool:
    return ((state[0] & (state[0] >> u64(9)) & BOARD) | (state[0] >> (TURN + ONE))) == u64(0)


def contents(state: State, sites: Sites) -> None:
    put(state[0] & BOARD, 1, sites)
    put((state[0] >> u64(9)) & BOARD, 2, sites)


def trace(state: State, action: int, sites: Sites) -> None:
    sites[action] = 1


def winning(state: State, sites: Sites) -> None:
    for line in LINES:
        if state[0] & line == line or (state[0] >> u64(9)) & line == line:
            put(line, 1, sites)


def arrange(sites: Sites, mover: int, start: State, fault: Numbers) -> State:
    x, o = holding(sites, 1), holding(sites, 2)
    if count(x) - count(o) != mover:
        fault[0] = 1
    elif lines(x if mover == 0 else o) != u64(0):
        fault[0] = 2
    return (x | (o << u64(9)) | (u64(mover) << TURN),)


@dataclass(frozen=True)
class TicTacToe(SquareGame):
    """Tic-tac-toe on 3×3 cells."""

    name: ClassVar[str] = "tictactoe"
    title: ClassVar[str] = "Tic-tac-toe"
    num_words: ClassVar[int] = 1
    player_names: ClassVar[tuple[str, str]] = ("X", "O")
    planes: ClassVar[tuple[str, ...]] = ("own marks", "the opponent's marks", "ones")
    known: ClassVar[Known] = read_known(Path(__file__).parent, sides=sides)
    variants: ClassVar[tuple[str, ...]] = ("tictactoe",)
    size: ClassVar[int] = 3  # pyright: ignore[reportIncompatibleVariableOverride]
    start_words: ClassVar[tuple[int, ...]] = (0,)  # pyright: ignore[reportIncompatibleMethodOverride]

    @property
    def explanation(self) -> str:
        first, second = self.player_names
        where = self.label_words or "a column letter and a row number; row 1 is at the top"
        return (
            f"Two players, {first} and {second}, take turns marking empty cells of a 3×3 board; {first} begins. Whoever first has "
            "three marks in a row, horizontally, vertically or diagonally, wins. A full board without such a row is a draw. A move "
            f"is the name of the cell to mark, {where}."
        )

    @cached_property
    def paths(self) -> tuple[tuple[int, ...], ...]:
        return tuple((cell,) for cell in range(9))

    @cached_property
    def layout(self) -> Layout:
        x, o = self.signs
        faults = (
            f"{{text}} cannot be: {x} moves first, so with {{{x}}} {x} and {{{o}}} {o} it is not {{mover}}'s turn",
            "{text} cannot be: {mover} has a line, so the game was over before the last mark",
        )
        return field_layout(
            Field(3),
            marks_notation(self.title, 3, faults=faults, signs=self.signs),
            names=self.labels,
            symbols=(Symbol("-", "empty"), Symbol(x, x, cross(17, FIRST, 8)), Symbol(o, o, ring(18, SECOND, 8))),
            clicks=self.paths,
            marks=(TOUCHED,),
            is_under=True,
        )
