"""Alpha-beta search of many positions, each by itself, once over any game: `AlphaBeta`, its compiled code, its table's entries.

A node's value is for the player to move there. The rules say who moves: a child's value changes its sign only where the other
player is to move. A finished game has the value WIN less the plies it took, so a win is above all evaluations, and sooner is
better.

An entry of the transposition table is a bound of a position's value, from an earlier visit. The first row of a bucket keeps the
deepest search, the second the latest. An entry is two words, the whole hash and

    bit   0-1     2-8      9-19         20-31          32-63
          bound   depth    action + 1   generation     value + 2³¹

The value is a bound on what a search of exactly that depth gives, seen from the position itself: a win that is n plies
away is WIN - n wherever the position stands. An entry counts only in the generation that wrote it, so no search learns from
another and the table need not be cleared between them.

Sources: Knuth, Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6 (1975); Marsland, Reinefeld
on the scout's null window; Schaeffer, The history heuristic, PAMI 11 (1989); Buro, ProbCut: an effective selective extension of
the alpha-beta algorithm, ICCA Journal 18 (1995), and Experiments with Multi-ProbCut (1997), whose margins depend on the phase.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.bounds import Bounded, Count
from ...core.native import releases_gil
from ...core.native.threads import share
from ...core.numbers import Range
from ...games.batches import one_each
from ...games.evaluation import Evaluation, evaluate, hint, phase
from ...games.game import Game, StateArray
from ...games.kernels.arrays import Counts, Numbers, States, Words
from ...games.kernels.bits import ONE, lowest, number, u64
from ...games.kernels.keys import derive
from ...games.kernels.rules import ONGOING, State, legal, load, outcome, play, player
from ...games.linking import LinkedKernel
from ..transposition import ABSENT, borrow_table, bucket_of, find_row, hash_of
from ..watch import LIMIT, NODES, UNLIMITED, Seconds, Watch, visit

WIN = 1_000_000_000
"""The value of a won game, less the plies it takes; evaluations stay within a tenth of it."""
PROVEN = WIN - 1000
"""Values above this, or below its negative, come from finished games alone."""
FULL_WINDOW = 2 * WIN
"""The half width of a window that holds every value with room to spare: no value lies on its border."""
PRUNE, TABLE, ASPIRE, ACTION_WORDS, GENERATION, PROBCUT, STEP, PAUSE = range(8)  # words of the settings
ACTION, VALUE, DEPTH = range(3)  # words of the result
PAUSED, FINISHED = range(2)
LOWER, UPPER, EXACT = 1, 2, 3
"""Bounds of an entry: the value is this or more, this or less, or exactly this; bit 0 says at least, bit 1 at most."""
GENERATIONS = 1 << 12
DEEPEST = 127
"""Plies; the seven bits of an entry hold no more."""
OFFSET = 1 << 31
"""Added to values in entries, so that none is below 0."""
GENERATION_BITS = u64(0xFFF << 20)
LARGEST_DEPTH = DEEPEST - 7
LARGEST_TABLE = 30
UNWATCHED_DEPTH = 3
"""A search to this depth runs in the caller's thread, where no Ctrl-C reaches it: most take less time than starting a thread."""
UNWATCHED_NODES = 100_000
"""A search that deepens runs in the caller's thread as long as the next depth is likely to stay within this many nodes."""
Depth: TypeAlias = Annotated[int, Range(1, LARGEST_DEPTH)]
HalfWidth: TypeAlias = Annotated[int, Range(0, WIN)]
TableBits: TypeAlias = Annotated[int, Range(1, LARGEST_TABLE)]


@dataclass(frozen=True)
class AlphaBetaResults:
    """The results of searches, one row per position.

    Args:
        actions: the best action (B,), int64.
        values: its value for the player to move (B,), int64: an evaluation, or WIN less the plies to a won game.
        depths: the depth of the deepest completed search (B,), int64; 0 where a limit came first, and the action is the first in
            the order of moves.
        nodes: positions visited (B,), int64.
    """

    actions: NDArray[np.int64]
    values: NDArray[np.int64]
    depths: NDArray[np.int64]
    nodes: NDArray[np.int64]


