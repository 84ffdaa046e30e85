"""A table with room for a limited number of positions, for games with too many to number them all.

Positions are looked up by a hash of 128 bits. With `merge` = mover it is the hash of what the player to move sees, the lowest
under all symmetries, so that symmetric positions and those with the players exchanged share a row. With symmetry, the player is
part of the hash; with nothing, symmetries are not used.

    group     0                           1 …     the hash of a position names a group of WAYS rows; it is in one of them
    keys      hash | hash | hash | hash | hash …  the hash of each row's position (R, 2); zeros of an empty row
    values    a b c … | …                         the value of each action (R · A), as actions of the image that gave the hash;
                                                  minus infinity where it is not legal

A position that a learner meets gets a row. In a full group it replaces the row with the fewest updates, so that frequent
positions such as openings stay. If another position takes the row of a move before the game ends, that move is not learnt from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.files.named_arrays import Arrays
from ...core.native import Function
from ...core.numbers import MANY
from ...games.game import Game, StateArray
from ...games.kernels.arrays import Masks, Numbers, Rewards, States
from ...games.kernels.bits import ONE, has, u64
from ...games.kernels.keys import below, derive, mix
from ...games.kernels.queries import choose, masks, write_choices
from ...games.kernels.rules import ONGOING, Permutation, State, legal, load, observe, outcome, permute, play, player
from ...games.linking import LinkedKernel, linked
from .positions import best_choices
from .walk import (
    ACTION_KEY,
    NO_MOVES,
    NOBODY,
    Keys2,
    Rows,
    TableLearner,
    Trail,
    Values,
    choose_edge,
    play_game,
)

WAYS = 4
"""The number of rows of a group, as in caches of processors: with one, two frequent positions of one group would replace each other
again and again; with many, each look-up would read them all."""
HIGHEST = u64(1 << 63)
"""The marking bit of a word of an observation, when 63 cells have been read after it."""
INITIAL, FOUR, BREAK = range(3)
"""Indices of the initial value, and of the rewards for making a line that lacks one piece and for breaking an opponent's."""


