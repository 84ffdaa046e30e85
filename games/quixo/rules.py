"""The rules of Quixo, which [its page](../../docs/games/quixo.md) describes.

A state is one word:

| word | bits | what |
|---|---|---|
| 0 | 0 to 24 | the cells of X, cell *c* in bit *c* |
| 0 | 25 | the player to move |
| 0 | 26 to 28 | the size |
| 0 | 32 to 56 | the cells of O |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np

from ...core.bounds import OneOf
from ...core.numbers import Range
from ..drawing.layout import Layout, Symbol
from ..drawing.svg import FIRST, MARK, SECOND, Field, cross, element, ring, square
from ..evaluation import Evaluation
from ..kernels.arrays import Numbers
from ..kernels.bits import ONE, bit, count, lowest, number, spread, u64
from ..kernels.boards import holding, put
from ..kernels.rules import ONGOING, Permutation, Planes, Sites, State
from ..known import Known, read_known
from ..squares import SquareGame, field_layout, lines, marks_notation

BOARD = u64((1 << 25) - 1)
PLAYER, SIZE, HIGH = u64(25), u64(26), u64(32)
LARGEST = 5
LINE_WORTH = np.array([c * 3**c for c in range(LARGEST + 1)])

ARROWS = tuple(
    square(56, "none", rx=9, stroke=MARK, stroke_width=4) + element("path", d=arrow, fill=MARK)
    for arrow in ("M0 31L7 41H-7z", "M0-31L7-41H-7z", "M31 0L41-7V7z", "M-31 0L-41-7V7z")
)
"""A frame around a cube that came in, and the direction from which it was pushed: from below, from above, from the right, from the
left."""


def slides(size: int) -> list[tuple[int, int]]:
    """The cells of each action: the one taken, and the one of re-entry."""
    last, every = size - 1, range(size * size)
    moves: list[tuple[int, int]] = []
    for taken in every:
        row, column = divmod(taken, size)
        if row in (0, last) or column in (0, last):
            ends = {row * size, row * size + last, column, last * size + column} - {taken}
            moves += [(taken, entered) for entered in sorted(ends)]
    return moves


# For each size and action, as bits: the cell taken, the cell of re-entry, the cubes that move, and by how
# many cells they do: up (to higher numbers) or down.
TAKEN, ENTERED, MOVING = (np.zeros((LARGEST + 1, 44), np.uint64) for _ in range(3))
UP, DOWN = (np.zeros((LARGEST + 1, 44), np.uint64) for _ in range(2))
# For each size: the actions that take each cell, and the lines.
TAKING = np.zeros((LARGEST + 1, 25), np.uint64)
LINES = np.zeros((LARGEST + 1, 12), np.uint64)


def fill_tables(size: int) -> None:
    """Fills the tables above for boards of this size."""
    for action, (taken, entered) in enumerate(slides(size)):
        step = 1 if taken // size == entered // size else size
        between = range(min(taken, entered), max(taken, entered) + 1, step)
        TAKEN[size, action], ENTERED[size, action] = 1 << taken, 1 << entered
        MOVING[size, action] = sum(1 << cell for cell in between if cell != taken)
        (DOWN if entered > taken else UP)[size, action] = step
        TAKING[size, taken] |= u64(1 << action)
    full = [sum(1 << cell for cell in line) for line in lines(size)]
    LINES[size] = [*full, *[full[0]] * (12 - len(full))]


for size_ in (3, 4, 5):
    fill_tables(size_)


def player(state: State) -> int:
    return number((state[0] >> PLAYER) & ONE)


def size_of(state: State) -> int:
    """Cells along a side of the board."""
    return number((state[0] >> SIZE) & u64(7))


def cells_of(state: State, who: int) -> np.uint64:
    """The cells that show a player's symbol."""
    return (state[0] >> u64(32 * who)) & BOARD


def sides(state: State) -> tuple[np.uint64, np.uint64]:
    """The cells of the player to move, and the opponent's."""
    mover = player(state)
    return cells_of(state, mover), cells_of(state, 1 - mover)


def legal(state: State, word: int) -> np.uint64:
    size = size_of(state)
    theirs = cells_of(state, 1 - player(state))
    bits = bit(12 * size - 16) - ONE
    while theirs != u64(0):
        bits &= ~TAKING[size, lowest(theirs)]
        theirs &= theirs - ONE
    return bits


def play(state: State, action: int) -> State:
    size, mover = size_of(state), player(state)
    x = slide(cells_of(state, 0), size, action)
    o = slide(cells_of(state, 1), size, action)
    entered = ENTERED[size, action]
    if mover == 0:
        x |= entered
    else:
        o |= entered
    rest = (state[0] & (u64(7) << SIZE)) | (u64(1 - mover) << PLAYER)
    return (x | (o << HIGH) | rest,)


def slide(cells: np.uint64, size: int, action: int) -> np.uint64:
    """One player's cells after a cube is taken out and the others have moved; the cell of re-entry is empty."""
    moving = MOVING[size, action]
    still = cells & ~moving & ~TAKEN[size, action]
    return still | (((cells & moving) << UP[size, action]) >> DOWN[size, action])


def outcome(state: State) -> int:
    mover = player(state)
    if has_line(cells_of(state, mover), size_of(state)):
        return 1 - 2 * mover
    if has_line(cells_of(state, 1 - mover), size_of(state)):
        return 2 * mover - 1
    return ONGOING


def has_line(cells: np.uint64, size: int) -> bool:
    """Whether a row, column or diagonal lies within these cells."""
    complete = False
    for i in range(12):
        complete |= cells & LINES[size, i] == LINES[size, i]
    return complete


def observe(state: State, seat: int, planes: Planes) -> None:
    spread(cells_of(state, seat), planes[0])
    spread(cells_of(state, 1 - seat), planes[1])
    planes[2] = 1


