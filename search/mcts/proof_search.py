"""A small proof search from one position: its value by perfect play, if few positions are enough to prove it.

Alpha-beta deepens step by step and searches each depth twice: once with everything beyond the horizon lost for player 0, once
with everything won. Where both values agree, they are the true one. In each position, actions that win at once are looked for
before any action is searched deeper, the one that was best in an earlier search of it first.

All searches of a tree share a transposition table, so one goes on where another stopped. What player 0 reaches with a lost
horizon he can always reach, so this bound serves at any depth; that he reaches no more holds for as many plies as were searched.
With a won horizon it is the other way round. So a result is as good as minimax's at that depth, or closer to the true one.

Source of the idea: Baier, Winands: MCTS-minimax hybrids, IEEE Transactions on Computational Intelligence and AI in Games 7 (2015).
"""

from __future__ import annotations

from ...games.kernels.arrays import Numbers, States
from ...games.kernels.bits import ONE, count, lowest, u64
from ...games.kernels.keys import mixed
from ...games.kernels.rules import ONGOING, State, legal, outcome, play, player
from ..alphabeta.entries import EXACT, LOWER, UPPER, action_of, bound_of, depth_of, find, keep, value_of
from ..transposition import hash_of
from .tree import Counter

MAX_DEPTH = 64
"""Plies; what takes more is not proven."""
POSITIONS_PER_ENTRY = 16
MAX_ENTRIES, ENTRY_BYTES = 1 << 16, 16
GENERATION = 1
"""Of all entries: what a search of the same game found stays true."""


def table_entries(positions: int) -> int:
    """Entries of a tree's table, for proof searches of that many positions each: a power of two, or 0 for none."""
    return min(MAX_ENTRIES, 2 << (positions // POSITIONS_PER_ENTRY).bit_length()) if positions else 0


def search_proof(state: State, positions: int, counters: Numbers, table: States, action_words: int) -> int:
    """Player 0's result of an unfinished position by perfect play, if visiting that many positions proves it; else ONGOING.

    The table (S, 2) holds what earlier searches of the same game found, if any.
    """
    counters[Counter.BUDGET] = positions
    depth, least, most = 0, -1, 1
    while least < most and depth < MAX_DEPTH:
        depth += 1
        least = bound(state, depth, -1, 1, -1, counters, table, action_words)
        most = least if least == 1 else bound(state, depth, least, 1, 1, counters, table, action_words)
        if counters[Counter.BUDGET] < 0:
            return ONGOING
    return least if least == most else ONGOING


def bound(state: State, depth: int, low: int, high: int, beyond: int, counters: Numbers, table: States, action_words: int) -> int:
    """Player 0's result by alpha-beta between low and high, to a depth, with the result `beyond` for games that last longer.

    It means nothing once the budget of positions is used up.
    """
    first = player(state) == 0
    content = beyond == (1 if first else -1)  # then any action that does not end the game serves, and none need win
    floor, ceiling = low, high
    hash_, best = u64(0), -1
    if depth > 1:
        counters[Counter.BUDGET] -= 1
        hash_ = mixed(hash_of(state) + u64(2 + beyond))
        entry = find(table, hash_, GENERATION)
        as_deep = depth <= depth_of(entry)
        if bound_of(entry) & LOWER and (as_deep or beyond == -1):
            low = max(low, value_of(entry))
        if bound_of(entry) & UPPER and (as_deep or beyond == 1):
            high = min(high, value_of(entry))
        if low >= high:
            return value_of(entry)
        best = action_of(entry)
    if (depth > 1 or not content) and wins(state, counters, action_words):
        return high if first else low
    for word in range(-1, action_words):  # the action that was best before, then all
        bits = legal(state, word) if word >= 0 else u64(best >= 0)
        while bits != u64(0) and low < high and counters[Counter.BUDGET] >= 0:
            action = 64 * word + lowest(bits) if word >= 0 else best
            bits &= bits - ONE
            result = bound_after(play(state, action), depth, low, high, beyond, counters, table, action_words)
            if first and result > low:
                low, best = result, action
            elif not first and result < high:
                high, best = result, action
    value = low if first else high
    if depth > 1 and counters[Counter.BUDGET] >= 0:
        side = LOWER if value >= ceiling else UPPER if value <= floor else EXACT
        keep(table, hash_, GENERATION, value, side, depth, best)
    return value


def bound_after(
    child: State, depth: int, low: int, high: int, beyond: int, counters: Numbers, table: States, action_words: int
) -> int:
    """The same of a position that an action led to, which may have ended the game."""
    result = outcome(child)
    if result != ONGOING:
        return result
    return beyond if depth == 1 else bound(child, depth - 1, low, high, beyond, counters, table, action_words)


def wins(state: State, counters: Numbers, action_words: int) -> bool:
    """Whether some action wins at once for the player to move."""
    win = 1 - 2 * player(state)
    for word in range(action_words):
        bits = legal(state, word)
        counters[Counter.BUDGET] -= count(bits)
        while bits != u64(0):
            if outcome(play(state, 64 * word + lowest(bits))) == win:
                return True
            bits &= bits - ONE
    return False
