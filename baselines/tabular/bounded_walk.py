"""Games over the rows of a bounded table (bounded.py), each followed by learning from it: kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.native import releases_gil
from ...games.kernels.arrays import Masks, Numbers, Permutations, Rewards, States, Words
from ...games.kernels.bits import ONE, has, u64
from ...games.kernels.keys import below, derive, mix
from ...games.kernels.queries import choose, write_choices
from ...games.kernels.rules import ONGOING, Permutation, State, legal, load, observe, outcome, permute, play, player
from .positions import Keys2
from .walk import ACTION_KEY, NOBODY, PlayedGame, TableLearner, Trail, Values, choose_edge, exploration_of, learn_both, opponent_of

WAYS = 4
"""The number of rows of a group."""
HIGHEST = u64(1 << 63)
INITIAL, FOUR, BREAK = range(3)
"""Indices of the initial value, and of the rewards for making a line that lacks one piece and for breaking an opponent's."""


class Rows(NamedTuple):
    """The rows of a table, and scratch space for looking positions up.

    Args:
        cells, turns, backs: the symmetries that are merged, as `BoundedPositions.ways`.
        apart: whether the player to move is part of the hash.
        keys: the hash of each row (R, 2).
        planes, views, choices: room for an observation, for a hash a ply (plies, 2), and for a set of actions (K,).
    """

    cells: Permutations
    turns: Permutations
    backs: Permutations
    apart: int
    keys: Keys2
    planes: Masks
    views: Keys2
    choices: Words


def threats(state: State, who: int) -> int:
    """The number of lines in which a player lacks only one piece; a game gives its own function."""
    raise NotImplementedError


def no_threats(state: State, who: int) -> int:
    """For games without bonuses."""
    return 0


@releases_gil
def learn_bounded_games(
    start: int, stop: int, seed: np.uint64, learner: TableLearner, start_state: Words, rows: Rows, begins: Numbers, tally: Rewards
) -> None:
    """Plays the games `start` to `stop`, and learns from each."""
    rules, extra, trail = learner.rules, learner.extra, learner.trail
    table = Values(learner.tables.values[0], learner.tables.visits[0], begins, begins)
    keys, views, movers, longest = rows.keys, rows.views, trail.movers, trail.positions.shape[0]
    for game in range(start, stop):
        key = derive(seed, game)
        seat = opponent_of(key, rules)
        plies, result = play_game(key, seat, exploration_of(game, rules), load(start_state), extra, rows, table, trail)
        for ply in range(plies):
            row = trail.positions[ply]
            if movers[ply] != seat and (keys[row, 0] != views[ply, 0] or keys[row, 1] != views[ply, 1]):
                movers[ply] = NOBODY  # another position has taken the row since
        learn_both(seat, PlayedGame(plies, result, 2 * game * longest, trail), (table, table), rules, tally)


def play_game(
    key: np.uint64, seat: int, exploration: float, state: State, extra: Rewards, rows: Rows, table: Values, trail: Trail
) -> tuple[int, int]:
    """Plays a game against a random opponent in a seat, or in self-play: its plies and its result."""
    plies, result = 0, outcome(state)
    while result == ONGOING and plies < trail.positions.shape[0]:
        mover, ply_key = player(state), derive(key, plies)
        trail.movers[plies], trail.gains[plies] = mover, 0.0
        if mover == seat:
            write_choices(state, rows.choices)
            action = choose(rows.choices, derive(ply_key, ACTION_KEY))
        else:
            action = choose_by_table(state, plies, ply_key, exploration, extra[INITIAL], rows, table, trail)
        after = play(state, action)
        result = outcome(after)
        if result == ONGOING:
            trail.gains[plies] = bonus(state, after, mover, extra)
        state = after
        plies += 1
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
