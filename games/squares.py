"""What games on boards of squares share: the eight ways to lay a square board, positions as text, the layout of a field; and a
class for games on square boards in which every cell holds X, O or nothing.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from .board_game import BoardGame
from .drawing.grid import cell_name
from .drawing.layout import Layout, Notation, Site
from .drawing.svg import FRAMED, Field, caption_at, cell_box
from .game import Symmetries


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


def marks_notation(title: str, columns: int, rows: int | None = None, faults: tuple[str, ...] = (), signs: str = "XO") -> Notation:
    """How a board of two signs and nothing is written: `X-O------ X`. By default the board is a square."""
    count = columns * (columns if rows is None else rows)
    first, second = signs
    example = f"as in {'-' * count + ' ' + first!r}"
    return Notation(
        groups=(tuple(range(count)),),
        patterns=(
            (
                rf"[{signs}-]{{{count}}}( [\s\S]*)?",
                f"{{text}} is not a position of {title}: it takes {count} cells of {first}, {second} or -, {example}",
            ),
            (
                rf".{{{count}}} [{signs}]",
                f"{{text}} does not say who moves: after the cells come a space and {first} or {second}, {example}",
            ),
        ),
        faults=faults,
        movers=signs,
    )


def field_layout(field: Field, notation: Notation, *more_sites: Site, names: Sequence[str] = (), **more: Any) -> Layout:
    """The layout of a field: its cells, then other sites.

    Args:
        field: the drawing of the board.
        notation: how positions are written.
        more_sites: the other sites.
        names: the names of the cells; by default their coordinates.
        more: further fields of a `Layout`.
    """
    names = names or [cell_name(cell, field.columns) for cell in range(field.columns * field.rows)]
    cells = (Site(name, cell_box(cell, field.columns)) for cell, name in enumerate(names))
    return Layout(
        width=field.width,
        height=field.height,
        sites=(*cells, *more_sites),
        notation=notation,
        behind="".join(field.elements),
        caption=caption_at(*field.below),
        frame=FRAMED,
        **more,
    )


class SquareGame(BoardGame):
    """A game on a square board on which every cell holds X (player 0), O (player 1) or nothing."""

    signs: ClassVar[str] = "XO"
    planes_by_owner: ClassVar[bool] = True
    size: int
    """Cells along a side."""

    @cached_property
    @abstractmethod
    def paths(self) -> tuple[tuple[int, ...], ...]:
        """The cells that one clicks for each action, in their order; none to pass."""

    @property
    def board(self) -> tuple[int, int]:
        return self.size, self.size

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(cell_name(cell, self.size) for cell in range(self.num_cells))

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return tuple(">".join(self.labels[cell] for cell in path) or "pass" for path in self.paths)

    @cached_property
    def symmetries(self) -> Symmetries:
        number, cells = {path: action for action, path in enumerate(self.paths)}, turns(self.size)
        actions = [[number[tuple(turn[cell] for cell in path)] for path in self.paths] for turn in cells]
        return Symmetries(np.array(cells, np.int16), np.array(actions, np.int16))
