"""Proofs by alpha-beta: positions that are won, drawn or lost for certain, or not proven within the limits.

Alpha-beta searches deeper and deeper. All positions at the horizon count as good for one of the players, with a value between
a draw and a win: so the result is a bound, and no guess. A win or a loss shows in one such search, with its distance. A position is
drawn where its value is at most a draw with the horizon good for the player to move, and at least a draw with the horizon bad.
Endless play is never proven to be a draw, since some line always reaches the horizon.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.native import releases_gil
from ...core.native.threads import share
from ...games.evaluation import evaluate, hint, no_hint, one_phase, phase
from ...games.game import Game, StateArray
from ...games.kernels.arrays import Numbers, Words
from ...games.kernels.rules import State, load, player
from ...games.linking import LinkedKernel
from ..transposition import borrow_table, hash_of
from ..watch import LIMIT, NODES, Watch
from .negamax import (
    ACTION,
    DEPTH,
    FULL_WINDOW,
    GENERATION,
    GENERATIONS,
    LARGEST_DEPTH,
    PROVEN,
    VALUE,
    WIN,
    Workspace,
    negamax,
    scratch_for,
)

UNKNOWN = 2
"""The value of a position that was not proven."""
TABLE_BITS = 18
"""A table has 2 to this power entries of 16 bytes, one table per thread."""


class Proofs(NamedTuple):
    """Proven values, one row per position.

    Args:
        values: 1, 0 or -1 for the player to move (B,), int8; UNKNOWN where a limit was reached first.
        distances: plies to the end of won and lost positions (B,), int64; -1 of all others.
        actions: an action that keeps the value (B,), int64; -1 where it is not known, and of finished games.
    """

    values: NDArray[np.int8]
    distances: NDArray[np.int64]
    actions: NDArray[np.int64]


def prove(game: Game, states: StateArray, nodes: int, watch: Watch | None = None) -> Proofs:
    """Proves the values of positions, each by itself.

    Args:
        game: the game and variant.
        states: the positions (B, W), finished ones too.
        nodes: how many positions the search of each may visit.
        watch: limits and progress of all searches together, which then run one after another, instead of `nodes`.
    """
    states, kernel = game.batch(states), game.kernel(*PROVE)
    results = np.empty((len(states), 3), np.int64)
    watches: list[Watch] = []

    def work(rows: Iterator[int]) -> None:
        scratch, no_margins = scratch_for(game, LARGEST_DEPTH), np.zeros((1, LARGEST_DEPTH + 1), np.int64)
        with borrow_table(TABLE_BITS, GENERATIONS) as table:
            for row in rows:
                limits = watch or Watch(nodes)
                watches.append(limits)
                first, second = table.next_generation(), table.next_generation()
                settings = np.array([True, True, 0, game.action_words, first, False], np.int64)
                workspace = Workspace(settings, np.zeros(1, np.int64), table.entries, *scratch, limits.words, no_margins)
                task = partial(kernel, states[row], LARGEST_DEPTH, second, workspace, results[row])
                limits.run(task) if watch else task()

    if watch:
        work(iter(range(len(states))))
    else:
        share(len(states), work, lambda: [each.stop() for each in watches])
    values = results[:, VALUE].astype(np.int8)
    return Proofs(values, np.where(abs(values) == 1, results[:, DEPTH], -1), results[:, ACTION].copy())


@releases_gil
def prove_position(words: Words, deepest: int, second: int, workspace: Workspace, result: Numbers) -> None:
    """Proves the value of one position.

    Args:
        words: the position.
        deepest: how deep it may be searched, in plies.
        second: the table's generation once the horizon is bad for the player to move; the settings hold the one before.
        workspace: the arrays of the search.
        result: an action that keeps the value, the value, and the distance of a win or a loss (3,).
    """
    state = load(words)
    key = hash_of(state)
    for action in range(workspace.history.shape[1]):
        workspace.history[0, action] = workspace.history[1, action] = 0
    workspace.weights[0] = 1 - 2 * player(state)  # at first the horizon is good for the player to move
    result[ACTION], result[VALUE], result[DEPTH] = -1, UNKNOWN, 0
    at_most_drawn = False
    depth = 0
    while depth <= deepest:
        workspace.best[0] = -1
        value = negamax(state, key, depth, 0, -FULL_WINDOW, FULL_WINDOW, workspace)
        if workspace.watch[NODES] > workspace.watch[LIMIT]:
            return
        if abs(value) > PROVEN or (value == 0 and at_most_drawn):
            result[ACTION], result[VALUE], result[DEPTH] = workspace.best[0], (value > 0) - (value < 0), WIN - abs(value)
            return
        if value == 0 and not at_most_drawn:
            at_most_drawn = True
            # The same depth again with the horizon bad, in a new generation: the table's bounds belong to the other horizon.
            workspace.weights[0], workspace.settings[GENERATION] = -workspace.weights[0], second
        else:
            depth += 1


def horizon_value(state: State, weights: Numbers) -> int:
    """The value of every position at the horizon: good for player 0 if the weight is 1, bad if it is -1."""
    return weights[0] * (1 - 2 * player(state))


PROVE = LinkedKernel(prove_position, {evaluate: horizon_value, hint: no_hint, phase: one_phase})
"""The kernel that proves a position."""
