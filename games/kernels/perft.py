"""Perft: the leaves of the game tree at a depth, the standard check of rules against published numbers."""

from __future__ import annotations

from ...native import releases_gil
from .arrays import Words
from .bits import ONE, count, lowest, u64
from .rules import ONGOING, State, legal, load, outcome, play


@releases_gil
def perft(words: Words, depth: int, action_words: int) -> int:
    """The leaves of the tree below a state; a finished game counts one leaf at any depth."""
    return leaves(load(words), depth, action_words)


def leaves(state: State, depth: int, action_words: int) -> int:
    """The leaves of the tree below a state; one ply above them, legal actions are counted and not played."""
    if depth == 0 or outcome(state) != ONGOING:
        return 1
    total = 0
    for word in range(action_words):
        bits = legal(state, word)
        if depth == 1:
            total += count(bits)
            continue
        while bits != u64(0):
            total += leaves(play(state, 64 * word + lowest(bits)), depth - 1, action_words)
            bits &= bits - ONE
    return total