@dataclass(frozen=True, eq=False)
class BoundedPositions:
    """Rows for a limited number of positions of a game, rounded up to whole groups; merge is one of MERGES."""

    game: Game
    merge: str
    rows: int

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """The hash of each row's position (R, 2); zeros of an empty row."""
        return np.zeros((-(-self.rows // WAYS) * WAYS, 2), np.uint64)

    @property
    def edges(self) -> int:
        """The number of values: one for each action of each row."""
        return len(self.keys) * self.game.num_actions

    @cached_property
    def begins(self) -> NDArray[np.int64]:
        """Where the values of each row start, and where those of the last one stop (R + 1,)."""
        return np.arange(0, self.edges + 1, self.game.num_actions)

    @property
    def count(self) -> int:
        """The number of positions of the game: larger than any game is long."""
        return MANY

    @property
    def arrays(self) -> Arrays:
        """The arrays that learning changes."""
        return {"keys": self.keys}

    def learnt(self, values: NDArray[np.float64]) -> Arrays:
        """The arrays of the table that a policy needs."""
        return {"keys": self.keys.copy(), "values": values.copy()}

    def share_seen(self, visits: NDArray[np.int64]) -> float:
        """The share of rows in use."""
        return float(self.keys.any(axis=1).mean())

    def look_up(self, states: StateArray) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
        """The hash by which each state is rows (B, 2), the symmetry that gives it (B,), and its row (B,), -1 where it has none."""
        hashes, (which, rows) = np.empty((len(states), 2), np.uint64), np.empty((2, len(states)), np.int64)
        self.game.kernel(look_up)(self.game.batch(states), rows_of(self.game, self.merge, self.keys), hashes, which, rows)
        return hashes, which, rows

    moves = NO_MOVES

    @property
    def plugs(self) -> dict[Function, Function]:
        """The functions that `learn_games` is linked with."""
        return {play_game: play_by_rows, threats: self.game.known.threats or no_threats}


def rows_of(game: Game, merge: str, keys: NDArray[np.uint64], plies: int = 0) -> Rows:
    """The rows with these hashes (R, 2) as kernels take them, with room for games of this many plies."""
    cells, turns = (table[:1] if merge == "nothing" else table for table in game.symmetries)
    planes, height, width = game.shape
    return Rows(
        start=np.array(game.start),
        cells=cells,
        turns=turns,
        backs=np.argsort(turns, axis=1).astype(np.int16),
        apart=merge != "mover",
        keys=keys,
        planes=np.empty((planes, height * width), np.int8),
        views=np.empty((plies, 2), np.uint64),
        choices=np.empty(game.action_words, np.uint64),
    )


@dataclass(frozen=True, eq=False)
class BoundedChoices:
    """The choices of a bounded table: one of the actions with the highest value, uniformly.

    Args:
        positions: the rows.
        choices: the probability of each action in each row (R, A), as actions of the image that has the row.
        symmetric: whether symmetric positions share rows, as in `Table`.
        is_certain: whether each row has one action only, as in `Table`; here rows hold probabilities.
    """

    positions: BoundedPositions
    choices: NDArray[np.float32]
    symmetric: bool = True
    is_certain: bool = False

    @classmethod
    def of(cls, game: Game, merge: str, learnt: Mapping[str, NDArray[Any]]) -> BoundedChoices:
        """The choices of a trained run: keys (R, 2), and values (R · A), minus infinity for illegal actions. ValueError where the
        arrays do not form such a table."""
        keys, values = learnt.get("keys", np.zeros(0)), learnt.get("values", np.zeros(0))
        fits = keys.dtype == np.uint64 and keys.ndim == 2 and keys.shape[1] == 2 and len(keys) and len(keys) % WAYS == 0
        if not fits or values.dtype != np.float64 or values.shape != (len(keys) * game.num_actions,) or np.isnan(values).any():
            raise ValueError(f"these arrays are not a bounded table for {game}")
        positions, by_row = BoundedPositions(game, merge, len(keys)), values.reshape(len(keys), game.num_actions)
        positions.keys[:] = keys
        return cls(positions, best_choices(by_row))

    @property
    def game(self) -> Game:
        """The game and variant."""
        return self.positions.game

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        """The kernels that find a position."""
        return linked(look_up, masks)

    def find(self, states: StateArray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The row of each state (B,), and the symmetry that maps the state onto it (B,). The row is -1 for a state without one, or
        whose row names an illegal action, as only a damaged table has."""
        positions = self.positions
        _, which, rows = positions.look_up(states)
        backs = rows_of(self.game, positions.merge, positions.keys).backs[which].astype(np.int64)
        legal = np.take_along_axis(self.game.masks(states) != 0, backs, axis=1)
        wrong = ((self.choices[rows] > 0) & ~legal).any(axis=1)
        return np.where(wrong, -1, rows), which


# ---- games over the rows, each followed by learning from it: kernels


def threats(state: State, who: int) -> int:
    """The number of lines in which a player lacks only one piece; a game gives its own function."""
    raise NotImplementedError


def no_threats(state: State, who: int) -> int:
    """For games without bonuses."""
    return 0


def play_by_rows(
    key: np.uint64, seat: int, exploration: float, both: tuple[Values, Values], learner: TableLearner
) -> tuple[int, int]:
    """Plays a game from the start, against a random opponent in a seat, or in self-play. A move whose row another position has
    taken before the end is nobody's."""
    rows, extra, trail, movers = learner.rows, learner.extra, learner.trail, learner.trail.movers
    state = load(rows.start)
    plies, result = 0, outcome(state)
    while result == ONGOING and plies < trail.positions.shape[0]:
        mover, ply_key = player(state), derive(key, plies)
        movers[plies], trail.gains[plies] = mover, 0.0
        if mover == seat:
            write_choices(state, rows.choices)
            action = choose(rows.choices, derive(ply_key, ACTION_KEY))
        else:
            action = choose_by_table(state, plies, ply_key, exploration, extra[INITIAL], rows, both[0], trail)
        after = play(state, action)
        result = outcome(after)
        if result == ONGOING:
            trail.gains[plies] = bonus(state, after, mover, extra)
        state = after
        plies += 1
    for ply in range(plies):
        row = trail.positions[ply]
        if movers[ply] != seat and (rows.keys[row, 0] != rows.views[ply, 0] or rows.keys[row, 1] != rows.views[ply, 1]):
            movers[ply] = NOBODY
    return plies, result


def choose_by_table(
    state: State, ply: int, key: np.uint64, exploration: float, initial: float, rows: Rows, table: Values, trail: Trail
) -> int:
    """An action by the row of a position, which is made if there is none."""
    low, high, turn = hash_position(state, rows)
    row = find(low, high, rows.keys)
    if row < 0:
        row = least_learnt(high, rows.keys, table)
        rows.keys[row, 0], rows.keys[row, 1] = low, high
        enter(state, table.begins[row], rows.turns[turn], initial, table)
    start, stop = table.begins[row], table.begins[row + 1]
    edge = choose_edge(start, stop, table, exploration, key)
    trail.positions[ply], trail.edges[ply] = row, edge
    rows.views[ply, 0], rows.views[ply, 1] = low, high
    return rows.backs[turn, edge - start]


def enter(state: State, start: int, permutation: Permutation, initial: float, table: Values) -> None:
    """Gives a row to a position: initial values, and no updates."""
    for action in range(permutation.shape[0]):
        edge = start + permutation[action]
        table.values[edge] = initial if has(legal(state, action >> 6), action & 63) else -np.inf
        table.visits[edge] = 0


def hash_position(state: State, rows: Rows) -> tuple[np.uint64, np.uint64, int]:
    """The hash of a position, the lowest under the symmetries, and the symmetry that gives it."""
    lowest, other, turn = u64(0), u64(0), 0
    for s in range(rows.cells.shape[0]):
        image = permute(state, rows.cells[s], rows.turns[s])
        observe(image, player(image), rows.planes)
        low, high = hash_of(rows.planes)
        if s == 0 or low < lowest:
            lowest, other, turn = low, high, s
    return lowest, mix(other + u64(player(state))) if rows.apart != 0 else other, turn


def hash_of(planes: Masks) -> tuple[np.uint64, np.uint64]:
    """A hash of an observation, read 63 cells at a time, each time after a bit that marks where they start."""
    low, high, word = u64(1), u64(2), ONE
    for c in range(planes.shape[0]):
        for k in range(planes.shape[1]):
            word = (word << ONE) | u64(planes[c, k])
            if word >= HIGHEST:
                low = mix(low + word)
                high = mix(high ^ word) + low
                word = ONE
    low = mix(low + word)
    return low, mix(high ^ word) + low


def find(low: np.uint64, high: np.uint64, keys: Keys2) -> int:
    """The row of a hash, or -1."""
    first = below(high, keys.shape[0] // WAYS) * WAYS
    for row in range(first, first + WAYS):
        if keys[row, 0] == low and keys[row, 1] == high:
            return row
    return -1


def least_learnt(high: np.uint64, keys: Keys2, table: Values) -> int:
    """The first empty row of the group of a hash, or else the one with the fewest updates."""
    best, least = -1, 0
    first = below(high, keys.shape[0] // WAYS) * WAYS
    for row in range(first, first + WAYS):
        if keys[row, 0] == u64(0) and keys[row, 1] == u64(0):
            return row
        learnt = 0
        for edge in range(table.begins[row], table.begins[row + 1]):
            learnt += table.visits[edge]
        if best < 0 or learnt < least:
            best, least = row, learnt
    return best


def bonus(before: State, after: State, mover: int, extra: Rewards) -> float:
    """The reward of a move itself, whatever the result of the game."""
    reward = 0.0
    if threats(after, mover) > threats(before, mover):
        reward += extra[FOUR]
    if threats(after, 1 - mover) < threats(before, 1 - mover):
        reward += extra[BREAK]
    return reward


def look_up(states: States, rows: Rows, hashes: Keys2, which: Numbers, row_numbers: Numbers) -> None:
    """Writes the hash of each state, the symmetry that gives it, and its row, -1 where it has none."""
    for i in range(states.shape[0]):
        low, high, which[i] = hash_position(load(states[i]), rows)
        hashes[i, 0], hashes[i, 1], row_numbers[i] = low, high, find(low, high, rows.keys)
