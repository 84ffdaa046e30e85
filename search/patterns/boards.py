"""Boards of 8×8 cells, as bits, mirrored and turned."""

from __future__ import annotations

import numpy as np

from ...games.kernels.bits import BYTES, NIBBLES, ONE, PAIRS, u64

TWO, FOUR, SEVEN, EIGHT, QUARTER, HALF = u64(2), u64(4), u64(7), u64(8), u64(16), u64(32)
EVERY_OTHER_ROW, EVERY_OTHER_PAIR = u64(0x00FF00FF00FF00FF), u64(0x0000FFFF0000FFFF)
SINGLE, DOUBLE, QUADRUPLE = u64(0x00AA00AA00AA00AA), u64(0x0000CCCC0000CCCC), u64(0x00000000F0F0F0F0)


def mirrored(discs: np.uint64) -> np.uint64:
    """The board with left and right exchanged."""
    discs = (discs >> ONE & PAIRS) | (discs & PAIRS) << ONE
    discs = (discs >> TWO & NIBBLES) | (discs & NIBBLES) << TWO
    return (discs >> FOUR & BYTES) | (discs & BYTES) << FOUR


def turned_over(discs: np.uint64) -> np.uint64:
    """The board with top and bottom exchanged."""
    discs = (discs >> EIGHT & EVERY_OTHER_ROW) | (discs & EVERY_OTHER_ROW) << EIGHT
    discs = (discs >> QUARTER & EVERY_OTHER_PAIR) | (discs & EVERY_OTHER_PAIR) << QUARTER
    return discs >> HALF | discs << HALF


def transposed(discs: np.uint64) -> np.uint64:
    """The board with rows and columns exchanged: cells one, two and four apart in both change places."""
    moving = (discs ^ discs >> SEVEN) & SINGLE
    discs ^= moving ^ moving << SEVEN
    moving = (discs ^ discs >> (SEVEN * TWO)) & DOUBLE
    discs ^= moving ^ moving << (SEVEN * TWO)
    moving = (discs ^ discs >> (SEVEN * FOUR)) & QUADRUPLE
    return discs ^ moving ^ moving << (SEVEN * FOUR)
