"""Which discs a move flips, along all eight lines at once. Boards of every size lie on 8×8 cells.

Cell c = 8·row + column is bit c. A smaller board lies in the middle, and the cells around it are walls, neither discs nor
empty:

    . . . . . . . .     4×4 at the start; cell a1 of 4×4 is bit 18
    . . . . . . . .
    . . - - - - . .
    . . - O X - . .
    . . - X O - . .
    . . - - - - . .
    . . . . . . . .
    . . . . . . . .

Up a line, towards higher bits, adding one to the line's discs to flip carries to the first cell that holds none; down a line,
the leading bit of what holds none is that cell. Each of the two is one expression for four lines, which LLVM turns into
vectors of four words (the idea is that of Edax 4.6, src/flip_avx_lzcnt.c).
"""

from __future__ import annotations

import numpy as np

from ...games.kernels.bits import ONE, leading, u64

NONE, TOP = u64(0), u64(1 << 63)
STEPS = ((0, 1), (1, -1), (1, 0), (1, 1))


def ray(cell: int, down: int, right: int) -> int:
    """The cells from a cell on to the border of 8×8 (bits), without the cell itself."""
    row, column = divmod(cell, 8)
    cells = 0
    while 0 <= (row := row + down) < 8 and 0 <= (column := column + right) < 8:
        cells |= 1 << 8 * row + column
    return cells


UP = np.array([[ray(cell, down, right) for down, right in STEPS] for cell in range(64)], np.uint64)
"""The cells of the four lines from each cell towards higher bits: right, left below, below, right below."""
DOWN = np.array([[ray(cell, -down, -right) for down, right in STEPS] for cell in range(64)], np.uint64)
"""Towards lower bits: left, right above, above, left above."""
NEAR = np.array(
    [sum(1 << n for n in range(64) if n != c and abs(n // 8 - c // 8) < 2 and abs(n % 8 - c % 8) < 2) for c in range(64)], np.uint64
)
"""The neighbours of each cell: a move next to no disc of the opponent flips nothing."""


def flips(cell: np.uint64, own: np.uint64, other: np.uint64) -> np.uint64:
    """The discs of `other` that a disc of `own` on an empty cell flips."""
    up = flips_up(UP[cell, 0], own, other) | flips_up(UP[cell, 1], own, other)
    up = up | flips_up(UP[cell, 2], own, other) | flips_up(UP[cell, 3], own, other)
    down = flips_down(DOWN[cell, 0], own, other) | flips_down(DOWN[cell, 1], own, other)
    down = down | flips_down(DOWN[cell, 2], own, other) | flips_down(DOWN[cell, 3], own, other)
    return up | down


def flips_up(line: np.uint64, own: np.uint64, other: np.uint64) -> np.uint64:
    """The discs of `other` flipped along a line towards higher bits."""
    run = other | ~line  # all bits off the line are set, so that the carry runs along the line alone
    end = run + ONE
    return run & ~end & line if end & line & own != NONE else NONE  # own disc at the end: what the carry cleared is flipped


def flips_down(line: np.uint64, own: np.uint64, other: np.uint64) -> np.uint64:
    """The discs of `other` flipped along a line towards lower bits."""
    # `leading` needs a bit. Where `other` has the whole line that is bit 0, which is then not an own disc on the line.
    end = (TOP >> leading((line & ~other) | ONE)) & line & own
    return (NONE - (end + end)) & line  # -2·end has all bits above `end`; 0 without an own disc
