"""Expectimax: the best action against an opponent who plays every legal action equally often, once over any game.

A node where the player himself moves is worth its best child; one where the opponent moves, the mean of its children. Finished
games are worth 1, 0 or -1 to the player, slightly nearer to 0 the later they end; positions at the horizon are worth their
evaluation, scaled into (-0.1, 0.1).

Source: Michie, Game-playing and game-learning automata (1966); Russell, Norvig, Artificial Intelligence, chapter on
adversarial search.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.native import releases_gil
from ...games.evaluation import LARGEST, evaluate
from ...games.kernels.arrays import Numbers, Words
from ...games.kernels.bits import ONE, lowest, u64
from ...games.kernels.keys import derive
from ...games.kernels.rules import ONGOING, State, legal, load, outcome, play, player
from ..watch import LIMIT, NODES, visit

SOONER = 1e-9
"""The cost of a ply, so that an earlier win is better."""

Reals: TypeAlias = Annotated[NDArray[np.float64], 1]


class ExpectimaxSettings(NamedTuple):
    """Settings that stay the same while a position is searched.

    Args:
        player: who searches.
        action_words: the words of an action set.
        weights: the evaluation's (any,).
        watch: see search/watch.py (4,).
    """

    player: int
    action_words: int
    weights: Numbers
    watch: Numbers


@releases_gil
def expect(words: Words, key: np.uint64, depth: int, action_words: int, weights: Numbers, values: Reals, watch: Numbers) -> int:
    """Writes the value of each action (A,), -2 where it is not legal; returns the best; the key decides between equals."""
    state = load(words)
    setting = ExpectimaxSettings(player(state), action_words, weights, watch)
    best, best_tie_break = -1, u64(0)
    for action in range(values.shape[0]):
        values[action] = -2.0
        if (legal(state, action >> 6) >> u64(action & 63)) & ONE != u64(0):
            values[action] = expectation(play(state, action), depth - 1, 1, setting)
            tie_break = derive(key, action)
            if best < 0 or values[action] > values[best] or (values[action] == values[best] and tie_break > best_tie_break):
                best, best_tie_break = action, tie_break
    return best


def expectation(state: State, depth: int, ply: int, setting: ExpectimaxSettings) -> float:
    """The value of a state for the player who searches, to a depth."""
    if visit(setting.watch):
        return 0.0
    sign = 1 - 2 * setting.player
    result = outcome(state)
    if result != ONGOING:
        return sign * result * (1.0 - SOONER * ply)
    mine = player(state) == setting.player
    if depth <= 0:
        worth = evaluate(state, setting.weights) / (10.0 * LARGEST)
        return worth if mine else -worth
    best, total, count = -2.0, 0.0, 0
    for word in range(setting.action_words):
        bits = legal(state, word)
        while bits != u64(0):
            value = expectation(play(state, 64 * word + lowest(bits)), depth - 1, ply + 1, setting)
            bits &= bits - ONE
            best, total, count = max(best, value), total + value, count + 1
            if setting.watch[NODES] > setting.watch[LIMIT]:
                return 0.0
    return best if mine else total / count
