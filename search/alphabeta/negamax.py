"""Alpha-beta as compiled code, once over any game.

A node's value is for the player to move there. The rules say who moves: a child's value changes its sign only where the other
player is to move. A finished game has the value WIN less the plies it took, so a win is above all evaluations, and sooner is
better.

Sources: Knuth, Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6 (1975); Marsland, Reinefeld
on the scout's null window; Schaeffer, The history heuristic, PAMI 11 (1989); Buro, ProbCut: an effective selective extension of
the alpha-beta algorithm, ICCA Journal 18 (1995).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...games.evaluation import evaluate, hint
from ...games.kernels.arrays import Counts, Numbers, States, Words
from ...games.kernels.bits import ONE, lowest, number, u64
from ...games.kernels.keys import derive
from ...games.kernels.rules import ONGOING, State, legal, load, outcome, play, player
from ...native import releases_gil
from ..transposition import hash_of
from ..watch import LIMIT, NODES, visit
from .entries import DEEPEST, EXACT, LOWER, UPPER, action_of, bound_of, depth_of, find, keep, value_of

WIN = 1_000_000_000
"""The value of a won game, less the plies it takes; evaluations stay within a tenth of it."""
PROVEN = WIN - 1000
"""Values above this, or below its negative, come from finished games alone."""
FULL_WINDOW = 2 * WIN
"""A window that holds every value."""
PRUNE, TABLE, ASPIRE, ACTION_WORDS, GENERATION = range(5)  # words of the settings
ACTION, VALUE, DEPTH = range(3)  # words of the result


class Workspace(NamedTuple):
    """The arrays that one search at a time reads and writes.

    Args:
        settings: whether to prune, to use the table, to start from a window around the last value (its half width, 0 for not);
            the words of an action set; the generation of the table (5,).
        weights: the evaluation's (any,).
        table: the transposition table (2^bits, 2).
        history: for each player and action, how often it caused a cutoff, weighted by depth (2, A).
        moves: for each ply, the legal actions (plies + 1, A).
        scores: their scores in the move order (plies + 1, A).
        best: for each ply, the best action of the node searched last (plies + 1,).
        watch: see search/watch.py (4,).
        margins: for each depth, how far outside of a null window a shallow search settles it; 0 for never (depths,).
    """

    settings: Numbers
    weights: Numbers
    table: States
    history: Counts
    moves: Counts
    scores: Counts
    best: Numbers
    watch: Numbers
    margins: Numbers


@releases_gil
def search(words: Words, key: np.uint64, deepest: int, workspace: Workspace, result: Numbers) -> None:
    """Searches one position by iterative deepening; writes action, value and depth of the deepest search that was completed.

    Without pruning or a table, shallow searches gain nothing, and only the deepest is made. Of equally good actions it finds the
    first in its order, which the key decides where nothing else does.
    """
    state = load(words)
    for action in range(workspace.history.shape[1]):
        workspace.history[0, action] = workspace.history[1, action] = 0
    count = order_moves(state, -1, 0, key, workspace)
    result[ACTION], result[VALUE], result[DEPTH] = pick_move(0, 0, count, workspace), 0, 0
    depth = 1 if workspace.settings[PRUNE] and workspace.settings[TABLE] else deepest
    while depth <= deepest:
        value = aspiration_search(state, key, depth, result[VALUE], workspace)
        if workspace.watch[NODES] > workspace.watch[LIMIT]:
            return
        result[ACTION], result[VALUE], result[DEPTH] = workspace.best[0], value, depth
        if abs(value) > PROVEN:  # deeper searches would find the same
            return
        depth += 1


def aspiration_search(state: State, key: np.uint64, depth: int, guess: int, workspace: Workspace) -> int:
    """The value at a depth; with an aspiration window, searched around a guess first."""
    width = workspace.settings[ASPIRE]
    if width > 0 and depth > 1 and workspace.settings[PRUNE]:
        value = negamax(state, key, depth, 0, guess - width, guess + width, workspace)
        if guess - width < value < guess + width:
            return value
    return negamax(state, key, depth, 0, -FULL_WINDOW, FULL_WINDOW, workspace)


def negamax(state: State, key: np.uint64, depth: int, ply: int, alpha: int, beta: int, workspace: Workspace) -> int:
    """The value of a state for the player to move, searched to a depth within a window.

    Returns:
        v: the value itself where alpha < v < beta; the value is v or less where v <= alpha, v or more where v >= beta.
    """
    if visit(workspace.watch):
        return 0
    result = outcome(state)
    mover = player(state)
    if result != ONGOING:
        return (1 - 2 * mover) * result * (WIN - ply)
    if depth == 0:
        return evaluate(state, workspace.weights)
    hash_ = u64(0)
    first = -1
    if workspace.settings[TABLE] and depth > 1:
        hash_ = hash_of(state)
        entry = find(workspace.table, hash_, workspace.settings[GENERATION])
        first = action_of(entry)
        if depth_of(entry) == depth:
            known, bound = adjusted_for_ply(value_of(entry), ply), bound_of(entry)
            if bound == EXACT or (bound == LOWER and known >= beta) or (bound == UPPER and known <= alpha):
                workspace.best[ply] = first
                return known
    if depth > 1 and workspace.margins[depth] > 0 and ply > 0 and beta - alpha == 1:
        side = probably_outside(state, key, depth, ply, alpha, beta, workspace)
        if side != 0:
            return beta if side > 0 else alpha
        first = action_of(find(workspace.table, hash_, workspace.settings[GENERATION]))
    count = order_moves(state, first, ply, key, workspace)
    best, best_action = -FULL_WINDOW, -1
    for i in range(count):
        action = pick_move(ply, i, count, workspace) if workspace.settings[PRUNE] else workspace.moves[ply, i]
        child = play(state, action)
        turn = 1 if player(child) == mover else -1
        low = max(alpha, best) if workspace.settings[PRUNE] else -FULL_WINDOW
        high = beta if i == 0 or not workspace.settings[PRUNE] or depth == 1 else low + 1
        value = turn * negamax(
            child, key, depth - 1, ply + 1, min(turn * low, turn * high), max(turn * low, turn * high), workspace
        )
        if high < beta and low < value < beta:  # better than the best so far: by how much?
            value = turn * negamax(
                child, key, depth - 1, ply + 1, min(turn * low, turn * beta), max(turn * low, turn * beta), workspace
            )
        if workspace.watch[NODES] > workspace.watch[LIMIT]:
            return 0
        if value > best:
            best, best_action = value, action
        if best >= beta:
            workspace.history[mover, action] += depth * depth
            break
    workspace.best[ply] = best_action
    if workspace.settings[TABLE] and depth > 1:
        bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
        keep(
            workspace.table,
            hash_,
            workspace.settings[GENERATION],
            adjusted_for_ply(best, -ply),
            bound,
            min(depth, DEEPEST),
            best_action,
        )
    return best


def probably_outside(state: State, key: np.uint64, depth: int, ply: int, alpha: int, beta: int, workspace: Workspace) -> int:
    """Whether a shallow search puts a value above a null window (1), below it (-1), or neither (0): it tries the likelier side."""
    shallow, margin = depth // 2 - (depth // 2 + depth) % 2, workspace.margins[depth]
    if evaluate(state, workspace.weights) >= beta:
        above = beta + margin
        return 1 if negamax(state, key, shallow, ply, above - 1, above, workspace) >= above else 0
    below = alpha - margin
    return -1 if negamax(state, key, shallow, ply, below, below + 1, workspace) <= below else 0


def adjusted_for_ply(value: int, ply: int) -> int:
    """A value seen from a position, as seen from this many plies before it (after it, if negative)."""
    return value - ply if value > PROVEN else value + ply if value < -PROVEN else value


def order_moves(state: State, first: int, ply: int, key: np.uint64, workspace: Workspace) -> int:
    """Lists the legal actions of a node and scores them: `first`, then by the game's hint and history; returns how many.

    At the root, the key breaks ties.
    """
    mover = player(state)
    count = 0
    for word in range(workspace.settings[ACTION_WORDS]):
        bits = legal(state, word)
        while bits != u64(0):
            action = 64 * word + lowest(bits)
            bits &= bits - ONE
            score = FULL_WINDOW if action == first else min(workspace.history[mover, action], WIN) + hint(state, action)
            if ply == 0:
                score = score * 4096 + number(derive(key, action) >> u64(52))
            workspace.moves[ply, count], workspace.scores[ply, count] = action, score
            count += 1
    return count


def pick_move(ply: int, start: int, count: int, workspace: Workspace) -> int:
    """The action with the highest score from `start` on in a ply's list, moved to that place."""
    top = start
    for i in range(start + 1, count):
        if workspace.scores[ply, i] > workspace.scores[ply, top]:
            top = i
    action = workspace.moves[ply, top]
    workspace.moves[ply, top], workspace.scores[ply, top] = workspace.moves[ply, start], workspace.scores[ply, start]
    return action
