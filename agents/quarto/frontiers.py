"""Frontiers: a Quarto player that counts what pieces on a line share, and searches only when a line can be completed.

One to three pieces on a line, 696 such sets in all, sort the other pieces into frontiers by how many attribute values they
share with the whole set (`count_shared` in lines.py). A piece off the board that would complete a line is a *threat*.

- Without threats (*safe mode*) a cell's score for a piece is the sum, over its lines with n pieces, of the attributes that the
  piece shares with all of them, times 10^(n - 1). The player places on the highest score, or on the lowest, that leaves a safe
  piece to give; then it gives the safe piece whose scores, summed over the empty cells, are lowest.
- With threats (*threat mode*) it wins if the piece in hand does; else it searches turns (place, then give) as minimax
  does, giving safe pieces only. Cells are tried from the best score down, those of score 0 only when all others lose. Whoever
  cannot leave a safe piece has lost; a full board, and the end of the search, count as a draw.

The original places on the lowest score. That keeps threats away, and with them the search, until few cells are left and
mere parity decides who runs out of safe pieces: 94 % won, 4 % drawn, 2 % lost against a player at random. The highest
score makes threats early, with which others err: 99.9 % won. So it is the default here.

What the plain recipe leaves open:

- The mode follows from the position, for each half of a turn. So a piece is also searched for when the placement just made
  brought the threat.
- The piece found with the placement is not remembered but found again, from the position after placing, by the same search with
  the same turns left: it has the value for which the cell was chosen. Of the pieces of the best value it gives the one of the
  lowest total, as in safe mode; of the cells of the best value it takes the one of the best score.
- Between cells or pieces that are equal in all this the key decides, each being equally likely.
- Where no cell leaves a safe piece, the first in the order of its mode is taken all the same; where no piece is safe, each is
  equally likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.bounds import Count
from ...core.native import in_ranges
from ...core.native.threads import pool
from ...games.game import StateArray
from ...games.kernels.arrays import Keys, Numbers, States
from ...games.kernels.bits import ONE, bit, count, has, lowest, number, select, u64
from ...games.kernels.keys import below, derive
from ...games.kernels.rules import State, load, play
from ...games.linking import LinkedKernel, linked
from ...search.watch import LIMIT, NODES, Watch
from ..policy import Policy
from .lines import (
    LINES,
    completing_pieces,
    count_shared,
    empty_cells,
    in_hand,
    line_count,
    pieces_left,
    safe_pieces,
    winning_cells,
)

DRAW, LOSS = 0, -1
QUICK = 5
"""Searches to this depth take less time than starting a thread to watch them."""
WEIGHTS = np.array([0, 1, 10, 100, 0], np.int64)
"""The weight of a shared attribute, by the number of pieces on the line."""
TRIED = -1
TIES = 1 << 16
"""Scores are multiples of this in the search's notes; a part of the key below it breaks ties."""

Notes: TypeAlias = Annotated[NDArray[np.int64], 3]
"""The score of each cell (N, turns, 16); negative where it is not, or no longer, to be tried."""
NotesOfOne: TypeAlias = Annotated[NDArray[np.int64], 2]
NotesOfTurn: TypeAlias = Annotated[NDArray[np.int64], 1]


@dataclass(frozen=True)
class Frontiers(Policy):
    """Places by what pieces share while nothing threatens, and searches when something does.

    Args:
        depth: how many turns the search looks ahead in threat mode, 1 or more (original: 3).
        highest: whether safe mode places on the highest score or on the lowest (original: false).

    Raises:
        ValueError: a depth below 1.
    """

    name: ClassVar[str] = "frontiers"
    games: ClassVar[tuple[str, ...] | None] = ("quarto",)

    depth: Count = 3
    highest: bool = True

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return linked(frontiers_actions)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        states, keys = self.batch(states, keys)
        depth = min(self.depth, 16)  # after sixteen turns every game is over
        notes = np.empty((len(states), depth + 1, 16), np.int64)
        actions = np.empty(len(states), np.int64)
        watch = Watch()
        task = partial(self.game.kernel(frontiers_actions), pool(len(states)), 0, len(states), states, keys)
        task = partial(task, ThreatSearch(depth, int(self.highest), notes, watch.words), actions)
        watch.run(task, short=depth <= QUICK)
        return actions


class ThreatSearch(NamedTuple):
    """The policy's settings, the notes of each state, and the words of a watch, for the search in threat mode."""

    depth: int
    highest: int
    notes: Notes
    watch: Numbers


@in_ranges
def frontiers_actions(
    lo: np.uint64,
    hi: np.uint64,
    states: States,
    keys: Keys,
    search: ThreatSearch,
    actions: Numbers,
) -> None:
    """One action per state, by its key."""
    depth, highest, notes, watch = search.depth, search.highest, search.notes, search.watch
    for i in range(lo, hi):
        state = load(states[i])
        if has(state[1], 36):
            actions[i] = cell_to_take(state, keys[i], depth, highest != 0, notes[i], watch)
        else:
            actions[i] = 16 + piece_to_give(state, keys[i], depth, notes[i], watch)


