"""Questions about states, for batches, from Python: who moves, what is legal, how it ends; and perft.

Each kernel over a batch checks what comes in, row by row, and stops at a row that cannot be: at words that are no state of the
variant that begins at `start`, at an action, a seat or a symmetry that there is not. It returns the number of that row, or -1. The
start is read before the loop: inside, it would be read again for every row, since a result could lie over it.
"""

from __future__ import annotations

import numpy as np

from ...core.native import releases_gil
from .arrays import Flags, Keys, Masks, Numbers, Permutations, PlanesOfBoards, States, Words
from .bits import ONE, count, has, lowest, number, select, u64
from .keys import below
from .rules import ONGOING, State, is_state, legal, load, observe, outcome, permute, play, player, store


def write_choices(state: State, choices: Words) -> None:
    """Writes the legal actions of a state as bits (K,); none where the game is over."""
    for word in range(choices.shape[0]):
        choices[word] = u64(0)
    if outcome(state) == ONGOING:
        write_legal(state, choices)


def write_legal(state: State, choices: Words) -> None:
    """Writes the legal actions of a state as bits (K,), in a form that LLVM makes fast where one word holds them all."""
    choices[0] = legal(state, 0)
    for word in range(1, choices.shape[0]):
        choices[word] = legal(state, word)


def write_mask(choices: Words, cells: Flags, first: np.uint64, width: np.uint64) -> None:
    """Writes a set of actions as a mask into `width` cells, from cell `first` on."""
    write_bits(choices[0], cells, first, min(width, u64(64)))
    for word in range(1, choices.shape[0]):
        start = u64(64 * word)
        write_bits(choices[word], cells, first + start, min(width - start, u64(64)))


def write_bits(bits: np.uint64, cells: Flags, first: np.uint64, width: np.uint64) -> None:
    """Writes the lowest bits of a word, one into each of `width` cells, from cell `first` on."""
    for i in range(width):
        cells[first + i] = (bits >> i) & ONE


def choose(choices: Words, key: np.uint64) -> int:
    """One of a set of actions, each equally likely; -1 where the set is empty."""
    total = 0
    for word in range(choices.shape[0]):
        total += count(choices[word])
    nth = below(key, total)
    for word in range(choices.shape[0]):
        inside = count(choices[word])
        if nth < inside:
            return 64 * word + select(choices[word], nth)
        nth -= inside
    return -1


def first_foreign(states: States, start: Words) -> int:
    """The first row that is no state of this game; -1 where all are states."""
    first = load(start)
    for i in range(states.shape[0]):
        if not is_state(load(states[i]), first):
            return i
    return -1


def players(states: States, start: Words, result: Flags) -> int:
    """Who moves in each state."""
    first = load(start)
    for i in range(states.shape[0]):
        state = load(states[i])
        if not is_state(state, first):
            return i
        result[i] = player(state)
    return -1


def outcomes(states: States, start: Words, result: Flags) -> int:
    """How each state stands: ONGOING or player 0's result."""
    first = load(start)
    for i in range(states.shape[0]):
        state = load(states[i])
        if not is_state(state, first):
            return i
        result[i] = outcome(state)
    return -1


def masks(states: States, start: Words, choices: States, result: Masks) -> int:
    """The legal actions of each state as masks (N, A); `choices` (N, K) takes them as bits."""
    first = load(start)
    for i in range(states.shape[0]):
        state = load(states[i])
        if not is_state(state, first):
            return i
        write_choices(state, choices[i])
        write_mask(choices[i], result[i], u64(0), u64(result.shape[1]))
    return -1


def plays(states: States, start: Words, actions: Numbers, action_count: int, result: States) -> int:
    """Each state after its action."""
    first = load(start)
    for i in range(states.shape[0]):
        state, action = load(states[i]), actions[i]
        if not is_state(state, first) or action < 0 or action >= action_count:
            return i
        store(result[i], play(state, action))
    return -1


def observations(states: States, start: Words, seats: Flags, result: PlanesOfBoards) -> int:
    """Each state as its seat sees it."""
    first = load(start)
    for i in range(states.shape[0]):
        state, seat = load(states[i]), number(seats[i])
        if not is_state(state, first) or seat < 0 or seat > 1:
            return i
        observe(state, seat, result[i])
    return -1


def permuted_states(
    states: States, start: Words, which: Numbers, cells: Permutations, actions: Permutations, result: States
) -> int:
    """Each state under the symmetry whose row `which` names."""
    first = load(start)
    for i in range(states.shape[0]):
        state, row = load(states[i]), which[i]
        if not is_state(state, first) or row < 0 or row >= cells.shape[0]:
            return i
        store(result[i], permute(state, cells[row], actions[row]))
    return -1


def random_actions(states: States, choices: States, keys: Keys, actions: Numbers) -> None:
    """One legal action a state, each equally likely, by the state's key."""
    for i in range(states.shape[0]):
        write_choices(load(states[i]), choices[i])
        actions[i] = choose(choices[i], keys[i])


def first_illegal(choices: States, which: Numbers, actions: Numbers) -> int:
    """The first j for which action j is not among the choices of row `which[j]`; -1 where all are."""
    for j in range(actions.shape[0]):
        action = actions[j]
        if action < 0 or action >= 64 * choices.shape[1] or not has(u64(choices[which[j], action >> 6]), action & 63):
            return j
    return -1


# ---- perft


@releases_gil
def perft(words: Words, depth: int, action_words: int, ended: Numbers) -> int:
    """Perft, the standard check of rules against published numbers: the leaves of the tree below a state.

    A finished game counts one leaf at any depth; `ended` (1,) is raised by how many of the leaves ended before the depth.
    """
    return leaves(load(words), depth, action_words, ended)


def leaves(state: State, depth: int, action_words: int, ended: Numbers) -> int:
    """The leaves of the tree below a state; one ply above them, legal actions are counted and not played."""
    if depth == 0:
        return 1
    if outcome(state) != ONGOING:
        ended[0] += 1
        return 1
    total = 0
    for word in range(action_words):
        bits = legal(state, word)
        if depth == 1:
            total += count(bits)
            continue
        while bits != u64(0):
            total += leaves(play(state, 64 * word + lowest(bits)), depth - 1, action_words, ended)
            bits &= bits - ONE
    return total
