"""Exact search of Othello: alpha-beta with a null window, a transposition table, move ordering, and bounds by stability.

Scores are even and thresholds odd, so that no score equals a threshold. `above` answers whether a score is above a threshold; the
result is a bound, as in last.py. The score itself comes from several such questions (problem.py), which the table makes cheap.

Source: Edax 4.6, src/endgame.c (Richard Delorme); A. Plaat, MTD(f) (1996), and his enhanced transposition cutoffs.
"""

from __future__ import annotations

import numpy as np

from ...core.native import apart, releases_gil
from ...games.kernels.arrays import Numbers, Words
from ...games.kernels.bits import ONE, count, lowest, number, u64
from ...games.othello.rules import placements
from ...search.watch import NODES, visit
from .evaluation import EXTREMES, UNITS, guess
from .flips import NONE, flips
from .last import ABOVE, BELOW, QUADRANTS, SHALLOW, final_score, odd_quadrants, solve_few, solve_shallow
from .layout import GENERATION, MARGIN, SHARED, SHIFT, Arrays, must_stop
from .ordering import CORNERS, after_move, list_of, look_ahead, sort_in, take_best
from .proofs import NO_MOVE, SCATTER, find, keep, lower, upper
from .stability import at_most

TABLE_FROM = 8
"""From this many empty cells on, positions are looked up in the table: to wait for its memory takes longer than to search fewer."""
LOOKS_AHEAD = 12
"""From this many empty cells on, the positions after all moves are looked up before any is searched."""
SHARED_FROM = 13
"""From this many empty cells on, threads share the moves of a position."""
BUSY_BITS = 12
"""The positions that threads are searching are kept in 2**BUSY_BITS words."""
BUSY_SHIFT = u64(64 - BUSY_BITS)
PUT_OFF = 1 << 50
"""Above every merit of a move."""
OPEN = 127
"""No bound."""


@releases_gil
def prove(position: Words, threshold: int, arrays: Arrays) -> int:
    """A bound of the score of a position (own discs, the opponent's, empty cells) that tells whether it is above a threshold.

    The result means nothing if the watch or the workspace stopped the search.
    """
    return above(position[0], position[1], position[2], threshold, arrays)


@apart
def above(own: np.uint64, other: np.uint64, empties: np.uint64, threshold: int, arrays: Arrays) -> int:
    """A bound of the score that tells whether it is above a threshold; it means nothing if the search was stopped."""
    table, workspace, watch = arrays.table, arrays.workspace, arrays.watch
    left = count(empties)
    if left <= SHALLOW:
        return solve_few(own, other, empties, threshold, watch)
    began = watch[NODES]
    if visit(watch) or must_stop(workspace, watch):
        return 0  # never used: each caller checks `must_stop` before it takes or stores a bound
    moves = placements(own, other, 8) & empties
    if moves == NONE:
        if placements(other, own, 8) & empties == NONE:
            return final_score(own, other, left)
        return -above(other, own, empties, -threshold, arrays)  # a pass; only positions with a move are stored
    known = find(own, other, table, workspace[SHIFT]) if left >= TABLE_FROM else NONE
    bound = without_search(own, other, empties, moves, known, threshold, arrays)
    if bound != OPEN:
        return bound
    odd = odd_quadrants(empties)
    end = sort_in(own, other, empties, moves, known, threshold, arrays)
    shared = workspace[SHARED] != 0 and left >= SHARED_FROM
    best, best_cell = BELOW, NO_MOVE
    at = list_of(empties)
    while at < end and best < threshold:  # the first score above the threshold answers the question
        cell = take_best(at, end, workspace)
        placed = ONE << cell
        flipped = flips(cell, own, other)
        mine, theirs = own | flipped | placed, other ^ flipped
        if left == SHALLOW + 1:
            score = -solve_shallow(theirs, mine, empties ^ placed, odd ^ QUADRANTS[cell], -threshold, watch)
        else:
            if shared and not take_position(theirs, mine, at, best_cell != NO_MOVE, arrays):
                continue  # `at` stays: the move is still in the list, now behind all others
            score = -above(theirs, mine, empties ^ placed, -threshold, arrays)
            if shared:
                arrays.busy[busy_slot(theirs, mine)] = NONE
            if must_stop(workspace, watch):
                return 0
        at += 1
        if score > best:
            best, best_cell = score, cell
    # a move above the threshold proves a lower bound only; if none is above it, the best of their upper bounds is one for all
    low, high = (best, ABOVE) if best > threshold else (BELOW, best)
    if left >= TABLE_FROM:
        keep(own, other, low, high, best_cell, watch[NODES] - began, workspace[GENERATION], table, workspace[SHIFT])
    return best


