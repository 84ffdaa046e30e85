"""Alpha-beta as compiled code, once over any game.

What a node returns is worth for the player to move there. Who moves is asked of the rules: a child's value turns its sign
only where the other player is to move in it. A finished game is worth WIN less the plies it took, so that a win
scores above all, and sooner is better.

Sources: Knuth, Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6 (1975); Marsland, Reinefeld
on the scout's null window; Schaeffer, The history heuristic, PAMI 11 (1989).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....envs.games.evaluation import evaluate, hint
from ....envs.kernels.arrays import Numbers, States, Words
from ....envs.kernels.bits import ONE, lowest, number, u64
from ....envs.kernels.keys import derive
from ....envs.kernels.rules import ONGOING, State, legal, load, outcome, play, player
from ....envs.native import releases_gil
from ..watch import LIMIT, NODES, visit
from .table import DEEPEST, EXACT, LOWER, UPPER, action_of, bound_of, depth_of, find, hashed, keep, value_of

WIN = 1_000_000_000
"""What a won game is worth, less the plies it takes; evaluations stay within a tenth of it."""
SURE = WIN - 1000
"""What only finished games are worth."""
WHOLE = 2 * WIN
"""A window that holds every value."""
PRUNE, TABLE, ASPIRE, ACTION_WORDS, GENERATION = range(5)  # words of the settings
ACTION, VALUE, DEPTH = range(3)  # words of the result

Rows: TypeAlias = Annotated[NDArray[np.int64], 2]


class Desk(NamedTuple):
    """What one search works with: arrays that it reads and writes, and no other search meanwhile.

    Args:
        settings: whether to prune, to use the table, to start from a window around the last value (its half width, 0 for not);
            the words of an action set; the generation of the table (5,).
        weights: the evaluation's (any,).
        table: the transposition table (2^bits, 2).
        history: for each player and action, how often it cut, weighted by depth (2, A).
        moves: for each ply, the legal actions (plies + 1, A).
        scores: how promising each of them looks (plies + 1, A).
        best: for each ply, the best action of the node searched last (plies + 1,).
        watch: see agents/search/watch.py (4,).
    """

    settings: Numbers
    weights: Numbers
    table: States
    history: Rows
    moves: Rows
    scores: Rows
    best: Numbers
    watch: Numbers


@releases_gil
def search(words: Words, key: np.uint64, deepest: int, desk: Desk, result: Numbers) -> None:
    """Searches one position, deeper and deeper, and writes action, value and depth of the deepest search that came to its end.

    Without pruning there is nothing to gain from shallow searches first, and only the deepest is made. Of equally
    good actions it finds the first in its order, which the key decides where nothing else does.
    """
    state = load(words)
    for action in range(desk.history.shape[1]):
        desk.history[0, action] = desk.history[1, action] = 0
    count = order(state, -1, 0, key, desk)
    result[ACTION], result[VALUE], result[DEPTH] = pick(0, 0, count, desk), 0, 0
    depth = 1 if desk.settings[PRUNE] and desk.settings[TABLE] else deepest
    while depth <= deepest:
        value = aspired(state, key, depth, result[VALUE], desk)
        if desk.watch[NODES] > desk.watch[LIMIT]:
            return
        result[ACTION], result[VALUE], result[DEPTH] = desk.best[0], value, depth
        if abs(value) > SURE:  # deeper searches would find the same
            return
        depth += 1


def aspired(state: State, key: np.uint64, depth: int, guess: int, desk: Desk) -> int:
    """The value at a depth, sought in a narrow window around a guess first, where that is wanted."""
    width = desk.settings[ASPIRE]
    if width > 0 and depth > 1 and desk.settings[PRUNE]:
        value = negamax(state, key, depth, 0, guess - width, guess + width, desk)
        if guess - width < value < guess + width:
            return value
    return negamax(state, key, depth, 0, -WHOLE, WHOLE, desk)


def negamax(state: State, key: np.uint64, depth: int, ply: int, alpha: int, beta: int, desk: Desk) -> int:
    """The value of a state for its mover, searched to a depth, as far as the window needs it.

    Returns:
        v: the value itself where alpha < v < beta; the value is v or less where v <= alpha, v or more where v >= beta.
    """
    if visit(desk.watch):
        return 0
    result = outcome(state)
    mover = player(state)
    if result != ONGOING:
        return (1 - 2 * mover) * result * (WIN - ply)
    if depth == 0:
        return evaluate(state, desk.weights)
    hash_ = u64(0)
    first = -1
    if desk.settings[TABLE] and depth > 1:
        hash_ = hashed(state)
        entry = find(desk.table, hash_, desk.settings[GENERATION])
        first = action_of(entry)
        if depth_of(entry) == depth:
            known, bound = seen_from(value_of(entry), ply), bound_of(entry)
            if bound == EXACT or (bound == LOWER and known >= beta) or (bound == UPPER and known <= alpha):
                desk.best[ply] = first
                return known
    count = order(state, first, ply, key, desk)
    best, best_action = -WHOLE, -1
    for i in range(count):
        action = pick(ply, i, count, desk) if desk.settings[PRUNE] else desk.moves[ply, i]
        child = play(state, action)
        turn = 1 if player(child) == mover else -1
        low = max(alpha, best) if desk.settings[PRUNE] else -WHOLE
        high = beta if i == 0 or not desk.settings[PRUNE] or depth == 1 else low + 1
        value = turn * negamax(child, key, depth - 1, ply + 1, min(turn * low, turn * high), max(turn * low, turn * high), desk)
        if high < beta and low < value < beta:  # better than the best so far: by how much?
            value = turn * negamax(child, key, depth - 1, ply + 1, min(turn * low, turn * beta), max(turn * low, turn * beta), desk)
        if desk.watch[NODES] > desk.watch[LIMIT]:
            return 0
        if value > best:
            best, best_action = value, action
        if best >= beta:
            desk.history[mover, action] += depth * depth
            break
    desk.best[ply] = best_action
    if desk.settings[TABLE] and depth > 1:
        bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
        keep(desk.table, hash_, desk.settings[GENERATION], seen_from(best, -ply), bound, min(depth, DEEPEST), best_action)
    return best


def seen_from(value: int, ply: int) -> int:
    """A value from a position's own view as it is seen from so many plies before it (after it, where negative)."""
    return value - ply if value > SURE else value + ply if value < -SURE else value


def order(state: State, first: int, ply: int, key: np.uint64, desk: Desk) -> int:
    """Lists the legal actions of a node and scores them: `first`, then by the game's hint, then by history; returns how many.

    At the root, the key tells apart what hint and history do not.
    """
    mover = player(state)
    count = 0
    for word in range(desk.settings[ACTION_WORDS]):
        bits = legal(state, word)
        while bits != u64(0):
            action = 64 * word + lowest(bits)
            bits &= bits - ONE
            score = WHOLE if action == first else min(desk.history[mover, action], WIN) + hint(state, action)
            if ply == 0:
                score = score * 4096 + number(derive(key, action) >> u64(52))
            desk.moves[ply, count], desk.scores[ply, count] = action, score
            count += 1
    return count


def pick(ply: int, start: int, count: int, desk: Desk) -> int:
    """The most promising action from `start` on in a ply's list of so many, brought to that place."""
    top = start
    for i in range(start + 1, count):
        if desk.scores[ply, i] > desk.scores[ply, top]:
            top = i
    action = desk.moves[ply, top]
    desk.moves[ply, top], desk.scores[ply, top] = desk.moves[ply, start], desk.scores[ply, start]
    return action
