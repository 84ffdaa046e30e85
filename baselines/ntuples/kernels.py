"""Values from patterns, and learning them from games against oneself: kernels over any game.

A position is worth tanh(Σ w) to the player to move, the sum going over the places of all patterns: from -1, lost, to 1, won.
"""

from __future__ import annotations

from math import tanh
from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...envs.kernels.arrays import Masks, Numbers, PlanesOfBoards, Rewards, States, Words
from ...envs.kernels.bits import ONE, lowest, u64
from ...envs.kernels.keys import below, derive, uniform
from ...envs.kernels.rules import ONGOING, State, legal, load, observe, outcome, play, player, store
from ...envs.native import in_ranges, releases_gil
from .cells import cells

Weights: TypeAlias = Annotated[NDArray[np.float32], 1]
Places: TypeAlias = Annotated[NDArray[np.int32], 1]
PlacesOfBoards: TypeAlias = Annotated[NDArray[np.int32], 2]
ValuesOfActions: TypeAlias = Annotated[NDArray[np.float64], 2]

NOT_LEGAL = -2.0
"""What an action is worth that is not legal."""
WHOLE_GAMES, LONGEST, ACTION_WORDS = range(3)
"""Places of whole numbers among the settings: how many games there are in all, plies of the longest, words of an action set."""
RATE, RATE_END, EXPLORATION, TRACE = range(4)
"""Places of the others."""
PLIES, RESULTS, SQUARES = range(3)
"""Places in what is counted: plies, results for player 0, squared errors."""
EXPLORE_KEY, ACTION_KEY = 0, 1
"""What is drawn by the key of a ply, beside the choice among equals."""


class Net(NamedTuple):
    """The patterns, as shapes.py makes them, and what they are worth."""

    steps: PlacesOfBoards
    starts: Places
    slots: Places
    codes: Places
    weights: Weights


class Course(NamedTuple):
    """How games are played and learnt from: where they begin, and the settings."""

    start: Words
    whole: Numbers
    numbers: Rewards


class Room(NamedTuple):
    """Where a position is read: the pattern of each place (P,), and an observation (C, H·W)."""

    found: Places
    planes: Masks


class Trail(NamedTuple):
    """A game that was played: for each ply the position, what its best action seemed worth, and whether it explored instead."""

    states: States
    bests: Rewards
    explored: Numbers


def value(state: State, net: Net, found: Places, planes: Masks) -> float:
    """What a position seems worth to the player to move; the weights that say so are left in `found` (P,)."""
    for p in range(found.shape[0]):
        found[p] = net.starts[p]
    read(state, net, found, planes)
    total = 0.0
    for p in range(found.shape[0]):
        found[p] = net.slots[u64(found[p])]
        total += net.weights[u64(found[p])]
    return tanh(total)


def read(state: State, net: Net, found: Places, planes: Masks) -> None:
    """Adds what lies on the cells to the patterns of all places; declared for one of the two functions below.

    Args:
        planes: room for an observation (C, H·W).
    """
    raise NotImplementedError


def read_sides(state: State, net: Net, found: Places, planes: Masks) -> None:
    """Reads whose each cell is, where a function says so."""
    own, other = cells(state)
    add(own, 1, net, found)
    add(other, 2, net, found)


def read_looks(state: State, net: Net, found: Places, planes: Masks) -> None:
    """Reads what the player to move sees on each cell."""
    observe(state, player(state), planes)
    for cell in range(planes.shape[1]):
        code = 0
        for plane in range(planes.shape[0]):
            code = 2 * code + planes[plane, cell]
        look_ = net.codes[u64(code)]
        if look_ != 0:
            for p in range(found.shape[0]):
                found[p] += look_ * net.steps[cell, p]


def add(bits: np.uint64, times: int, net: Net, found: Places) -> None:
    """Adds what lies on these cells to the patterns of all places."""
    while bits != u64(0):
        cell = lowest(bits)
        bits &= bits - ONE
        for p in range(found.shape[0]):
            found[p] += times * net.steps[cell, p]


def worth(state: State, mover: int, net: Net, found: Places, planes: Masks) -> float:
    """What a position is worth to a player: its result, if the game is over."""
    result = outcome(state)
    if result != ONGOING:
        return float((1 - 2 * mover) * result)
    seems = value(state, net, found, planes)
    return seems if player(state) == mover else -seems


