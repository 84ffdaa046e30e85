"""Kernels that explore a game, a batch of positions at a time: all threads write the positions that follow, then one thread enters
the new ones. Positions get their numbers in the order of a breadth-first search, whatever the threads do."""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.kernels.arrays import Flags, Numbers, Permutations, States
from ...games.kernels.bits import ONE, count, lowest, u64
from ...games.kernels.rules import ONGOING, legal, load, outcome, play, player, store
from ...native import in_ranges, releases_gil
from .canonical import least_image
from .index import EMPTY, Slots, slot_of

ActionsOfMoves: TypeAlias = Annotated[NDArray[np.int16], 1]
"""The action of each move (E,)."""


class Positions(NamedTuple):
    """The positions found so far, in arrays with room for more: states (N, W), parents (N,), and the slots of their index."""

    states: States
    parents: Slots
    slots: Slots


class Followers(NamedTuple):
    """The positions that follow a batch, one for each move: states (E, W), actions (E,), and numbers (E,), EMPTY of new ones."""

    states: States
    actions: ActionsOfMoves
    numbers: Slots


class Turns(NamedTuple):
    """The symmetries under which positions count as one, the first of which changes nothing."""

    cells: Permutations
    actions: Permutations


@in_ranges
def look_at(lo: int, hi: int, states: States, movers: Flags, outcomes: Flags, choices: States, counts: Numbers) -> None:
    """Writes who is to move in each position, its outcome, and its legal actions as bits and their number: 0 if it is over."""
    for i in range(lo, hi):
        state = load(states[i])
        movers[i] = player(state)
        outcomes[i] = outcome(state)
        counts[i] = 0
        for word in range(choices.shape[1]):
            choices[i, word] = legal(state, word) if outcomes[i] == ONGOING else u64(0)
            counts[i] += count(choices[i, word])


@in_ranges
def write_followers(
    lo: int, hi: int, start: int, choices: States, places: Numbers, turns: Turns, positions: Positions, followers: Followers
) -> None:
    """Writes the positions after all chosen moves, and the numbers of those that are known.

    Args:
        start: the number of the first position of the batch.
        choices: the actions of each, as bits (B, K).
        places: where the moves of each begin (B + 1,).
        turns: the symmetries; a position counts as its least image under them.
        positions: the positions found before this batch.
        followers: takes the positions that follow.
    """
    for row in range(lo, hi):
        state = load(positions.states[start + row])
        move = places[row]
        for word in range(choices.shape[1]):
            bits = choices[row, word]
            while bits != u64(0):
                action = 64 * word + lowest(bits)
                bits &= bits - ONE
                after, _ = least_image(play(state, action), turns.cells, turns.actions)
                store(followers.states[move], after)
                followers.actions[move] = action
                followers.numbers[move] = positions.slots[slot_of(after, positions.states, positions.slots)]
                move += 1


@in_ranges
def find_repeats(lo: int, hi: int, starts: Numbers, targets: Slots, movers: Flags, outcomes: Flags, repeats: Flags) -> None:
    """Sets `found` (1,) to 1 if a player may move twice in a row."""
    for i in range(lo, hi):
        for move in range(starts[i], starts[i + 1]):
            if movers[targets[move]] == movers[i] and outcomes[targets[move]] == ONGOING:
                repeats[0] = 1


@releases_gil
def enter_new(start: int, places: Numbers, followers: Followers, positions: Positions, known: int) -> int:
    """Gives numbers to the new ones of the positions that follow.

    Returns:
        How many positions there are now, where `known` were before.
    """
    for row in range(places.shape[0] - 1):
        for move in range(places[row], places[row + 1]):
            if followers.numbers[move] == EMPTY:
                after = load(followers.states[move])
                slot = slot_of(after, positions.states, positions.slots)
                if positions.slots[slot] == EMPTY:
                    positions.slots[slot] = known
                    store(positions.states[known], after)
                    positions.parents[known] = start + row
                    known += 1
                followers.numbers[move] = positions.slots[slot]
    return known
