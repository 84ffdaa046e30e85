"""Bounds without a search, from who will get which cell: threats by parity (Allis 1988).

A player *follows up* who always answers in the column where the other has just moved. On a board with an even number of rows this
gives them the even rows, counted from below, of all columns with an even number of free cells. A column with an odd number of free
cells begins with a cell of an even row, its *base*; two such columns make a pair: who follows up answers a disc on one base by a
disc on the other. So the opponent gets odd rows and bases at most. If these and the discs on the board make no line, the opponent
does not win.

Source: V. Allis, A Knowledge-based Approach of Connect-Four, 1988 (claimeven, baseinverse, odd and even threats).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...games.connect_four import rules
from ...games.connect_four.rules import FEET, HEIGHT
from ...games.kernels.arrays import Words
from ...games.kernels.bits import ONE, count, lowest, u64

UNDECIDED = 99
"""No bound follows."""
COLUMN = u64((1 << HEIGHT) - 1)
CELLS, ODD, TOTAL, ROWS, UNUSED = range(5)
"""What an array that describes a board holds: its cells, those of odd rows (none if it has an odd number of rows), how many cells,
how many rows, the bits of columns that it does not have."""


def line_length() -> int:
    """How many discs in a line win; linked with the length of a variant."""
    raise NotImplementedError


def has_line(discs: np.uint64) -> bool:
    """Whether some discs have a line."""
    return rules.has_line(discs, line_length())


class ConnectFourNode(NamedTuple):
    """A position as the search has it.

    Args:
        own: the discs of the player to move; bit 7·column + i is cell i of a column, counted from below.
        other: the opponent's.
        filled: both.
        tops: the lowest free cells of all columns.
        against: the free cells that would complete a line of the opponent's.
    """

    own: np.uint64
    other: np.uint64
    filled: np.uint64
    tops: np.uint64
    against: np.uint64


def bound_for_first(node: ConnectFourNode, bound: int, board: Words) -> int:
    """A bound of X's score, X being to move, if O follows up.

    Args:
        node: the position.
        bound: the bound that the search asks about; only what answers it is looked for.
        board: the board (5,).

    Returns:
        An upper bound below `bound`, or UNDECIDED.
    """
    odd, rows = board[ODD], int(board[ROWS])
    if odd == u64(0) or 2 * bound <= -rows:
        return UNDECIDED
    bases = node.tops & ~odd
    if has_line(node.own | (odd & ~node.filled) | bases):
        return UNDECIDED
    even = board[CELLS] & ~odd & ~node.filled & ~bases  # O gets these
    for height in (1, 3, 5):  # at the latest when a column is full up to a threat of O's, O wins
        most = -((rows + 1 - height) // 2)
        if bound > most and node.against & even & (FEET << u64(height)) != u64(0):
            return most
    if bound > 0:
        return 0
    return -1 if bound == 0 and has_line(node.other | even) else UNDECIDED


def bound_for_second(node: ConnectFourNode, possible: np.uint64, bound: int, board: Words) -> int:
    """A bound of O's score, O being to move: if O follows up from the next ply on, or X does.

    Args:
        node: the position.
        possible: the cells where O's next disc may go.
        bound: the bound that the search asks about.
        board: the board (5,).

    Returns:
        A lower bound of at least `bound`, an upper bound below it, or UNDECIDED.
    """
    odd, rows = board[ODD], int(board[ROWS])
    if odd == u64(0):
        return UNDECIDED
    bases, free_odd = node.tops & ~odd, odd & ~node.filled
    if bound <= 0 and not has_line(node.other | free_odd):
        left = bases & possible  # O takes one of them; then the others make pairs
        while left != u64(0):
            base = left & (~left + ONE)
            left ^= base
            if not has_line(node.other | free_odd | (bases ^ base)):
                return 0
    if 2 * bound <= -rows:
        return UNDECIDED
    threats = node.against & odd
    while threats != u64(0):
        # X follows up, and gets the threat when O has had to fill its column up to the cell below: no other is left
        threat = threats & (~threats + ONE)
        threats ^= threat
        column = COLUMN << u64(lowest(threat) // HEIGHT * HEIGHT)
        if bases & column != u64(0):
            most = -((2 + count(column & board[CELLS] & ~(threat | (threat - ONE)))) // 2)
            if bound > most:
                below = column & ~odd & ~node.filled & (threat - ONE)
                if not has_line(node.own | (free_odd & ~column) | bases | below):
                    return most
            return UNDECIDED
    return UNDECIDED