@in_ranges
def look(
    lo: np.uint64, hi: np.uint64, states: States, net: Net, found: PlacesOfBoards, planes: PlanesOfBoards, values: ValuesOfActions
) -> None:
    """Writes what the position after each action is worth to the player who takes it."""
    for i in range(lo, hi):
        state = load(states[i])
        mover = player(state)
        for action in range(values.shape[1]):
            values[i, action] = NOT_LEGAL
            if (legal(state, action >> 6) >> u64(action & 63)) & ONE != u64(0):
                values[i, action] = worth(play(state, action), mover, net, found[i], planes[i])


@releases_gil
def learn_games(
    first: int, behind: int, seed: np.uint64, course: Course, net: Net, room: Room, trail: Trail, told: Rewards
) -> None:
    """Plays the games from `first` on against oneself, each followed by learning from it."""
    whole, numbers = course.whole, course.numbers
    for game in range(first, behind):
        key = derive(seed, game)
        plies, result = play_game(key, load(course.start), whole, numbers, net, room.found, room.planes, trail)
        rate = numbers[RATE] + (numbers[RATE_END] - numbers[RATE]) * float(game) / float(whole[WHOLE_GAMES])
        learn(plies, result, rate, numbers[TRACE], net, room.found, room.planes, trail, told)
        told[PLIES] += plies
        told[RESULTS] += result


def play_game(
    key: np.uint64, state: State, whole: Numbers, numbers: Rewards, net: Net, found: Places, planes: Masks, trail: Trail
) -> tuple[int, int]:
    """One game against oneself: how many plies it had, and player 0's result; one that is too long is drawn."""
    plies = 0
    while outcome(state) == ONGOING and plies < whole[LONGEST]:
        ply_key = derive(key, plies)
        action, trail.bests[plies] = best(state, ply_key, whole[ACTION_WORDS], net, found, planes)
        exploring = uniform(derive(ply_key, EXPLORE_KEY)) < numbers[EXPLORATION]
        if exploring:
            action = any_legal(state, derive(ply_key, ACTION_KEY), whole[ACTION_WORDS])
        store(trail.states[plies], state)
        trail.explored[plies] = exploring
        state = play(state, action)
        plies += 1
    result = outcome(state)
    return plies, 0 if result == ONGOING else result


def best(state: State, key: np.uint64, action_words: int, net: Net, found: Places, planes: Masks) -> tuple[int, float]:
    """The action after which the position seems worth most, one of equals by the key, and how much that is."""
    mover = player(state)
    chosen, most, equals = -1, NOT_LEGAL, 0
    for word in range(action_words):
        bits = legal(state, word)
        while bits != u64(0):
            action = 64 * word + lowest(bits)
            bits &= bits - ONE
            value_ = worth(play(state, action), mover, net, found, planes)
            equals = equals + 1 if value_ == most else 1 if value_ > most else equals
            if value_ > most or (value_ == most and below(derive(key, ACTION_KEY + equals), equals) == 0):
                chosen, most = action, value_
    return chosen, most


def any_legal(state: State, key: np.uint64, action_words: int) -> int:
    """A legal action, each equally likely."""
    chosen, seen = -1, 0
    for word in range(action_words):
        bits = legal(state, word)
        while bits != u64(0):
            if below(derive(key, seen), seen + 1) == 0:
                chosen = 64 * word + lowest(bits)
            bits &= bits - ONE
            seen += 1
    return chosen


def learn(
    plies: int, result: int, rate: float, trace: float, net: Net, found: Places, planes: Masks, trail: Trail, told: Rewards
) -> None:
    """Moves what the positions of a game seem worth towards what came of them, the last one first."""
    later = float(result)  # what the position after this ply is to be worth to player 0
    for back in range(plies):
        ply = plies - 1 - back
        state = load(trail.states[ply])
        sign = 1 - 2 * player(state)
        target = trail.bests[ply]
        if trail.explored[ply] == 0:
            target = (1.0 - trace) * target + trace * sign * later
        later = sign * target
        error = target - value(state, net, found, planes)
        step = rate * error / found.shape[0]
        for p in range(found.shape[0]):
            net.weights[u64(found[p])] += step
        told[SQUARES] += error * error