@dataclass(frozen=True)
class AlphaBeta(Bounded):
    """Negamax with alpha-beta pruning over any game.

    Args:
        game: the game and variant.
        evaluation: the value of positions at the horizon.
        depth: plies to search at most, 1 or more.
        nodes: positions to visit at most for each position searched; None for any number.
        seconds: time for each position searched; None for any time.
        prune: whether to prune; false visits every position, for study.
        table: whether to use a transposition table.
        aspiration: half the width of the window around the value of the search before, in the evaluation's units; 0 for none.
        table_bits: the table has 2 to this power entries of 16 bytes, one table per thread.
        margins: for each phase of the evaluation and each depth from 0 on, how far outside of a null window the value of a shallow
            search must lie to settle a position without a search to that depth; 0 for never, and for all that are not listed.

    Raises:
        ValueError: a setting outside of its range.
    """

    game: Game
    evaluation: Evaluation
    depth: Depth = 4
    nodes: Count | None = None
    seconds: Seconds | None = None
    prune: bool = True
    table: bool = True
    aspiration: HalfWidth = 0
    table_bits: TableBits = 20
    margins: tuple[tuple[int, ...], ...] = ()

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        """The kernels that a search needs."""
        return (LinkedKernel(search, self.evaluation.plugs),)

    def search(self, states: StateArray, keys: NDArray[np.uint64], watch: Watch | None = None) -> AlphaBetaResults:
        """Searches positions.

        Args:
            states: unfinished positions (B, W), uint64.
            keys: break ties between equally good actions (B,), uint64.
            watch: limits and progress of a single position's search, instead of `nodes` and `seconds`.

        Raises:
            MemoryError: no room for the table.
        """
        states = self.game.batch(states)
        keys, kernel = one_each(keys, np.uint64, "key", len(states)), self.game.kernel(search, self.evaluation.plugs)
        results, nodes = np.zeros((len(states), 3), np.int64), np.zeros(len(states), np.int64)
        weights, margins, is_selective = self.evaluation.numbers, self._margins, any(map(any, self.margins))
        deepens = self.prune and self.table
        unwatched = watch is None and self.seconds is None and (deepens or self.depth <= UNWATCHED_DEPTH)
        step = self._step(is_selective, watch) if deepens else self.depth
        fixed = self.prune, self.table, self.aspiration, self.game.action_words, 0, is_selective, step, UNLIMITED
        watches: list[Watch] = []

        def work(rows: Iterator[int]) -> None:
            scratch, settings = scratch_for(self.game, self.depth), np.array([*map(int, fixed)], np.int64)
            with borrow_table(self.table_bits if self.table else 1, GENERATIONS) as table:
                for row in rows:
                    over = watch or Watch(self.nodes, self.seconds)
                    watches.append(over)
                    settings[GENERATION], settings[PAUSE] = table.next_generation(), UNWATCHED_NODES if unwatched else UNLIMITED
                    workspace = Workspace(settings, weights, table.entries, *scratch, over.words, margins)
                    task = partial(kernel, states[row], int(keys[row]), self.depth, workspace, results[row])
                    if not unwatched or task() == PAUSED:
                        settings[PAUSE] = UNLIMITED
                        over.run(task)
                    nodes[row] = over.nodes

        share(len(states), work, lambda: [watch.stop() for watch in watches])
        return AlphaBetaResults(results[:, ACTION].copy(), results[:, VALUE].copy(), results[:, DEPTH].copy(), nodes)

    def _step(self, is_selective: bool, watch: Watch | None) -> int:
        """By how many plies the search deepens: by one, but with ProbCut, whose values are estimates, by two. That is faster, and
        may find another one of several equally good actions. A limit breaks off less of a smaller step."""
        is_limited = watch is not None or self.nodes is not None or self.seconds is not None
        return 2 if is_selective and not is_limited else 1

    @cached_property
    def _margins(self) -> NDArray[np.int64]:
        margins = np.zeros((self.evaluation.phases, self.depth + 1), np.int64)
        for row, listed in zip(margins, self.margins, strict=False):
            row[: len(listed)] = listed[: len(row)]
        return margins