def without_search(
    own: np.uint64, other: np.uint64, empties: np.uint64, moves: np.uint64, known: np.uint64, threshold: int, arrays: Arrays
) -> int:
    """A bound that answers without a search, by stability or the table's entries for this position or the next ones; else OPEN."""
    bound = at_most(own, other, empties, threshold)
    if bound < threshold:
        return bound
    if known != NONE:
        if lower(known) > threshold:
            return lower(known)
        if upper(known) < threshold:
            return upper(known)
    if threshold == 1 - count(own | other | empties) and moves & CORNERS[arrays.workspace[MARGIN]] != NONE:
        return threshold + 1  # a disc in a corner stays: not all are lost
    if count(empties) >= LOOKS_AHEAD:
        return bound_after_moves(own, other, moves, threshold, arrays)
    return OPEN


def bound_after_moves(own: np.uint64, other: np.uint64, moves: np.uint64, threshold: int, arrays: Arrays) -> int:
    """A bound above the threshold, if the table has one for the position after some move; else OPEN."""
    while moves != NONE:
        cell = u64(lowest(moves))
        moves &= moves - ONE
        flipped = flips(cell, own, other)
        known = find(other ^ flipped, own | flipped | ONE << cell, arrays.table, arrays.workspace[SHIFT])
        if known != NONE and -upper(known) > threshold:
            return -upper(known)
    return OPEN


def take_position(own: np.uint64, other: np.uint64, at: int, not_first: bool, arrays: Arrays) -> bool:
    """Marks the position after a move as searched by this thread, or puts the move off and returns False.

    A move is put off once at most, if another thread is searching the position after it; the first move of a position never is.
    """
    busy, workspace = arrays.busy, arrays.workspace
    slot, position = busy_slot(own, other), own ^ other * SCATTER
    if not_first and busy[slot] == position and workspace[at] > -PUT_OFF:
        workspace[at] -= 2 * PUT_OFF  # below every merit, so that the move comes last and is recognized as put off
        return False
    busy[slot] = position
    return True


def busy_slot(own: np.uint64, other: np.uint64) -> int:
    """The slot in `busy` of a position."""
    return number((own ^ other * SCATTER) >> BUSY_SHIFT)


@releases_gil
def outlook(position: Words, plies: int, arrays: Arrays) -> int:
    """The guess at the score of a position after this many plies, in units of evaluation.py; no limit stops it."""
    return look_ahead(position[0], position[1], position[2], plies, EXTREMES[0], EXTREMES[1], arrays)


@releases_gil
def guess_or_prove(position: Words, plies: int, threshold: int, arrays: Arrays) -> int:
    """`outlook` after this many plies; with 0 plies, what `prove` says. In a page each kernel has its own copy of
    the numbers of a guess: this one serves both."""
    if plies > 0:
        return outlook(position, plies, arrays)
    return prove(position, threshold, arrays)


@releases_gil
def score_and_move(position: Words, answer: Numbers, arrays: Arrays) -> None:
    """Writes the score of an unfinished position and the cell of a move that keeps it, NO_MOVE for a pass, to `answer` (2,).

    They mean nothing if the watch or the workspace stopped the search.
    """
    own, other, empties, workspace = position[0], position[1], position[2], arrays.workspace
    moves = placements(own, other, 8) & empties
    guessed = guess(own, other, empties, workspace[MARGIN]) // UNITS | 1
    if moves == NONE:
        answer[0], answer[1] = score_after(BELOW, guessed, own, other, empties, arrays), number(NO_MOVE)
        return
    at, end = list_of(empties), sort_in(own, other, empties, moves, NONE, guessed, arrays)
    answer[0] = BELOW
    while at < end:
        cell = take_best(at, end, workspace)
        mine, theirs, rest = after_move(own, other, empties, cell)
        threshold = guessed if answer[0] == BELOW else answer[0] + 1
        score = score_after(answer[0], threshold, mine, theirs, rest, arrays)
        if score > answer[0]:
            answer[0], answer[1] = score, number(cell)
        at += 1


def score_after(least: int, threshold: int, own: np.uint64, other: np.uint64, empties: np.uint64, arrays: Arrays) -> int:
    """The score for the player who has just moved if it is above another one, else that one, by MTD(f) from a first threshold."""
    high = ABOVE
    while least < high and not must_stop(arrays.workspace, arrays.watch):
        bound = -above(other, own, empties, -threshold, arrays)
        if bound > threshold:
            least, threshold = bound, bound + 1
        else:
            high, threshold = bound, bound - 1
    return least


def score_now(position: Words) -> int:
    """The score of a position in which neither player can move, for the player to move."""
    return final_score(position[0], position[1], count(position[2]))


@releases_gil
def rank_moves(position: Words, cells: Numbers, arrays: Arrays) -> int:
    """Writes the cells of all moves, the one that looks best first, and returns how many there are."""
    own, other, empties = position[0], position[1], position[2]
    first = list_of(empties)
    end = sort_in(own, other, empties, placements(own, other, 8) & empties, NONE, 0, arrays)
    for at in range(first, end):
        cells[at - first] = number(take_best(at, end, arrays.workspace))
    return end - first
