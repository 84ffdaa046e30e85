"""Shapes of patterns, their places on a board, and the weights that they share by the game's symmetries.

A *shape* is a rectangle of cells, `2x3`, or a diagonal, `d4`; its *places* are everywhere on the board, turned and mirrored. Cells
by their names, `a1b1a2b2`, are a shape that has only this place, and those that the symmetries map it onto.
A *pattern* is the content of a place: the looks of its cells (looks.py), as empty, the mover's or the opponent's, as one number.
Places that a symmetry maps onto each other share one table of weights, and patterns of one place share a weight likewise.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import short_repr
from ...games.game import Game
from .looks import looks_of

LONGEST = 12
"""The cells of the largest shape, where a cell has 3 looks."""
MOST_PATTERNS = 3**LONGEST
"""The largest number of patterns of a place."""
NAMED_CELLS = re.compile(r"([a-z][1-9]\d?){2,}")
"""Cells by their names."""
SMALL, LARGE = 9, 10
"""The cells of the largest board that is a shape by itself, and of the largest usual shape on other boards."""
WIDE = 8
"""The cells along a side from which on a board has shapes of edges and corners."""


class NTuplePatterns(NamedTuple):
    """The places of patterns, and the number of the weight of each.

    Args:
        steps: the number that a cell of look 1 adds to the pattern of each place; one of look 2 adds twice that, and so on (C, P).
        starts: where the patterns of each place begin in `slots` (P,).
        slots: the weight of each pattern (T,).
        codes: the looks of cells, as in `Looks`.
        weights: the number of weights.
    """

    steps: NDArray[np.int32]
    starts: NDArray[np.int32]
    slots: NDArray[np.int32]
    codes: NDArray[np.int32]
    weights: int


def usual_shapes(game: Game) -> tuple[str, ...]:
    """Shapes that suit a game's board: the whole of a small one; lines, double lines and squares; on larger ones, short lines; on
    8×8 and beyond, edges, corners, lines and diagonals.

    Games that are read by their observations have short lines and small rectangles that fit and have few patterns.
    """
    height, width = game.board
    shorter, longer = sorted(game.board)
    count = looks_of(game).count
    if height * width <= SMALL and count ** (height * width) <= MOST_PATTERNS:
        return (f"{height}x{width}",)
    if game.known.sides and WIDE <= shorter == longer <= LONGEST - 2:
        return edges_and_corners(longer)
    if game.known.sides:
        return (f"1x{longer}", f"d{shorter}", f"2x{longer}", "3x3") if 2 * longer <= LARGE else ("1x4", "d4")
    most = max(cells for cells in range(1, LONGEST + 1) if count**cells <= MOST_PATTERNS)
    line, diagonal = min(4, most, longer), min(4, most, shorter)
    rectangles = [f"2x{width}" for width in (2, 3) if 2 * width <= most and shorter > 1 and longer >= width]
    return f"1x{line}", *([f"d{diagonal}"] if diagonal > 1 else []), *rectangles


def edges_and_corners(size: int) -> tuple[str, ...]:
    """Shapes of a large board: an edge with the cells diagonally next to its corners, lines, corners, diagonals of 4 or more."""
    columns = "abcdefghijkl"[:size]
    lines = ["".join(f"{column}{row}" for column in columns) for row in range(1, size // 2 + 1)]
    corners = [
        "".join(f"{column}{row}" for row in range(1, rows + 1) for column in columns[:wide]) for rows, wide in ((3, 3), (2, 5))
    ]
    diagonals = ["".join(f"{columns[i]}{length - i}" for i in range(length)) for length in range(4, size + 1)]
    return f"{lines[0]}b2{columns[-2]}2", *lines[1:], *corners, *diagonals


@cache
def patterns_of(game: Game, shapes: tuple[str, ...]) -> NTuplePatterns:
    """The patterns of shapes on a game's board; ValueError where a text is no shape, or one does not fit there, or has too many
    patterns."""
    looks = looks_of(game)
    steps, starts, slots = list[NDArray[np.int64]](), list[int](), list[NDArray[np.int64]]()
    patterns = weights = 0
    for family in families(game, shapes):
        turned, orders = places_and_orders(family, looks.turns)
        for place in turned:
            steps.append(np.zeros(looks.turns.shape[1], np.int64))
            steps[-1][place] = looks.count ** np.arange(len(place))
            starts.append(patterns)
        same = same_patterns(orders, looks.count)
        slots.append(same + weights)
        patterns += len(same)
        weights += int(same.max()) + 1
    places, numbers = np.array(steps, np.int32).T.copy(), np.concatenate(slots).astype(np.int32)
    return NTuplePatterns(steps=places, starts=np.array(starts, np.int32), slots=numbers, codes=looks.codes, weights=weights)


def places_and_orders(family: list[int], turns: NDArray[np.int64]) -> tuple[list[list[int]], list[list[int]]]:
    """The places of a family, and for each symmetry (S, H·W) that maps its first place onto itself, the cell that comes to each
    cell there."""
    turned = turns[:, family].tolist()
    places = [*{frozenset(place): place for place in reversed(turned)}.values()]
    return places, [[place.index(cell) for cell in family] for place in turned if set(place) == set(family)]


def families(game: Game, shapes: tuple[str, ...]) -> list[list[int]]:
    """One place of each family of places that the symmetries map onto each other."""
    looks = looks_of(game)
    by_family: dict[frozenset[frozenset[int]], list[int]] = {}
    for shape in shapes:
        if looks.count ** (cells := len(offsets(shape))) > MOST_PATTERNS:
            raise ValueError(
                f"the shape {shape!r} has too many patterns: each of its {cells} cells has {looks.count} looks in {game}, "
                f"and there may be {MOST_PATTERNS:,} patterns"
            )
        for place in places(game.board, shape):
            by_family.setdefault(frozenset(map(frozenset, looks.turns[:, place].tolist())), place)
    return [*by_family.values()]


def places(board: tuple[int, int], shape: str) -> list[list[int]]:
    """The cells of a shape everywhere on a board of this height and width; of named cells, that one place."""
    rows, columns = np.array(offsets(shape)).T
    if NAMED_CELLS.fullmatch(shape):
        fits = bool(rows.max() < board[0] and columns.max() < board[1])
        cells = [(rows * board[1] + columns).tolist()] if fits else []
    else:
        cells = everywhere(board, rows, columns)
    if not cells:
        raise ValueError(f"the shape {short_repr(shape)} does not fit on a board of {board[0]}×{board[1]} cells")
    return cells


def everywhere(board: tuple[int, int], rows: NDArray[np.int64], columns: NDArray[np.int64]) -> list[list[int]]:
    """The places of cells, given by rows and columns, anywhere on a board, turned and mirrored."""
    return [
        ((row + down) * board[1] + column + right).tolist()
        for down, right in ((rows, columns), (columns, rows), (rows, -columns))
        for row in range(-int(down.min()), board[0] - int(down.max()))
        for column in range(-int(right.min()), board[1] - int(right.max()))
    ]


def offsets(shape: str) -> list[tuple[int, int]]:
    """The rows and columns of a shape's cells; ValueError where the text is not a shape, or one of too many cells."""
    if rectangle := re.fullmatch(r"(\d{1,2})x(\d{1,2})", shape):
        height, width = map(int, rectangle.groups())
        cells = [(row, column) for row in range(height) for column in range(width)]
    elif diagonal := re.fullmatch(r"d(\d{1,2})", shape):
        cells = [(i, i) for i in range(int(diagonal[1]))]
    elif NAMED_CELLS.fullmatch(shape):
        cells = [(int(row) - 1, ord(column) - ord("a")) for column, row in re.findall(r"([a-z])(\d+)", shape)]
    else:
        raise ValueError(
            f"{short_repr(shape)} is not a shape; a rectangle is 2x3, a diagonal d4, some cells a1b1a2b2, and several are joined"
            " by +"
        )
    if len({*cells}) < len(cells):
        raise ValueError(f"the shape {short_repr(shape)} has a cell twice")
    if not 1 <= len(cells) <= LONGEST:
        raise ValueError(f"the shape {short_repr(shape)} has {len(cells)} cells; it may have 1 to {LONGEST}")
    return cells


def same_patterns(orders: list[list[int]], looks: int) -> NDArray[np.int64]:
    """Numbers for the patterns of a place; those which its own symmetries map onto each other have the same number.

    The orders are those of `places_and_orders`.
    """
    length = len(orders[0])
    powers = looks ** np.arange(length)
    digits = np.arange(looks**length)[:, None] // powers % looks
    least = np.min([digits[:, order] @ powers for order in orders], axis=0)
    return np.unique(least, return_inverse=True)[1].reshape(-1)
