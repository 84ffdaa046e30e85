"""The search: alpha-beta on bitboards, which asks one question at a time: does the player to move get at least this score?

A score says who wins, and when: with n discs on the board at the end, the winner has (cells + 2 - n) // 2, more the sooner, and the
loser as much less; a draw is 0. Whose disc the last is says whether n is odd, so that the score gives n.

A node is a position in which the player to move has no winning move; it is neither entered when the opponent has two threats,
nor left by a move that lets the opponent win at once. What saves nodes, in this order:

- two plies ahead: a move that makes two threats, or one above the other, wins in three plies;
- threats by parity (parity.py);
- the transposition table, asked about the position and about all that follow;
- the order of moves: those that make more threats first, without threats that lie right above one of the opponent's, as the
  opponent takes that cell first;
- questions about near ends first, which look few plies ahead: a win or a loss within some 6 plies, then 12, as long as few nodes
  were visited; then from the middle outwards: does the player win, does the player draw, then each later or sooner win.

Sources: P. Pons, Solving Connect 4 (2015, blog.gamesolver.org), for the bitboards, the score, the null windows and the order;
V. Allis, 1988, for parity.

An entry of the table is a word, so that threads share the table without locks:

    bit   0-48          49-54            55-60            61-63
          the position  32 + the lower   32 + the upper   discs // 4 - 2: entries with fewer discs are
                        bound            bound            kept in the first row of a bucket of two
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.native import releases_gil
from ...games.connect_four import rules
from ...games.connect_four.rules import FEET, HEIGHT, ConnectFour, filled_cells, sides
from ...games.game import StateArray
from ...games.kernels.arrays import Numbers, States, Words
from ...games.kernels.bits import ONE, count, number, u64
from ...games.kernels.rules import load
from ...games.linking import LinkedKernel
from ...search.transposition import TranspositionTable
from ...search.watch import NODES, Stopped, visit
from .parity import CELLS, COLUMN, TOTAL, UNDECIDED, UNUSED, ConnectFourNode, bound_for_first, bound_for_second, line_length

STOPPED = -1000
POSITION = u64((1 << 49) - 1)
LOWER, UPPER, DISCS, BOUND, ABOVE = u64(49), u64(55), u64(61), u64(63), 32
SCATTER, MIX = u64(0x9E3779B97F4A7C15), u64(20)  # Fibonacci hashing (Knuth, TAOCP 3, 6.4), of whose product the upper bits are good
MIRRORED = 20
"""With fewer discs, a position and its mirror image have the same entry; later few meet, and mirroring costs more than it saves."""
ALL_ASKED = 32
"""With fewer discs, the table is asked about all positions that follow before one of them is searched."""
NEARER = 2
"""A question about a near end asks for this many scores more than the one before; a score is two plies."""
MOVES = 7
"""The most moves of a position."""
MIDDLE_FIRST = (3, 2, 4, 1, 5, 0, 6)
"""The columns in the order in which equally good moves are tried."""


def completing_cells(discs: np.uint64) -> np.uint64:
    """The cells that would complete a line of some discs."""
    return rules.threats(discs, line_length())


def three() -> int:
    return 3


def four() -> int:
    return 4


def five() -> int:
    return 5


LENGTHS = {3: three, 4: four, 5: five}
"""The length of a line is a function, not a number in the workspace: so the loops over a line are compiled for each length."""


def search_of(game: ConnectFour) -> LinkedKernel:
    """The kernel that searches a variant."""
    return LinkedKernel(score_of, {line_length: LENGTHS[game.line]})


class ConnectFourWorkspace(NamedTuple):
    """The arrays of a search.

    Args:
        table: bounds of earlier searches of the same variant (a power of two,); threads may share it.
        moves: the moves of the nodes on the way down, by discs, and the cells that they threaten (42, 14).
        board: the board (5,), as parity.py describes it.
        watch: limits (search/watch.py).
    """

    table: Words
    moves: States
    board: Words
    watch: Numbers


def board_of(game: ConnectFour) -> NDArray[np.uint64]:
    """The board as parity.py describes it (5,)."""
    cells = [HEIGHT * column + height for column in range(game.columns) for height in range(game.rows)]
    odd = [cell for cell in cells if cell % HEIGHT % 2 == 0 and game.rows % 2 == 0]
    unused = HEIGHT * (7 - game.columns)
    sets = (sum(1 << cell for cell in each) for each in (cells, odd))
    return np.array([*sets, len(cells), game.rows, unused], np.uint64)


class ConnectFourSearcher:
    """Searches positions; several threads can use it at the same time, and share what they learn in 2^table_bits entries of 8
    bytes."""

    def __init__(self, game: ConnectFour, table_bits: int) -> None:
        self._score_of = game.kernel(*search_of(game))
        self._board = board_of(game)
        self._table_bits = table_bits
        self._table: NDArray[np.uint64] | None = None
        self._spare: list[NDArray[np.uint64]] = []

    def score(self, state: StateArray, watch: NDArray[np.int64], *, sign: bool = False) -> int:
        """The score of an unfinished position for the player to move.

        Args:
            state: the position (1,).
            watch: the words of a watch.
            sign: whether only the sign of the score is wanted, which takes less time.

        Raises:
            Stopped: the watch stopped the search.
            MemoryError: there is no room for the table.
        """
        with self._moves() as moves:
            workspace = ConnectFourWorkspace(table=self._entries(), moves=moves, board=self._board, watch=watch)
            score = self._score_of(np.array(state), int(sign), workspace)
        if score == STOPPED:
            raise Stopped
        return score

    def _entries(self) -> NDArray[np.uint64]:
        if self._table is None:
            self._table = TranspositionTable(self._table_bits, words=1).entries.reshape(-1)
        return self._table

    @contextmanager
    def _moves(self) -> Generator[NDArray[np.uint64]]:
        """Room for moves that no other thread uses."""
        try:
            moves = self._spare.pop()
        except IndexError:
            moves = np.zeros((42, 2 * MOVES), np.uint64)
        try:
            yield moves
        finally:
            self._spare.append(moves)


def plies_to_end(score: int, discs: int, cells: int) -> int:
    """The plies from a position to the end that a score says; -1 for a draw.

    Args:
        score: of the player to move.
        discs: on the board.
        cells: of the board.
    """
    if score == 0:
        return -1
    last = cells + 2 - 2 * abs(score)
    return last - discs - int((last - discs) % 2 != (score > 0))


def count_discs(words: Words) -> int:
    """How many discs lie on a board."""
    return count(filled_cells(load(words)))


@releases_gil
def score_of(words: Words, sign: int, workspace: ConnectFourWorkspace) -> int:
    """The score of an unfinished position for the player to move; STOPPED if the watch stopped the search.

    Args:
        words: the position (1,).
        sign: 1 if only its sign is wanted.
        workspace: the arrays of the search.
    """
    own, _ = sides(load(words))
    filled, cells = filled_cells(load(words)), workspace.board[CELLS]
    left = number(workspace.board[TOTAL]) - count(filled)
    if completing_cells(own) & (filled + FEET) & cells != u64(0):
        return (left + 1) // 2
    against = completing_cells(own ^ filled) & cells & ~filled
    low, high, asks_for_win = -(left // 2), max(0, (left - 1) // 2), True
    most = workspace.watch[NODES] + (1 << max(0, left // 2 - 5))  # of the nodes of a hard position, a small part
    while low < high and not (sign == 1 and (low > 0 or high < 0)):
        bound = low + 1 if low > 0 else min(high, 1)
        if low < 0 < high and workspace.watch[NODES] < most:
            bound = max(1, high - NEARER) if asks_for_win else min(0, low + 1 + NEARER)
            asks_for_win = not asks_for_win
        score = bound_of(own, filled, against, number(workspace.board[TOTAL]) - left, bound, workspace)
        if score == STOPPED:
            return STOPPED
        if score >= bound:
            low = score
        else:
            high = score
    return low if low > 0 else high


def bound_of(own: np.uint64, filled: np.uint64, against: np.uint64, discs: int, bound: int, workspace: ConnectFourWorkspace) -> int:
    """A bound of the score of the player to move, who has no winning move; STOPPED if the watch stopped the search.

    Args:
        own: the discs of the player to move.
        filled: the cells with a disc.
        against: the free cells that would complete a line of the opponent's.
        discs: how many discs there are.
        bound: what is asked: is the score at least this?
        workspace: the arrays of the search.

    Returns:
        A lower bound that is at least `bound`, or an upper bound below it.
    """
    if visit(workspace.watch):
        return STOPPED
    table, moves, cells = workspace.table, workspace.moves, workspace.board[CELLS]
    left = number(workspace.board[TOTAL]) - discs
    other, free = own ^ filled, cells & ~filled
    tops = (filled + FEET) & cells
    possible = tops
    forced = tops & against
    if forced != u64(0):
        if forced & (forced - ONE) != u64(0):  # two threats, and one disc ends only one of them
            return -(left // 2)
        possible = forced
    possible &= ~(against >> ONE)  # a disc right below a threat lets the opponent complete it
    if possible == u64(0):
        return -(left // 2)
    if left <= 2:  # neither this move nor the opponent's last one wins
        return 0
    # nobody wins with the next two discs: the opponent at the soonest with the fourth, the player with the third
    low, high = -((left - 2) // 2), (left - 1) // 2
    if bound > high or bound <= low:
        return high if bound > high else low
    node = ConnectFourNode(own=own, other=other, filled=filled, tops=tops, against=against)
    if discs & 1 == 0:  # X is to move
        known = bound_for_first(node, bound, workspace.board)
    else:
        known = bound_for_second(node, possible, bound, workspace.board)
    if known != UNDECIDED:
        return known
    position = position_of(own, filled, discs, workspace.board)
    row = row_of(position, table)
    entry = find(position, row, table)
    if entry != u64(0):
        low, high = max(low, lower(entry)), min(high, upper(entry))
        if low >= bound or high < bound:
            return low if low >= bound else high
    listed = list_moves(node, possible, free, discs, moves)
    if listed == 0:  # one of the moves wins in three plies, and `low` and `high` above say that nothing sooner does
        return (left - 1) // 2
    # one that answers the question saves the search of all others; near the end, asking costs more than it saves
    if discs < ALL_ASKED:
        for k in range(listed):
            after = filled | (moves[discs, k] & POSITION)
            following = position_of(other, after, discs + 1, workspace.board)
            entry = find(following, row_of(following, table), table)
            if entry != u64(0) and -upper(entry) >= bound:
                return -upper(entry)
    best = STOPPED
    for k in range(listed):
        after = filled | (moves[discs, k] & POSITION)
        score = bound_of(other, after, moves[discs, MOVES + k], discs + 1, 1 - bound, workspace)
        if score == STOPPED:
            return STOPPED
        best = max(best, -score)
        if best >= bound:
            break
    if best >= bound:
        low = max(low, best)
    else:
        high = min(high, best)
    keep(position, row, low, high, discs, table)
    return best


def list_moves(node: ConnectFourNode, possible: np.uint64, free: np.uint64, discs: int, moves: States) -> int:
    """Lists the moves in the order in which they are tried, as cells.

    Args:
        node: the position.
        possible: the cells to choose from.
        free: the free cells.
        discs: how many discs are on the board.
        moves: row `discs` takes the moves, whose bits from 49 on hold what they are sorted by, and the cells that each threatens.

    Returns:
        How many there are; 0 where one of them wins in three plies.
    """
    listed, covered = 0, node.against << ONE
    for column in MIDDLE_FIRST:
        move = possible & (COLUMN << u64(HEIGHT * column))
        if move != u64(0):
            threats = completing_cells(node.own | move) & free & ~move
            at_once = threats & ((node.tops ^ move) | (move << ONE))  # a disc reaches these in the next ply
            # the opponent cannot end two of them; and where one lies right above another, ending that makes the upper one possible
            if at_once & (at_once - ONE) != u64(0) or (at_once << ONE) & threats != u64(0):
                return 0
            # a threat at once is answered and gone: it counts half as much as one that stays; 1 more, so that none is below 0
            worth = u64(1 + 2 * count(threats & ~covered) - count(at_once))
            word, at = (worth << LOWER) | move, listed
            while at > 0 and moves[discs, at - 1] >> LOWER < worth:
                moves[discs, at], moves[discs, MOVES + at] = moves[discs, at - 1], moves[discs, MOVES + at - 1]
                at -= 1
            moves[discs, at], moves[discs, MOVES + at] = word, threats
            listed += 1
    return listed


# ---- the table


def position_of(own: np.uint64, filled: np.uint64, discs: int, board: Words) -> np.uint64:
    """A position as a number of 49 bits: the discs of the player to move, and a 1 above each column."""
    # a sum without carries between columns: filled + the lowest cells is a 1 above each column's discs, and own lies below it
    position = own + filled + (board[CELLS] & FEET)
    return min(position, mirror(position) >> board[UNUSED]) if discs < MIRRORED else position


def mirror(cells: np.uint64) -> np.uint64:
    """Cells with seven columns in reverse order."""
    mirrored = cells & (COLUMN << u64(3 * HEIGHT))  # the column in the middle stays
    for column in range(3):
        shift = u64(HEIGHT * (6 - 2 * column))
        mirrored |= ((cells >> u64(HEIGHT * column)) & COLUMN) << u64(HEIGHT * (6 - column))
        mirrored |= (cells >> shift) & (COLUMN << u64(HEIGHT * column))
    return mirrored


def row_of(position: np.uint64, table: Words) -> int:
    """The first row of a position's bucket."""
    return number((position * SCATTER) >> MIX) & (len(table) - 2)  # even, since a bucket is two rows


def find(position: np.uint64, row: int, table: Words) -> np.uint64:
    """The entry of a position; 0 without one."""
    if (table[row] ^ position) & POSITION == u64(0):
        return table[row]
    if (table[row + 1] ^ position) & POSITION == u64(0):
        return table[row + 1]
    return u64(0)


def lower(entry: np.uint64) -> int:
    """The lower bound in an entry."""
    return number((entry >> LOWER) & BOUND) - ABOVE


def upper(entry: np.uint64) -> int:
    """The upper bound in an entry."""
    return number((entry >> UPPER) & BOUND) - ABOVE


def keep(position: np.uint64, row: int, low: int, high: int, discs: int, table: Words) -> None:
    """Stores the bounds of a position."""
    age = u64(min(7, max(0, discs // 4 - 2)))  # what has fewer discs took longer to search, and comes up again more often
    entry = position | (u64(low + ABOVE) << LOWER) | (u64(high + ABOVE) << UPPER) | (age << DISCS)
    first = table[row]
    if (first ^ position) & POSITION == u64(0):
        table[row] = entry
    elif first == u64(0) or first >> DISCS >= age:
        table[row + 1] = first
        table[row] = entry
    else:
        table[row + 1] = entry
