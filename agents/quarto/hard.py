"""The hard Quarto player: it searches every line of play as far as a budget allows, up to symmetry.

A turn is one step of the search: a cell and a piece to give. With `free` cells empty, `turns` turns below the root, the search
continues while

    (free · (free - 1)) ^ turns ≤ budget

and counts what lies beyond as a draw. With the budget of 150 000 that is three or four turns, and with eight free cells or fewer
all of them. Wins are searched for first, and one ends the search; then a move that draws. A piece that loses at once is never
given if there is another. Of equally good cells, those that block a line of three come first while the search does not reach the
end of the game; when it does, blocking no longer helps, and those come first that leave the fewest safe pieces, with which
an opponent may err. The key decides at random between cells that are equal in this too.

The value of a position comes from two questions with the answer yes or no. The player who places wins if after one of the turns
the opponent cannot even draw, and draws if after one of them the opponent cannot win.

Positions seen before are looked up in a table, symmetric ones as one (oracles/quarto/symmetry.py). Only the 8 symmetries
of the board are tried; the 24 others that there are without the square rule take more time than they save.

Each half of a turn is chosen from the position alone: the piece for which a cell was chosen is found again from the position
after placing, by a search as far as the one before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.native import releases_gil
from ...core.native.threads import share
from ...core.numbers import Range
from ...games.game import StateArray
from ...games.kernels.arrays import Numbers, States, Words
from ...games.kernels.bits import ONE, bit, count, has, lowest, number, select, u64
from ...games.kernels.keys import below, derive, mix
from ...games.kernels.rules import State, load, play
from ...games.linking import LinkedKernel, linked
from ...games.quarto.rules import BOARD, Quarto
from ...oracles.quarto.symmetry import Movements, cell_movements, least_form, movements_of
from ...search.watch import LIMIT, NODES, Watch
from ..policy import Policy
from .lines import cells_of_threes, empty_cells, in_hand, pieces_left, safe_pieces, winning_cells

WIN, DRAW, LOSS = 1, 0, -1
TABLE = 1 << 12
"""Entries of the table, 16 bytes each."""
LARGEST = 1 << 62
"""No search has this many positions: with such a budget every search reaches the end of the game."""
QUICK = 1_000_000
"""Searches with this budget take less time than starting a thread to watch them."""

MOVING = Quarto(squares=True)
"""The game whose symmetries of the board are tried."""


@dataclass(frozen=True)
class Hard(Policy):
    """Searches as far as its budget reaches, and plays safe beyond.

    Args:
        budget: how many positions the turns of the search may lead to, by the count above, 1 or more (original: 150000).

    Raises:
        ValueError: a budget below 1.
    """

    name: ClassVar[str] = "hard"
    games: ClassVar[tuple[str, ...] | None] = ("quarto",)

    budget: Annotated[int, Range(1, inf)] = 150_000

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return linked(hard_action)

    @property
    def page_data(self) -> Mapping[str, Any]:
        return {"cells": cell_movements(MOVING).tolist(), "entries": TABLE}

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        kernel, budget = self.game.kernel(hard_action), min(self.budget, LARGEST)
        states, keys = self.batch(states, keys)
        actions = np.empty(len(states), np.int64)
        watch = Watch()

        def work(rows: Iterator[int]) -> None:
            search = TurnSearch(budget, np.zeros((TABLE, 2), np.uint64), movements_of(MOVING), watch.words)
            for row in rows:
                actions[row] = kernel(states[row], int(keys[row]), search)

        task = partial(share, len(states), work)
        watch.run(task, short=budget <= QUICK)
        return actions


class TurnSearch(NamedTuple):
    """The settings and arrays of a search.

    Args:
        budget: how many positions its turns may lead to.
        table: results of searches with this budget, in this variant of the game; zeros at first (2^n, 2).
        movements: the ways to move the cells.
        watch: limits (search/watch.py), only read here, as threads share it.
    """

    budget: int
    table: States
    movements: Movements
    watch: Numbers


@releases_gil
def hard_action(words: Words, key: np.uint64, search: TurnSearch) -> int:
    """The action for a position."""
    state = load(words)
    if has(state[1], 36):
        return cell_to_take(state, key, search)
    return 16 + piece_to_give(state, key, search)


def cell_to_take(state: State, key: np.uint64, search: TurnSearch) -> int:
    """The cell for the piece in hand."""
    wins, empty = winning_cells(state, in_hand(state)), empty_cells(state)
    if wins != u64(0):
        return draw_member(wins, key)
    for goal in (WIN, DRAW, LOSS):
        untried = empty
        while untried != u64(0):
            cell = next_cell(state, untried, search.budget, key)
            if reaches(play(state, cell), goal, count(empty), search):
                return cell
            untried &= ~bit(cell)
    return next_cell(state, empty, search.budget, key)


def next_cell(state: State, untried: np.uint64, budget: int, key: np.uint64) -> int:
    """The cell to try first, of those that are still to be tried."""
    threes, complete = cells_of_threes(state), sees_the_end(count(empty_cells(state)), budget)
    first, least = -1, 0
    while untried != u64(0):
        cell = lowest(untried)
        rank = count(safe_pieces(play(state, cell))) if complete else 1 - has(threes, cell)
        rank = rank << 16 | number(derive(key, cell) >> u64(48))
        if first < 0 or rank < least:
            first, least = cell, rank
        untried &= untried - ONE
    return first


def piece_to_give(state: State, key: np.uint64, search: TurnSearch) -> int:
    """The piece for the opponent."""
    safe = safe_pieces(state)
    for goal in (WIN, DRAW):
        untried = safe
        while untried != u64(0):
            piece = draw_member(untried, derive(key, count(untried)))
            if not reaches(play(state, 16 + piece), 1 - goal, count(empty_cells(state)) + 1, search):
                return piece
            untried &= ~bit(piece)
    return draw_member(safe if safe != u64(0) else pieces_left(state), key)


def reaches(state: State, goal: int, start: int, search: TurnSearch) -> bool:
    """Whether the player to move can reach a WIN or a DRAW (or LOSS: can leave a safe piece), a piece in hand being safe.

    Args:
        goal: what the player wants at least.
        start: how many cells were free when the search began, this turn being a later one or the same.
    """
    budget, table, watch = search.budget, search.table, search.watch
    if watch[NODES] > watch[LIMIT]:
        return False
    empty = empty_cells(state)
    if empty == u64(0):
        return goal <= DRAW
    if not has(state[1], 36):
        safe = safe_pieces(state)
        if goal == LOSS:
            return safe != u64(0)
        while safe != u64(0):
            if not reaches(play(state, 16 + lowest(safe)), 1 - goal, start, search):
                return True
            safe &= safe - ONE
        return False
    free = count(empty)
    if positions_after(start - free, free) > budget:
        return goal <= DRAW
    first, second = least_form(state[0], state[1] & BOARD, in_hand(state), search.movements)
    second |= u64(goal << 16 | start << 17)
    place = number((mix(first + mix(second))) & u64(table.shape[0] - 1))
    if table[place, 0] == first and table[place, 1] >> ONE == second:
        return table[place, 1] & ONE != u64(0)
    answer = False
    while empty != u64(0) and not answer:
        answer = reaches(play(state, lowest(empty)), goal, start, search)
        empty &= empty - ONE
    table[place, 0], table[place, 1] = first, second << ONE | u64(answer)
    return answer


def positions_after(turns: int, free: int) -> int:
    """The search's measure of its size: (free · (free - 1)) ^ turns."""
    positions = 1
    for _ in range(turns):
        positions *= free * (free - 1)
    return positions


def sees_the_end(start: int, budget: int) -> bool:
    """Whether a search that begins with this many free cells reaches the end of the game."""
    seen = True
    for free in range(1, start):
        seen &= positions_after(start - free, free) <= budget
    return seen


def draw_member(some: np.uint64, key: np.uint64) -> int:
    """Draws a member of a set of bits by a key, each equally likely."""
    return select(some, below(key, count(some)))
