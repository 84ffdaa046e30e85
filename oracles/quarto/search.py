"""The search: does the player with a piece in hand get at least a draw? And a win?

The answers to these two questions give the value, and each, being yes or no, cuts off more than a search for the value could
(null windows, J. Pearl's Scout, 1980). A node is a board and a piece in hand that completes no line. A choice at a node is a
cell and the piece given next, one that completes no line either, as all others lose at once. A player without a choice has
lost, except with the last piece.

Choices are tried in the order of how many choices they leave the opponent (the "fastest first" of Othello's endgame programs):
most placements make nearly all pieces unsafe, so the search follows the narrowest replies. This order saves a factor of about
ten in nodes, and more with more empty cells. A choice that leaves no reply ends the node before any is tried.

Near the end little is left to search. With two empty cells the player to move cannot win, since the opponent has the last
piece; so with three the opponent cannot, and any safe piece to give is enough for a draw; and so with three or four
only a choice that leaves no reply wins.

Nodes with many empty cells are kept in a transposition table under one form for all symmetric positions (symmetry.py). An entry is
two words, and no two positions share one:

    word 0    the four boards of the canonical form of the position
         1    bit 0-15    its occupied cells
                  16-17   the player to move gets at least a draw; a win
                  18-19   does not get a draw; a win

The first row of a bucket keeps the position with fewer pieces on the board, whose search took longer; the second keeps the latest.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.native import releases_gil
from ...games.game import StateArray
from ...games.kernels.arrays import Numbers, States, Words
from ...games.kernels.bits import ONE, bit, count, has, lowest, number, u64
from ...games.kernels.keys import mix
from ...games.kernels.rules import State, load
from ...games.linking import LinkedKernel
from ...games.quarto.rules import BOARD as CELL_BITS
from ...games.quarto.rules import GIVEN, HAND, Quarto, piece_on
from ...search.transposition import ABSENT, TranspositionTable, bucket_of, find_row
from ...search.watch import Stopped, visit
from .lines import (
    BOARD,
    CELL,
    CELLS,
    COLUMNS,
    OCCUPIED,
    VALUES,
    begin,
    complete_row,
    line_words,
    line_words_with_squares,
    on_cell,
    place_piece,
    safe_after,
)
from .symmetry import Movements, least_form, movements_of

NONE, STOPPED, DECIDED, UNKNOWN = -1, -2, -1, -1
GETS, GETS_NOT = 16, 18  # the first of the two bits of an entry
SLOTS = 16
BOARDS, CHOICES = 17 * SLOTS, 256
"""Room for boards, and for choices at a node. Board 16·e + k is made by a placement on the k-th of e empty cells; 0 is the root."""
HASTY = 5
"""With so few empty cells, the choices on one cell are tried before those on the next are known: searching takes less time there
than counting the replies to all."""
FEWEST_EMPTY = 9
"""Positions with fewer empty cells are not stored in the table: too few of them come up again."""


def search_of(game: Quarto) -> LinkedKernel:
    """The kernel that searches a variant."""
    return LinkedKernel(action_for, {line_words: line_words_with_squares} if game.squares else None)


class QuartoSearcher:
    """Searches positions with a piece in hand; several threads can use it at the same time, each with a table of 2^table_bits
    entries of 16 bytes."""

    def __init__(self, game: Quarto, table_bits: int) -> None:
        self._action_for = game.kernel(*search_of(game))
        self._movements = movements_of(game)
        self._table_bits = table_bits
        self._spare: list[QuartoWorkspace] = []

    def action(self, state: StateArray, wanted: int, watch: NDArray[np.int64]) -> int | None:
        """A cell with which the player to move gets at least 0 or 1; None if there is no such cell.

        Args:
            state: an unfinished position with a piece in hand (2,).
            wanted: 0 or 1.
            watch: the words of a watch.

        Raises:
            Stopped: the watch stopped the search.
            MemoryError: there is no room for the table.
        """
        with self._workspace() as workspace:
            action = self._action_for(np.array(state), wanted, workspace._replace(watch=watch))
        if action == STOPPED:
            raise Stopped
        return None if action == NONE else action

    def value(self, state: StateArray, watch: NDArray[np.int64]) -> int:
        """The value of a position with a piece in hand for the player to move: 1, 0 or -1; Stopped where the watch stopped the
        search."""
        if self.action(state, 0, watch) is None:
            return -1
        return 0 if self.action(state, 1, watch) is None else 1

    @contextmanager
    def _workspace(self) -> Generator[QuartoWorkspace]:
        """A workspace that no other thread uses; it is kept, with its table, for later searches."""
        try:
            workspace = self._spare.pop()
        except IndexError:
            boards, choices = np.zeros((BOARDS, COLUMNS), np.uint64), np.zeros((17, CHOICES), np.uint64)
            table = TranspositionTable(self._table_bits).entries
            workspace = QuartoWorkspace(
                boards=boards, choices=choices, table=table, movements=self._movements, watch=np.zeros(4, np.int64)
            )
        try:
            yield workspace
        finally:
            self._spare.append(workspace)


class QuartoWorkspace(NamedTuple):
    """The arrays that one search at a time works with.

    Args:
        boards: the boards on the way down (BOARDS, COLUMNS).
        choices: the choices of the nodes on the way down, by the number of empty cells (17, CHOICES).
        table: results of earlier searches of the same variant (a power of two, 2).
        movements: the ways to move the cells (symmetry.py).
        watch: limits (search/watch.py).
    """

    boards: States
    choices: States
    table: States
    movements: Movements
    watch: Numbers


@releases_gil
def action_for(words: Words, wanted: int, workspace: QuartoWorkspace) -> int:
    """An action with which the player to move gets at least the wanted value.

    Args:
        words: a position with a piece in hand (2,).
        wanted: 0 or 1.
        workspace: the arrays of the search.

    Returns:
        The action; NONE if there is none, STOPPED if the watch stopped the search.
    """
    boards, choices, table = workspace.boards, workspace.choices, workspace.table
    state = load(words)
    set_up(boards, state)
    complete_row(boards, 0)
    piece = number((state[1] >> HAND) & u64(15))
    for cell in range(16):
        if not has(state[1], cell) and on_cell(boards, 0, cell) & VALUES[piece] != u64(0):
            return cell
    board, cells = least_form(state[0], state[1] & CELL_BITS, piece, workspace.movements)
    if find(table, board, cells, wanted) == 0:  # a stored yes does not help: the action is not stored with it
        return NONE
    empty = 16 - count(cells)
    answer = gets(0, ~(state[1] >> GIVEN) & CELL_BITS, piece, empty, wanted, workspace)
    if answer == STOPPED:
        return STOPPED
    keep(table, board, cells, wanted, answer)
    return number(boards[0, CELLS + slot_of(choices[empty, 0])] >> CELL) if answer == 1 else NONE


def set_up(boards: States, state: State) -> None:
    """Makes row 0 the board of a state."""
    begin(boards, 0)
    for cell in range(16):
        if has(state[1], cell):
            place_piece(boards, 0, 0, piece_on(state, cell), cell)


def gets(row: int, left: np.uint64, piece: int, empty: int, wanted: int, workspace: QuartoWorkspace) -> int:
    """Whether the player to move gets at least the wanted value: 1, 0 or STOPPED.

    With 1, the first of the choices at this number of empty cells is one that gets it.

    Args:
        row: the board, after `complete_row`.
        left: the pieces neither placed nor in hand.
        piece: the piece in hand, which completes no line.
        empty: how many cells are empty.
        wanted: 0 or 1.
        workspace: the arrays of the search.
    """
    boards, choices, table = workspace.boards, workspace.choices, workspace.table
    if visit(workspace.watch):
        return STOPPED
    if empty <= 3 and wanted == 0:  # the opponent cannot win any more, unless every piece left to give is unsafe
        return leaves_one(boards, choices, row, left, piece, empty)
    if empty <= 2:  # the opponent has the last piece: no win is left
        return 0
    tried = listed = 0
    for k in range(empty):
        listed = list_choices(boards, choices, row, left, piece, empty, k, listed)
        if listed == DECIDED:
            return 1
        if (empty > HASTY and k < empty - 1) or (empty <= 4 and wanted == 1):
            continue  # more choices come first, or only one that leaves no reply will do
        while tried < listed:
            choice = bring_forward(choices, empty, tried, listed)
            target, given = row_of(choice), piece_of(choice)
            board, cells, answer = u64(0), u64(0), UNKNOWN
            if empty > FEWEST_EMPTY:
                board, cells = least_form(boards[target, BOARD], boards[target, OCCUPIED], given, workspace.movements)
                answer = find(table, board, cells, 1 - wanted)
            if answer == UNKNOWN:
                rest = left & ~bit(given)
                answer = gets(target, rest, given, empty - 1, 1 - wanted, workspace)
                if answer == STOPPED:
                    return STOPPED
                if empty > FEWEST_EMPTY:
                    keep(table, board, cells, 1 - wanted, answer)
            if answer == 0:  # a win: the opponent does not even draw; a draw: the opponent does not win
                choices[empty, 0] = choice
                return 1
            tried += 1
    return 0


def leaves_one(boards: States, choices: States, row: int, left: np.uint64, piece: int, empty: int) -> int:
    """Whether some placement leaves a safe piece to give, or was the last: 1 or 0."""
    for k in range(empty):
        if empty == 1 or safe_after(boards, row, CELLS + k, VALUES[piece], left) != u64(0):
            choices[empty, 0] = choice_of(0, SLOTS * empty + k, 0)
            return 1
    return 0


def list_choices(boards: States, choices: States, row: int, left: np.uint64, piece: int, empty: int, k: int, listed: int) -> int:
    """Adds the choices on the k-th empty cell and returns how many are listed now; DECIDED if one of them leaves no reply."""
    here = boards[row, CELLS + k]
    safe = safe_after(boards, row, CELLS + k, VALUES[piece], left)
    if safe == u64(0):
        return listed
    target = SLOTS * empty + k
    place_piece(boards, row, target, piece, number(here >> CELL))
    complete_row(boards, target)
    while safe != u64(0):
        given = lowest(safe)
        safe &= safe - ONE
        others = left & ~bit(given)
        replies = 0
        for j in range(CELLS, CELLS + empty - 1):
            replies += count(safe_after(boards, target, j, VALUES[given], others))
        if replies == 0:
            choices[empty, 0] = choice_of(0, target, given)
            return DECIDED
        choices[empty, listed] = choice_of(replies, target, given)
        listed += 1
    return listed


def choice_of(replies: int, row: int, given: int) -> np.uint64:
    """A choice as a word: the fewer replies it leaves, the smaller the word."""
    return u64(replies << 16 | row << 4 | given)


def row_of(choice: np.uint64) -> int:
    """The row of the board after the placement."""
    return number((choice >> u64(4)) & u64(0xFFF))


def slot_of(choice: np.uint64) -> int:
    """On which of the empty cells the piece is placed."""
    return number((choice >> u64(4)) & u64(15))


def piece_of(choice: np.uint64) -> int:
    """The piece given."""
    return number(choice & u64(15))


def bring_forward(choices: States, empty: int, k: int, listed: int) -> np.uint64:
    """Swaps the least of the choices from the k-th on with the k-th, and returns it."""
    least = k
    for j in range(k + 1, listed):
        if choices[empty, j] < choices[empty, least]:
            least = j
    choice = choices[empty, least]
    choices[empty, least] = choices[empty, k]
    choices[empty, k] = choice
    return choice


# ---- entries of the transposition table


def find(table: States, board: np.uint64, cells: np.uint64, wanted: int) -> int:
    """Whether the player to move gets at least the wanted value, 0 or 1: 1, 0 or UNKNOWN."""
    row = find_row(table, first_row(table, board, cells), board, CELL_BITS, cells)
    if row == ABSENT:
        return UNKNOWN
    return 1 if has(table[row, 1], GETS + wanted) else 0 if has(table[row, 1], GETS_NOT + wanted) else UNKNOWN


def keep(table: States, board: np.uint64, cells: np.uint64, wanted: int, answer: int) -> None:
    """Stores whether the player to move gets at least the wanted value, and what follows from it."""
    # who wins also gets a draw, and who does not get a draw does not win: such an answer sets two bits
    bits = u64((1 + 2 * wanted) << GETS if answer == 1 else (3 - wanted) << GETS_NOT)
    first = first_row(table, board, cells)
    row = find_row(table, first, board, CELL_BITS, cells)
    if row != ABSENT:
        table[row, 1] |= bits
        return
    if count(table[first, 1] & CELL_BITS) < count(cells) and table[first, 1] != u64(0):
        first += 1
    else:
        table[first + 1, 0], table[first + 1, 1] = table[first, 0], table[first, 1]
    table[first, 0], table[first, 1] = board, cells | bits


def first_row(table: States, board: np.uint64, cells: np.uint64) -> int:
    """The first row of a position's bucket."""
    return bucket_of(table, mix(board ^ (cells << u64(24))))
