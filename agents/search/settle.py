"""Settling positions by search: won, drawn or lost for certain, or not known within the limits.

Alpha-beta searches deeper and deeper. What it does not search further counts as good for one of the players, by a worth between
a draw and a win: so what comes out is a bound on the value, and no guess. A win or a loss shows in one such search, with its
distance. A position is drawn where it is no more than a draw with the doubt counted for the player to move, and no less with the
doubt counted against. Endless play is never shown to be a draw, since there is always a deeper search.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.games.evaluation import evaluate, hint, no_hint
from ...envs.games.game import Game, StateArray
from ...envs.games.linking import Linked
from ...envs.kernels.arrays import Numbers, Words
from ...envs.kernels.rules import State, load, player
from ...envs.native import releases_gil
from ...envs.native.threads import share
from .alphabeta.negamax import ACTION, DEPTH, GENERATION, SURE, VALUE, WHOLE, WIN, Desk, negamax
from .alphabeta.search import LARGEST_DEPTH, table_of
from .alphabeta.table import hashed
from .watch import LIMIT, NODES, Watch

UNKNOWN = 2
"""The value of a position that was not settled."""
TABLE_BITS = 18
"""A table has 2 to this power entries of 16 bytes, one table a thread."""


class Settled(NamedTuple):
    """What searches found, one row a position.

    Args:
        values: 1, 0 or -1 for the player to move (B,), int8; UNKNOWN where a limit came first.
        distances: plies to the end of won and lost positions (B,), int64; -1 of all others.
        actions: an action that keeps the value (B,), int64; -1 where it is not known, and of finished games.
    """

    values: NDArray[np.int8]
    distances: NDArray[np.int64]
    actions: NDArray[np.int64]


def settled(game: Game, states: StateArray, nodes: int, watch: Watch | None = None) -> Settled:
    """Settles positions, each by itself.

    Args:
        game: the game and variant.
        states: the positions (B, W), finished ones too.
        nodes: how many positions the search of each may visit.
        watch: limits and progress of all searches together, one after the other, instead of `nodes`.
    """
    kernel = game.kernel(*SETTLE)
    found = np.empty((len(states), 3), np.int64)
    watches: list[Watch] = []

    def work(rows: Iterator[int]) -> None:
        lists = np.zeros((LARGEST_DEPTH + 1, game.actions), np.int64)
        rest = np.zeros((2, game.actions), np.int64), lists, lists.copy(), np.zeros(LARGEST_DEPTH + 1, np.int64)
        with table_of(1 << TABLE_BITS) as table:
            for row in rows:
                over = watch or Watch(nodes)
                watches.append(over)
                first, second = table.next_generation(), table.next_generation()
                settings = np.array([True, True, 0, game.action_words, first], np.int64)
                desk = Desk(settings, np.zeros(1, np.int64), table.entries, *rest, over.words)
                task = partial(kernel, states[row], LARGEST_DEPTH, second, desk, found[row])
                over.run(task) if watch else task()

    states = np.ascontiguousarray(states)
    if watch:
        work(iter(range(len(states))))
    else:
        share(len(states), work, lambda: [each.stop() for each in watches])
    values = found[:, VALUE].astype(np.int8)
    return Settled(values, np.where(abs(values) == 1, found[:, DEPTH], -1), found[:, ACTION].copy())


@releases_gil
def settle(words: Words, deepest: int, second: int, desk: Desk, found: Numbers) -> None:
    """Settles one position.

    Args:
        words: the position.
        deepest: how deep it may be searched, in plies.
        second: the table's generation while doubt counts against the player to move; the desk's settings hold that of the first.
        desk: what the search works with.
        found: an action that keeps the value, the value, and the distance of a win or a loss (3,).
    """
    state = load(words)
    key = hashed(state)
    for action in range(desk.history.shape[1]):
        desk.history[0, action] = desk.history[1, action] = 0
    desk.weights[0] = 1 - 2 * player(state)
    found[ACTION], found[VALUE], found[DEPTH] = -1, UNKNOWN, 0
    at_most_drawn = False
    depth = 0
    while depth <= deepest:
        desk.best[0] = -1
        value = negamax(state, key, depth, 0, -WHOLE, WHOLE, desk)
        if desk.watch[NODES] > desk.watch[LIMIT]:
            return
        if abs(value) > SURE or (value == 0 and at_most_drawn):
            found[ACTION], found[VALUE], found[DEPTH] = desk.best[0], (value > 0) - (value < 0), WIN - abs(value)
            return
        if value == 0 and not at_most_drawn:
            at_most_drawn = True
            desk.weights[0], desk.settings[GENERATION] = -desk.weights[0], second
        else:
            depth += 1


def doubt(state: State, weights: Numbers) -> int:
    """What is not searched further is good for player 0 by the sign of the weight."""
    return weights[0] * (1 - 2 * player(state))


SETTLE = Linked(settle, {evaluate: doubt, hint: no_hint})
"""The kernel that settles a position."""
