"""What games on boards of squares share: names of cells, the eight ways to lay a square board, positions as text; and a class for
games on square boards in which every cell holds X, O or nothing.

Cells are numbered row by row and named as on a chessboard, with a1 at the top left.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from .drawing.clicks import Box, Place
from .drawing.svg import cell_box
from .game import Game, StateArray, Symmetries

LETTERS = "abcdefgh"


def cell_name(cell: int, size: int) -> str:
    """The name of a cell: column letter, row number counted from the top."""
    return f"{chr(ord('a') + cell % size)}{cell // size + 1}"


def turns(size: int) -> list[tuple[int, ...]]:
    """The eight rotations and reflections of a square board, as permutations of its cells, the identity first."""
    cells = [divmod(cell, size) for cell in range(size * size)]
    quarter_turn = [column * size + size - 1 - row for row, column in cells]
    reflection = [row * size + size - 1 - column for row, column in cells]
    return permutations([quarter_turn, reflection])


def lines(size: int) -> list[tuple[int, ...]]:
    """The rows, the columns and the two diagonals of a square board, as cells."""
    rows = [tuple(range(row * size, (row + 1) * size)) for row in range(size)]
    columns = list(zip(*rows, strict=True))
    return [*rows, *columns, tuple(row[i] for i, row in enumerate(rows)), tuple(row[-1 - i] for i, row in enumerate(rows))]


def cells_in(lines: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """The cells of some lines, in rising order, each once."""
    return tuple(sorted({cell for line in lines for cell in line}))


def permutations(generators: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """All permutations that compositions of the given ones make, in the order found; the first is the identity."""
    identity = tuple(range(len(generators[0])))
    elements = [identity]
    known = {identity}
    for permutation in elements:
        for generator in generators:
            composed = tuple(generator[image] for image in permutation)
            if composed not in known:
                known.add(composed)
                elements.append(composed)
    return elements


def read_marks(text: str, columns: int, title: str, rows: int | None = None) -> tuple[int, int, int]:
    """Reads `X-O------ X`: the cells of X, the cells of O (as bits), and the player to move. By default the board is a square.

    Raises:
        ValueError: it does not read so.
    """
    count = columns * (columns if rows is None else rows)
    cells, _, mover = text.strip().partition(" ")
    example = f"{'-' * count} X"
    if len(cells) != count or set(cells) - set("XO-"):
        raise ValueError(f"{text!r} is not a position of {title}: it takes {count} cells of X, O or -, as in {example!r}")
    if mover not in ("X", "O"):
        raise ValueError(f"{text!r} does not say who moves: after the cells come a space and X or O, as in {example!r}")
    x, o = (sum(1 << i for i, mark in enumerate(cells) if mark == symbol) for symbol in "XO")
    return x, o, "XO".index(mover)


def write_marks(x: int, o: int, player: int, count: int) -> str:
    """The text that `read_marks` reads."""
    return f"{''.join(marks(x, o, count))} {'XO'[player]}"


def marks(x: int, o: int, count: int) -> list[str]:
    """What stands on each cell: X, O or -."""
    return ["X" if x >> i & 1 else "O" if o >> i & 1 else "-" for i in range(count)]


def grid(symbols: Sequence[str], columns: int, marked: Iterable[int], below: Sequence[str]) -> str:
    """A board of symbols with coordinates; marked cells stand in brackets, and lines of text follow below."""
    marked = set(marked)
    width = max(map(len, symbols)) + 2

    def cell(number: int) -> str:
        symbol = "." if symbols[number] == "-" else symbols[number]
        return (f"[{symbol}]" if number in marked else symbol).center(width)

    header = "   " + "".join(LETTERS[column].center(width) for column in range(columns))
    starts = range(0, len(symbols), columns)
    rows = [f"{row:>2} " + "".join(map(cell, range(start, start + columns))) for row, start in enumerate(starts, 1)]
    return "\n".join(line.rstrip() for line in [header, *rows, *below])


CELL_WORDINGS = (
    (r"column ([a-h]),? (?:and )?row (\d)\b", r"\1\2"),
    (r"row (\d),? (?:and )?column ([a-h])\b", r"\2\1"),
    (r"\b([b-h]) (\d)\b", r"\1\2"),  # `a 2` may be an article and a number
)
"""Other ways to write a cell, as `Game.wordings`."""


class SquareGame(Game):
    """A game on a square board on which every cell holds X (player 0), O (player 1) or nothing."""

    planes_by_owner: ClassVar[bool] = True
    wordings: ClassVar[tuple[tuple[str, str], ...]] = CELL_WORDINGS
    size: int
    """Cells along a side."""

    @cached_property
    @abstractmethod
    def paths(self) -> tuple[tuple[int, ...], ...]:
        """The cells that one clicks for each action, in their order; none to pass."""

    @abstractmethod
    def marks_of(self, state: StateArray) -> tuple[int, int]:
        """The cells of X and of O, as bits."""

    @property
    def board(self) -> tuple[int, int]:
        return self.size, self.size

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return tuple(">".join(cell_name(cell, self.size) for cell in path) or "pass" for path in self.paths)

    @cached_property
    def symmetries(self) -> Symmetries:
        number, cells = {path: action for action, path in enumerate(self.paths)}, turns(self.size)
        actions = [[number[tuple(turn[cell] for cell in path)] for path in self.paths] for turn in cells]
        return Symmetries(np.array(cells, np.int16), np.array(actions, np.int16))

    def text(self, state: StateArray) -> str:
        return write_marks(*self.marks_of(state), self.player(state), self.num_cells)

    def picture(self, state: StateArray, action: int | None = None) -> str:
        marked = () if action is None else self.paths[action][-1:]
        return grid(marks(*self.marks_of(state), self.size**2), self.size, marked, ["", self.status(state)])

    def clicks(self, state: StateArray, action: int) -> tuple[Box, ...]:
        return tuple(cell_box(cell, self.size) for cell in self.paths[action])

    def places(self, state: StateArray, action: int) -> tuple[Place, ...]:
        held = marks(*self.marks_of(state), self.size**2)
        words = dict(zip("-XO", ("empty", *self.player_names), strict=True))
        return tuple(
            Place(cell_box(cell, self.size), f"{cell_name(cell, self.size)}, {words[held[cell]]}", held[cell] == "-")
            for cell in self.paths[action]
        )