def cell_to_take(state: State, key: np.uint64, depth: int, highest: bool, notes: NotesOfOne, watch: Numbers) -> int:
    """The cell for the piece in hand."""
    wins = winning_cells(state, in_hand(state))
    if wins != u64(0):
        return select(wins, below(key, count(wins)))
    if threats(state) != u64(0):
        return search(state, key, depth, -LOSS, notes, watch)[1]
    write_scores(state, key, notes[0])
    first = cell = extreme(notes[0], highest)
    while cell >= 0:
        after = play(state, cell)
        if safe_pieces(after) != u64(0) or empty_cells(after) == u64(0):
            return cell
        notes[0, cell] = TRIED
        cell = extreme(notes[0], highest)
    return first


def piece_to_give(state: State, key: np.uint64, depth: int, notes: NotesOfOne, watch: Numbers) -> int:
    """The piece for the opponent: a safe one of the best value, and of these the lowest total."""
    safe, left = safe_pieces(state), pieces_left(state)
    if safe == u64(0):
        return select(left, below(key, count(left)))
    searching = threats(state) != u64(0)
    best, best_total, best_piece = LOSS, 0, -1
    while safe != u64(0):
        piece = lowest(safe)
        value = DRAW
        if searching:
            value = -search(play(state, 16 + piece), key, depth - 1, 1 - best, notes, watch)[0]
        total = break_tie(total_score(state, piece), key, piece)
        if best_piece < 0 or value > best or (value == best and total < best_total):
            best, best_total, best_piece = value, total, piece
        safe &= safe - ONE
    return best_piece


def search(state: State, key: np.uint64, turns: int, enough: int, notes: NotesOfOne, watch: Numbers) -> tuple[int, int]:
    """The value of a position for the player who places a piece that cannot win at once, and the cell to place it on.

    Args:
        turns: how many turns to look ahead.
        enough: the search stops at a value this good or better.
        watch: only read here, since threads share it.
    """
    if turns == 0 or watch[NODES] > watch[LIMIT]:
        return DRAW, -1
    write_scores(state, key, notes[turns])
    best, best_cell = LOSS, extreme(notes[turns], True)
    for least in (TIES, 0):
        cell = extreme(notes[turns], True)
        while cell >= 0 and notes[turns, cell] >= least and best < enough:
            after = play(state, cell)
            if empty_cells(after) == u64(0):
                return DRAW, cell
            safe = safe_pieces(after)
            while safe != u64(0) and best < enough:
                value = -search(play(after, 16 + lowest(safe)), key, turns - 1, -best, notes, watch)[0]
                if value > best:
                    best, best_cell = value, cell
                safe &= safe - ONE
            notes[turns, cell] = TRIED
            cell = extreme(notes[turns], True)
        if best > LOSS:
            break
    return best, best_cell


def threats(state: State) -> np.uint64:
    """The pieces not on the board, the one in hand included, that would complete a line."""
    off_board = pieces_left(state)
    if has(state[1], 36):
        off_board |= bit(in_hand(state))
    return off_board & completing_pieces(state)


def write_scores(state: State, key: np.uint64, notes: NotesOfTurn) -> None:
    """Notes the score of every empty cell for the piece in hand."""
    empty = empty_cells(state)
    for cell in range(16):
        notes[cell] = break_tie(0, key, cell) if has(empty, cell) else TRIED
    for line in range(line_count(state)):
        score = TIES * line_score(state, LINES[line], in_hand(state))
        cells = LINES[line] & empty
        while score > 0 and cells != u64(0):
            notes[lowest(cells)] += score
            cells &= cells - ONE


def total_score(state: State, piece: int) -> int:
    """A piece's scores, summed over all empty cells."""
    total = 0
    for line in range(line_count(state)):
        total += line_score(state, LINES[line], piece) * count(LINES[line] & empty_cells(state))
    return total


def line_score(state: State, line: np.uint64, piece: int) -> int:
    """The number that a line adds to the score of each of its empty cells."""
    cells = line & ~empty_cells(state)
    return count_shared(state, cells, piece) * WEIGHTS[count(cells)]


def break_tie(score: int, key: np.uint64, which: int) -> int:
    """A score with a number from the key below it, different for every cell or piece."""
    return TIES * score + number(derive(key, which) >> u64(48))


def extreme(notes: NotesOfTurn, highest: bool) -> int:
    """The cell with the highest or the lowest score of those not yet tried; -1 if there is none."""
    best_cell = -1
    for cell in range(16):
        if notes[cell] != TRIED and (best_cell < 0 or (notes[cell] > notes[best_cell]) == highest):
            best_cell = cell
    return best_cell