def permute(state: State, cells: Permutation, actions: Permutation) -> State:
    moved = state[0] & (u64(15) << PLAYER)
    for cell in range(cells.shape[0]):
        both = (state[0] >> u64(cell)) & (ONE | (ONE << HIGH))
        moved |= both << u64(cells[cell])
    return (moved,)


def is_state(state: State, start: State) -> bool:
    size = size_of(start)
    cells = (ONE << u64(size * size)) - ONE
    changing = cells | (cells << HIGH) | (ONE << PLAYER)
    return ((cells_of(state, 0) & cells_of(state, 1)) | ((state[0] ^ start[0]) & ~changing)) == u64(0)


def contents(state: State, sites: Sites) -> None:
    put(cells_of(state, 0), 1, sites)
    put(cells_of(state, 1), 2, sites)


def trace(state: State, action: int, sites: Sites) -> None:
    """The mark points at the cube that came in, from where it was: one of ARROWS."""
    size = size_of(state)
    up, across = UP[size, action] != u64(0), UP[size, action] | DOWN[size, action] == ONE
    sites[lowest(ENTERED[size, action])] = 1 + 2 * across + up


def winning(state: State, sites: Sites) -> None:
    """The winner's lines; the loser may have one, too."""
    size, won = size_of(state), cells_of(state, 0 if outcome(state) == 1 else 1)
    for i in range(2 * size + 2):
        if won & LINES[size, i] == LINES[size, i]:
            put(LINES[size, i], 1, sites)


def arrange(sites: Sites, mover: int, start: State, fault: Numbers) -> State:
    return (holding(sites, 1) | (holding(sites, 2) << HIGH) | (u64(mover) << PLAYER) | start[0],)


def line_counts(state: State, weights: Numbers) -> int:
    """The sum over all lines of c·3^c, c being the mover's cubes on it, less the same for the opponent's."""
    size = size_of(state)
    own, other = cells_of(state, player(state)), cells_of(state, 1 - player(state))
    total = 0
    for i in range(2 * size + 2):
        line = LINES[size, i]
        total += LINE_WORTH[count(own & line)] - LINE_WORTH[count(other & line)]
    return total


def threats(state: State, who: int) -> int:
    """How many lines lack one cube of a player's only: lines of four on 5×5."""
    size, cells, total = size_of(state), cells_of(state, who), 0
    for i in range(2 * size + 2):
        total += count(cells & LINES[size, i]) == size - 1
    return total


@dataclass(frozen=True)
class Quixo(SquareGame):
    """Quixo on a square board.

    Args:
        size: cells along a side: 3, 4 or 5.
        max_plies: after how many plies the environments call the game drawn (truncated): without a limit some would never end.
    """

    name: ClassVar[str] = "quixo"
    title: ClassVar[str] = "Quixo"
    player_names: ClassVar[tuple[str, str]] = ("X", "O")
    num_words: ClassVar[int] = 1
    planes: ClassVar[tuple[str, ...]] = ("own cubes", "the opponent's cubes", "ones")
    counts_moves: ClassVar[bool] = True
    variants: ClassVar[tuple[str, ...]] = ("quixo", "quixo:size=4", "quixo:size=3")
    wordings: ClassVar[tuple[tuple[str, str], ...]] = (
        (r"([a-z]\d)(?: ?(?:[-=]*>|[-x:/→]|to|\\to|\\rightarrow) ?)?([a-z]\d)", r"\1>\2"),
    )
    evaluation: ClassVar[Evaluation] = Evaluation(line_counts)
    known: ClassVar[Known] = read_known(Path(__file__).parent, sides=sides, threats=threats)

    size: Annotated[int, OneOf(3, 4, 5)] = 5
    max_plies: Annotated[int, Range(1)] = 200  # pyright: ignore[reportIncompatibleMethodOverride]

    @cached_property
    def paths(self) -> tuple[tuple[int, ...], ...]:
        return tuple(slides(self.size))

    @property
    def explanation(self) -> str:
        first, second = self.player_names
        cells = (
            f"each cell is named by {self.label_words}"
            if self.label_words
            else "cells have a column letter and a row number, with row 1 at the top"
        )
        limit = f" After {self.max_plies} move{'s' * (self.max_plies > 1)} the game is a draw."
        return (
            f"Two players, {first} and {second}, take turns on a {self.size}×{self.size} board of cubes, all blank (.) at first; "
            f"{first} begins. A move takes a cube from the border, blank or with the player's own symbol, and turns it to the "
            "player's symbol. The cube is pushed back in at another end of the row or column it was taken from, and the cubes in "
            f"between shift to close the gap. A row, column or diagonal of {self.size} equal symbols wins for the owner of the "
            f"symbol. Whoever completes a line of the opponent's symbol loses, even with an own line.{limit} A move names the cell "
            f"the cube is taken from and the cell where it is pushed in, as in {self.moves[1]}; {cells}."
        )

    @property
    def start_words(self) -> tuple[int, ...]:
        return (self.size << 26,)

    @cached_property
    def layout(self) -> Layout:
        x, o = self.signs
        cube = square(56, "#ecd9b4", rx=9, stroke="#c4a877", stroke_width=2)
        return field_layout(
            Field(self.size, colour="#8a6a48", line="#7a5c3d"),
            marks_notation(f"{self.title} on {self.size}×{self.size}", self.size, signs=self.signs),
            names=self.labels,
            symbols=(
                Symbol("-", "empty", cube),
                Symbol(x, x, cube + cross(14, FIRST, 7)),
                Symbol(o, o, cube + ring(15, SECOND, 7)),
            ),
            clicks=self.paths,
            marks=ARROWS,
            motion="slide",
        )
