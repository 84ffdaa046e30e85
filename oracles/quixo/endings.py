"""Endings of Quixo by search: positions that are won or lost within a number of plies, where there is no table.

An AND/OR search by iterative deepening, with two questions, each answered by the other one ply later: a position is *won*
within n plies if some action leads to one that is lost within n - 1, and *lost* within n if every action leads to one that is
won within n - 1. For n = 1, 2, 3, …, the first yes gives the distance. A no tells nothing about the value; it is also the
answer if the watch stops the search.

Answers are kept in a hash table of words, one per position and question; a new one replaces what was in its place:

    bit   0-28             29         30       32-56            57-63
          as the state     question   answer   as the state     n
"""

from __future__ import annotations

import numpy as np

from ...core.native import releases_gil
from ...games.kernels.arrays import Keys, Numbers, Words
from ...games.kernels.bits import ONE, bit, lowest, number, u64
from ...games.kernels.rules import ONGOING, State, legal, load, outcome, play, player
from ...search.watch import visit

LOSES, WINS = u64(0), u64(1)
"""The question about the player to move."""
LONGEST = 127
"""The largest n that an answer has room for."""
QUESTION, ANSWER, PLIES = u64(29), u64(30), u64(57)
ASKED = ((ONE << ANSWER) - ONE) | (((ONE << u64(25)) - ONE) << u64(32))
# An odd number near 2^64 over the golden ratio: its products have well mixed upper bits (Fibonacci hashing, Knuth, TAOCP 3, 6.4).
MIX = u64(0x9E3779B97F4A7C15)


@releases_gil
def winning_actions(words: Words, plies: int, answers: Keys, watch: Numbers) -> np.uint64:
    """The actions that win within this many plies, as bits.

    Args:
        answers: a power of two of words, at most 2^32, zeros at first; not to be used again once the watch has stopped a search.
    """
    state = load(words)
    question = number(LOSES)
    winning, bits = u64(0), legal(state, 0)
    while bits != u64(0):
        action = lowest(bits)
        if answer_question(play(state, action), plies - 1, question, answers, watch) == 1:
            winning |= bit(action)
        bits &= bits - ONE
    return winning


@releases_gil
def is_lost(words: Words, plies: int, answers: Keys, watch: Numbers) -> int:
    """Whether every action loses within this many plies: 1 or 0."""
    return answer_question(load(words), plies, number(LOSES), answers, watch)


def answer_question(state: State, plies: int, question: int, answers: Keys, watch: Numbers) -> int:
    """The answer to a question about the player to move, within this many plies: 1 or 0."""
    if visit(watch):
        return 0
    result = outcome(state)
    if result != ONGOING:
        winner = 0 if result > 0 else 1
        return question if winner == player(state) else 1 - question  # the question about the winner is WINS, 1
    if plies == 0:
        return 0
    asked = state[0] | (u64(question) << QUESTION)
    slot = number(((asked * MIX) >> u64(32)) & u64(answers.shape[0] - 1))
    if answers[slot] & ASKED == asked:
        answer, before = number((answers[slot] >> ANSWER) & ONE), number(answers[slot] >> PLIES)
        if (answer == 1 and before <= plies) or (answer == 0 and before >= plies):  # a yes holds for more plies, a no for fewer
            return answer
    # WINS is yes as soon as the opponent LOSES after some action, LOSES is no as soon as the opponent does not win after one: in
    # both cases the reply to the other question equals this one's number
    answer = 1 - question
    bits = legal(state, 0)
    while bits != u64(0):
        if answer_question(play(state, lowest(bits)), plies - 1, 1 - question, answers, watch) == question:
            answer = question
            break
        bits &= bits - ONE
    answers[slot] = asked | (u64(answer) << ANSWER) | (u64(plies) << PLIES)
    return answer
