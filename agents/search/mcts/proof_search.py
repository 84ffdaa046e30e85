"""A small proof search from one position: its value by perfect play, if few positions are enough to prove it.

Alpha-beta deepens step by step and searches each depth twice: once with everything beyond the horizon lost for player 0, once
with everything won. Where both values agree, they are the true one. In each position, actions that win at once are looked for
before any action is searched deeper.

Source of the idea: Baier, Winands: MCTS-minimax hybrids, IEEE Transactions on Computational Intelligence and AI in Games 7 (2015).
"""

from __future__ import annotations

from ....envs.kernels.arrays import Numbers
from ....envs.kernels.bits import ONE, count, lowest, u64
from ....envs.kernels.rules import ONGOING, State, legal, outcome, play, player
from .tree import Counter

MAX_DEPTH = 64
"""Plies; what takes more is not proven."""


def search_proof(state: State, positions: int, counters: Numbers, action_words: int) -> int:
    """Player 0's result of an unfinished position by perfect play, if visiting that many positions proves it; else ONGOING."""
    counters[Counter.BUDGET] = positions
    depth, least, most = 0, -1, 1
    while least < most and depth < MAX_DEPTH:
        depth += 1
        least = bound(state, depth, -1, 1, -1, counters, action_words)
        most = least if least == 1 else bound(state, depth, least, 1, 1, counters, action_words)
        if counters[Counter.BUDGET] < 0:
            return ONGOING
    return least if least == most else ONGOING


def bound(state: State, depth: int, low: int, high: int, beyond: int, counters: Numbers, action_words: int) -> int:
    """Player 0's result by alpha-beta between low and high, to a depth, with the result `beyond` for games that last longer.

    It means nothing once the budget of positions is used up.
    """
    first = player(state) == 0
    if wins(state, counters, action_words):
        return high if first else low
    for word in range(action_words):
        bits = legal(state, word)
        while bits != u64(0) and low < high and counters[Counter.BUDGET] >= 0:
            child = play(state, 64 * word + lowest(bits))
            bits &= bits - ONE
            result = outcome(child)
            if result == ONGOING:
                result = beyond if depth == 1 else bound(child, depth - 1, low, high, beyond, counters, action_words)
            if first:
                low = max(low, result)
            else:
                high = min(high, result)
    return low if first else high


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