class Workspace(NamedTuple):
    """The arrays that one search at a time reads and writes.

    Args:
        settings: whether to prune, whether to use the table, half the width of the aspiration window (0 for none), the words of an
            action set, the generation of the table, whether any margin is above 0 (6,); and for `search`, how far apart the
            depths are that it searches, and how many nodes it may visit before it pauses (8,).
        weights: the evaluation's (any,).
        table: the transposition table (2^bits, 2).
        history: for each player and action, how often it caused a cutoff, weighted by depth (2, A).
        moves: for each ply, the legal actions (plies + 1, A).
        scores: their scores in the move order (plies + 1, A).
        best: for each ply, the best action of the node searched last (plies + 1,).
        watch: see search/watch.py (4,).
        margins: for each phase and depth, how far outside of a null window the value of a shallow search must lie to settle a
            position; 0 for never (phases, depths).
    """

    settings: Numbers
    weights: Numbers
    table: States
    history: Counts
    moves: Counts
    scores: Counts
    best: Numbers
    watch: Numbers
    margins: Counts


def scratch_for(game: Game, depth: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """History, moves, scores and best actions of a workspace for searches to a depth."""
    lists = np.zeros((depth + 1, game.num_actions), np.int64)
    return np.zeros((2, game.num_actions), np.int64), lists, lists.copy(), np.zeros(depth + 1, np.int64)


# ---- the search, compiled


@releases_gil
def search(words: Words, key: np.uint64, deepest: int, workspace: Workspace, result: Numbers) -> int:
    """Searches one position by iterative deepening; writes action, value and depth of the deepest search that was completed.

    Shallow searches pay off by the order of moves that they leave in the table. Of equally good actions the first in the order
    wins, and the key decides the order of equals.

    Returns:
        FINISHED, or PAUSED: then call it again with the same arrays, and it goes on.
    """
    state, step, pause = load(words), workspace.settings[STEP], workspace.settings[PAUSE]
    if result[DEPTH] > 0:
        depth = result[DEPTH] + step
    else:
        depth = 1 + (deepest - 1) % step
        for action in range(workspace.history.shape[1]):
            workspace.history[0, action] = workspace.history[1, action] = 0
        count = order_moves(state, -1, deepest, 0, key, workspace)
        result[ACTION], result[VALUE] = pick_move(0, 0, count, workspace), 0
    before, last = 1, 0  # nodes of the last two depths, of which the next takes as many times more as one did of the other
    while depth <= deepest:
        began = workspace.watch[NODES]
        if pause < UNLIMITED and began + last * last // before > pause:
            return PAUSED
        if result[DEPTH] > 0:
            value = aspiration_search(state, key, depth, result[VALUE], workspace)
        else:
            value = negamax(state, key, depth, 0, -FULL_WINDOW, FULL_WINDOW, workspace)
        if workspace.watch[NODES] > workspace.watch[LIMIT]:
            return FINISHED
        result[ACTION], result[VALUE], result[DEPTH] = workspace.best[0], value, depth
        if abs(value) > PROVEN:  # the nearest win is the first that deepening sees: deeper searches give the same value
            return FINISHED
        before, last = max(1, last), workspace.watch[NODES] - began
        depth += step
    return FINISHED


def aspiration_search(state: State, key: np.uint64, depth: int, guess: int, workspace: Workspace) -> int:
    """The value at a depth. With an aspiration window, a narrow window around a guess is tried first."""
    width = workspace.settings[ASPIRE]
    if width > 0 and workspace.settings[PRUNE]:
        value = negamax(state, key, depth, 0, guess - width, guess + width, workspace)
        if guess - width < value < guess + width:  # on or outside of the border it is only a bound: search again
            return value
    return negamax(state, key, depth, 0, -FULL_WINDOW, FULL_WINDOW, workspace)


def negamax(state: State, key: np.uint64, depth: int, ply: int, alpha: int, beta: int, workspace: Workspace) -> int:
    """The value of a state for the player to move, searched to a depth within a window.

    Returns:
        v: the value itself where alpha < v < beta; the value is v or less where v <= alpha, v or more where v >= beta. Once a limit
            of the watch is passed, v means nothing, and every caller returns at once.
    """
    if visit(workspace.watch):
        return 0
    result = outcome(state)
    mover = player(state)
    if result != ONGOING:
        return (1 - 2 * mover) * result * (WIN - ply)  # the result is player 0's
    if depth == 0:
        return evaluate(state, workspace.weights)
    hash_ = u64(0)
    first = -1
    if workspace.settings[TABLE] and depth > 1:
        hash_ = hash_of(state)
        entry = find_entry(workspace.table, hash_, workspace.settings[GENERATION])
        first = action_of(entry)
        # A deeper entry would serve too, but then a position's value would depend on what the table happens to hold.
        if depth_of(entry) == depth:
            known, bound = shift_to_ply(value_of(entry), ply), bound_of(entry)
            if bound == EXACT or (bound == LOWER and known >= beta) or (bound == UPPER and known <= alpha):
                workspace.best[ply] = first
                return known
    margin = workspace.margins[phase(state), depth] if depth > 1 and ply > 0 and beta - alpha == 1 else 0
    if margin > 0:
        side = probably_outside(state, key, depth, ply, alpha, beta, margin, workspace)
        if side != 0:
            return beta if side > 0 else alpha
        if shallow_depth(depth) > 1:  # that search may have found a better action to begin with
            first = action_of(find_entry(workspace.table, hash_, workspace.settings[GENERATION]))
    count = order_moves(state, first, depth, ply, key, workspace)
    best, best_action = -FULL_WINDOW, -1
    for i in range(count):
        is_picked = workspace.settings[PRUNE] or ply == 0  # the root's order decides between equals, without pruning too
        action = pick_move(ply, i, count, workspace) if is_picked else workspace.moves[ply, i]
        child = play(state, action)
        turn = 1 if player(child) == mover else -1  # the mover may be to move again, and then neither value nor window turn
        low = max(alpha, best) if workspace.settings[PRUNE] else -FULL_WINDOW
        # After the first action only whether another is better is asked: a null window is cheaper to search. It saves nothing at
        # depth 1, where every child is a leaf.
        high = beta if i == 0 or not workspace.settings[PRUNE] or depth == 1 else low + 1
        value = turn * negamax(
            child, key, depth - 1, ply + 1, min(turn * low, turn * high), max(turn * low, turn * high), workspace
        )
        if high < beta and low < value < beta:  # better, and the null window only bounds by how much: search the whole window
            value = turn * negamax(
                child, key, depth - 1, ply + 1, min(turn * low, turn * beta), max(turn * low, turn * beta), workspace
            )
        if workspace.watch[NODES] > workspace.watch[LIMIT]:
            return 0
        if value > best:
            best, best_action = value, action
        if best >= beta:  # a cutoff higher in the tree saves more: weigh it by depth²
            workspace.history[mover, action] += depth * depth
            break
    workspace.best[ply] = best_action
    if workspace.settings[TABLE] and depth > 1:
        # After a cutoff other actions may be better still; if none reached alpha, each child's value is itself only a bound.
        bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
        keep_entry(
            workspace.table,
            hash_,
            workspace.settings[GENERATION],
            shift_to_ply(best, -ply),
            bound,
            min(depth, DEEPEST),
            best_action,
        )
    return best


def probably_outside(
    state: State, key: np.uint64, depth: int, ply: int, alpha: int, beta: int, margin: int, workspace: Workspace
) -> int:
    """Whether a shallow search puts a value above a null window (1), below it (-1), or neither (0): it tries the likelier side."""
    shallow, value = shallow_depth(depth), evaluate(state, workspace.weights)
    if shallow == 0:
        return 1 if value >= beta + margin else -1 if value <= alpha - margin else 0
    if value >= beta:
        above = beta + margin
        return 1 if negamax(state, key, shallow, ply, above - 1, above, workspace) >= above else 0
    below = alpha - margin
    return -1 if negamax(state, key, shallow, ply, below, below + 1, workspace) <= below else 0


def shallow_depth(depth: int) -> int:
    """About half the depth, and of the same parity: evaluations differ between positions in which one or the other moved last."""
    return depth // 2 - (depth // 2 + depth) % 2


def shift_to_ply(value: int, ply: int) -> int:
    """A value from a table's entry, as seen from this many plies before the position (after it, if negative).

    A win is worth less the further away it is, so it loses a point per ply, and a loss gains one. Evaluations stay.
    """
    return value - ply if value > PROVEN else value + ply if value < -PROVEN else value


def order_moves(state: State, first: int, depth: int, ply: int, key: np.uint64, workspace: Workspace) -> int:
    """Lists the legal actions of a node and scores them: `first`, then by the game's hint and history; returns how many.

    At depth 1 below the root hints cost about as much as they save, so searches with ProbCut go without. All others keep them:
    they decide which of equally good actions is found, and the ratings of pinned protocols rest on that. At the root, the key
    breaks ties.
    """
    uses_hints = depth > 1 or ply == 0 or not workspace.settings[PROBCUT]
    mover = player(state)
    count = 0
    for word in range(workspace.settings[ACTION_WORDS]):
        bits = legal(state, word)
        while bits != u64(0):
            action = 64 * word + lowest(bits)
            bits &= bits - ONE
            score = FULL_WINDOW if action == first else min(workspace.history[mover, action], WIN)
            if action != first and uses_hints:
                score += hint(state, action)
            if ply == 0:
                score = score * 4096 + number(derive(key, action) >> u64(52))  # 12 bits, below every difference of scores
            workspace.moves[ply, count], workspace.scores[ply, count] = action, score
            count += 1
    return count


def pick_move(ply: int, start: int, count: int, workspace: Workspace) -> int:
    """Swaps the action with the highest score from `start` on in a ply's list to `start`; returns it.

    One at a time: after a cutoff, the rest need no order.
    """
    top = start
    for i in range(start + 1, count):
        if workspace.scores[ply, i] > workspace.scores[ply, top]:
            top = i
    action = workspace.moves[ply, top]
    workspace.moves[ply, top], workspace.scores[ply, top] = workspace.moves[ply, start], workspace.scores[ply, start]
    return action


# ---- entries of the transposition table


def find_entry(table: States, hash_: np.uint64, generation: int) -> np.uint64:
    """The entry of a position, or 0."""
    row = find_row(table, bucket_of(table, hash_), hash_, GENERATION_BITS, u64(generation << 20))
    return u64(0) if row == ABSENT else table[row, 1]


def keep_entry(table: States, hash_: np.uint64, generation: int, value: int, bound: int, depth: int, action: int) -> None:
    """Writes an entry: to the bucket's second row where the first holds a deeper one of another position, of this generation."""
    row = bucket_of(table, hash_)
    old = table[row, 1]
    if old & GENERATION_BITS == u64(generation << 20) and depth_of(old) > depth and table[row, 0] != hash_:
        row += 1
    table[row, 0] = hash_
    rest = bound | depth << 2 | (action + 1) << 9 | generation << 20
    table[row, 1] = u64(rest) | (u64(value + OFFSET) << u64(32))


def bound_of(entry: np.uint64) -> int:
    """LOWER, UPPER or EXACT; 0 without an entry."""
    return number(entry & u64(3))


def depth_of(entry: np.uint64) -> int:
    """The depth of the search, in plies."""
    return number((entry >> u64(2)) & u64(0x7F))


def action_of(entry: np.uint64) -> int:
    """The best action found, -1 without one."""
    return number((entry >> u64(9)) & u64(0x7FF)) - 1


def value_of(entry: np.uint64) -> int:
    """The value, as a bound."""
    return number(entry >> u64(32)) - OFFSET
