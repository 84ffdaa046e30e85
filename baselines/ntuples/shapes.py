"""Shapes of patterns, where they lie on a board, and which of them mean the same under the game's symmetries.

A *shape* is a rectangle of cells, `2x3`, or a diagonal, `d4`; its *places* are everywhere on the board, turned and mirrored.
A *pattern* is what lies on a place: the look of each cell (looks.py), as empty, the mover's or the opponent's, together a number.
Places that a symmetry maps onto each other share one table of weights, and so do patterns of one place.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.games.game import Game
from .cells import CELLS
from .looks import looks_of

LONGEST = 12
"""Cells of the largest shape, where a cell has 3 looks."""
MOST_PATTERNS = 3**LONGEST
"""So many patterns a place has at most."""
SMALL, LARGE = 9, 10
"""How many cells of a small board there are at most; and the cells of the largest shape that is usual on others."""


class Patterns(NamedTuple):
    """Where patterns lie, and which weight stands for each.

    Args:
        steps: what a cell of look 1 adds to the pattern of each place; one of look 2 adds twice that, and so on (C, P).
        starts: where the patterns of each place begin in `slots` (P,).
        slots: the weight of each pattern (T,).
        codes: which look a cell has, as Looks has it.
        weights: how many weights there are.
    """

    steps: NDArray[np.int32]
    starts: NDArray[np.int32]
    slots: NDArray[np.int32]
    codes: NDArray[np.int32]
    weights: int


def usual_shapes(game: Game) -> tuple[str, ...]:
    """Shapes that suit a game's board: the whole of a small one; lines, double lines and squares; on large ones, short lines.

    Games that are read by their observations have short lines and small rectangles, as far as they fit and their patterns are few.
    """
    height, width = game.board
    shorter, longer = sorted(game.board)
    if height * width <= SMALL and looks_of(game).count ** (height * width) <= MOST_PATTERNS:
        return (f"{height}x{width}",)
    if game.name not in CELLS:
        return _short_shapes(game)
    if 2 * longer <= LARGE:
        return f"1x{longer}", f"d{shorter}", f"2x{longer}", "3x3"
    return "1x4", "d4"


def _short_shapes(game: Game) -> tuple[str, ...]:
    """A line and a diagonal of up to four cells and small rectangles, as far as they fit on the board and have few patterns."""
    shorter, longer = sorted(game.board)
    most = max(cells for cells in range(1, LONGEST + 1) if looks_of(game).count ** cells <= MOST_PATTERNS)
    shapes = [f"1x{min(4, most, longer)}"]
    if min(4, most, shorter) > 1:
        shapes.append(f"d{min(4, most, shorter)}")
    return *shapes, *(f"2x{width}" for width in (2, 3) if 2 * width <= most and shorter > 1 and longer >= width)


@cache
def patterns_of(game: Game, shapes: tuple[str, ...]) -> Patterns:
    """The patterns of shapes on a game's board.

    Raises:
        ValueError: a text is no shape, or a shape does not fit on the board, or has too many patterns.
    """
    looks = looks_of(game)
    symmetries = looks.turns
    steps: list[NDArray[np.int64]] = []
    starts: list[int] = []
    slots: list[NDArray[np.int64]] = []
    patterns = weights = 0
    for family in families(game, shapes):
        first = np.array(family)
        turned = symmetries[:, first]
        distinct = {frozenset(place): place for place in reversed(turned.tolist())}
        for place in distinct.values():
            step = np.zeros(symmetries.shape[1], np.int64)
            step[place] = looks.count ** np.arange(len(place))
            steps.append(step)
            starts.append(patterns)
        orders = [[place.index(cell) for cell in family] for place in turned.tolist() if set(place) == set(family)]
        same = same_patterns(orders, looks.count)
        slots.append(same + weights)
        patterns += len(same)
        weights += int(same.max()) + 1
    return Patterns(
        np.array(steps, np.int32).T.copy(),
        np.array(starts, np.int32),
        np.concatenate(slots).astype(np.int32),
        looks.codes,
        weights,
    )


def families(game: Game, shapes: tuple[str, ...]) -> list[tuple[int, ...]]:
    """One place of each family that the symmetries make of the shapes' places."""
    looks = looks_of(game)
    found: dict[frozenset[frozenset[int]], tuple[int, ...]] = {}
    for shape in shapes:
        if looks.count ** len(offsets(shape)) > MOST_PATTERNS:
            raise ValueError(
                f"the shape {shape!r} has too many patterns: each of its {len(offsets(shape))} cells has {looks.count} looks in "
                f"{game}, and there may be {MOST_PATTERNS:,} patterns"
            )
        for place in places(game.board, shape):
            family = frozenset(frozenset(turned) for turned in looks.turns[:, place].tolist())
            found.setdefault(family, tuple(place))
    return list(found.values())


def places(board: tuple[int, int], shape: str) -> list[list[int]]:
    """The cells of a shape everywhere on a board of this height and width."""
    rows, columns = np.array(offsets(shape)).T
    found = [
        ((row + down) * board[1] + column + right).tolist()
        for down, right in ((rows, columns), (columns, rows), (rows, -columns))
        for row in range(-int(down.min()), board[0] - int(down.max()))
        for column in range(-int(right.min()), board[1] - int(right.max()))
    ]
    if not found:
        raise ValueError(f"the shape {shape!r} does not fit on a board of {board[0]}×{board[1]} cells")
    return found


def offsets(shape: str) -> list[tuple[int, int]]:
    """Rows and columns of a shape's cells.

    Raises:
        ValueError: the text is no shape, or one of too many cells.
    """
    if rectangle := re.fullmatch(r"(\d{1,2})x(\d{1,2})", shape):
        height, width = map(int, rectangle.groups())
        cells = [(row, column) for row in range(height) for column in range(width)]
    elif diagonal := re.fullmatch(r"d(\d{1,2})", shape):
        cells = [(i, i) for i in range(int(diagonal[1]))]
    else:
        raise ValueError(f"{shape!r} is no shape; rectangles read 2x3, diagonals d4, and several are joined by +")
    if not 1 <= len(cells) <= LONGEST:
        raise ValueError(f"the shape {shape!r} has {len(cells)} cells; it may have 1 to {LONGEST}")
    return cells


def same_patterns(orders: list[list[int]], looks: int) -> NDArray[np.int64]:
    """Numbers for the patterns of a place such that those which its own symmetries map onto each other have the same.

    Args:
        orders: for each symmetry that maps the place onto itself, from where in the place each cell is read.
        looks: how many looks a cell has.
    """
    length = len(orders[0])
    powers = looks ** np.arange(length)
    digits = np.arange(looks**length)[:, None] // powers % looks
    least = np.min([digits[:, order] @ powers for order in orders], axis=0)
    return np.unique(least, return_inverse=True)[1].reshape(-1)
