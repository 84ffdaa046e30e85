"""Reading ahead: what a position is worth by all lines of play from it, as far as few positions tell.

It is read deeper and deeper, each time twice: with all that lies beyond the horizon lost for player 0, and with all of it won.
Where both agree, no more can matter. In each position an end of the game that wins is looked for among all actions before any
is read further, and alpha-beta leaves out what is of no account.

Source of the idea: Baier, Winands: MCTS-minimax hybrids, IEEE Transactions on Computational Intelligence and AI in Games 7 (2015).
"""

from __future__ import annotations

from ....envs.kernels.arrays import Numbers
from ....envs.kernels.bits import ONE, count, lowest, u64
from ....envs.kernels.rules import ONGOING, State, legal, outcome, play, player
from .tree import LEFT

DEEPEST = 64
"""Plies; what takes more is not settled."""


def settled(state: State, positions: int, book: Numbers, action_words: int) -> int:
    """Player 0's result of an unfinished position by perfect play, if looking at so many positions settles it; else ONGOING."""
    book[LEFT] = positions
    depth, least, most = 0, -1, 1
    while least < most and depth < DEEPEST:
        depth += 1
        least = bound(state, depth, -1, 1, -1, book, action_words)
        most = least if least == 1 else bound(state, depth, least, 1, 1, book, action_words)
        if book[LEFT] < 0:
            return ONGOING
    return least if least == most else ONGOING


def bound(state: State, depth: int, low: int, high: int, beyond: int, book: Numbers, action_words: int) -> int:
    """Player 0's result from low to high, as far as a depth shows it, with the result `beyond` for all that goes on longer.

    It means nothing once more positions have been looked at than there were LEFT.
    """
    first = player(state) == 0
    if wins(state, book, action_words):
        return high if first else low
    for word in range(action_words):
        bits = legal(state, word)
        while bits != u64(0) and low < high and book[LEFT] >= 0:
            child = play(state, 64 * word + lowest(bits))
            bits &= bits - ONE
            result = outcome(child)
            if result == ONGOING:
                result = beyond if depth == 1 else bound(child, depth - 1, low, high, beyond, book, action_words)
            if first:
                low = max(low, result)
            else:
                high = min(high, result)
    return low if first else high


def wins(state: State, book: Numbers, action_words: int) -> bool:
    """Whether some action wins at once for the player to move."""
    win = 1 - 2 * player(state)
    for word in range(action_words):
        bits = legal(state, word)
        book[LEFT] -= count(bits)
        while bits != u64(0):
            if outcome(play(state, 64 * word + lowest(bits))) == win:
                return True
            bits &= bits - ONE
    return False
