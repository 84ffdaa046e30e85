"""Values from patterns, and learning them in self-play: kernels over any game.

The value of a position for the player to move is tanh(Σ w), a sum over the places of all patterns: from -1, lost, to 1, won.
Each stage of the game has weights of its own; the number of cells that are not empty decides the stage.
"""

from __future__ import annotations

from math import tanh
from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.evaluation import LARGEST, evaluate
from ...games.kernels.arrays import Masks, Numbers, PlanesOfBoards, Rewards, States, Words
from ...games.kernels.bits import ONE, count, has, lowest, u64
from ...games.kernels.keys import below, derive, uniform
from ...games.kernels.rules import ONGOING, State, legal, load, observe, outcome, play, player, store
from ...native import in_ranges, releases_gil

Weights: TypeAlias = Annotated[NDArray[np.float32], 1]
Places: TypeAlias = Annotated[NDArray[np.int32], 1]
PlacesOfBoards: TypeAlias = Annotated[NDArray[np.int32], 2]
ValuesOfActions: TypeAlias = Annotated[NDArray[np.float64], 2]

NOT_LEGAL = -2.0
"""The value of an illegal action."""
RATE, RATE_END, EXPLORATION, TRACE, OPENING, SPARRING = range(6)
"""Indices of the settings in `Course.numbers`."""
PLIES, RESULTS, SQUARES = range(3)
"""Indices of the statistics: plies, results for player 0, squared errors."""
EXPLORE_KEY, ACTION_KEY = 0, 1
"""Random numbers of a ply, beside the choice among equal actions."""
OPENING_KEY, SPARRING_KEY = 1 << 40, 1 << 41
"""Random numbers of a game, beside those of its plies."""


class Net(NamedTuple):
    """The patterns, as shapes.py makes them, the stages of a game, and the weights, those of the first stage first."""

    steps: PlacesOfBoards
    starts: Places
    slots: Places
    codes: Places
    stages: int
    weights: Weights


class Errors(NamedTuple):
    """For each weight the sum of its errors, and of their sizes; both are empty where all weights move by the same rate."""

    sums: Weights
    sizes: Weights


class Course(NamedTuple):
    """The start of the games, their number, the plies of the longest, the words of a set of actions, settings, an evaluation."""

    start: Words
    games: int
    longest: int
    action_words: int
    numbers: Rewards
    evaluation: Numbers


class Room(NamedTuple):
    """Room for the pattern of each place (P,), and for an observation (C, H·W)."""

    found: Places
    planes: Masks


class Trail(NamedTuple):
    """A game: for each ply the position, the value of its best action, and whether it explored instead."""

    states: States
    bests: Rewards
    explored: Numbers


def value(state: State, net: Net, room: Room) -> float:
    """The value of a position for the player to move; the numbers of its weights stay in `room.found` (P,)."""
    found = room.found
    for p in range(found.shape[0]):
        found[p] = net.starts[p]
    first = stage_of(read(state, net, found, room.planes), net) * (net.weights.shape[0] // net.stages)
    total = 0.0
    for p in range(found.shape[0]):
        found[p] = first + net.slots[u64(found[p])]
        total += net.weights[u64(found[p])]
    return tanh(total)


def stage_of(marked: int, net: Net) -> int:
    """The stage of a position with this many cells that are not empty."""
    return marked * net.stages // (net.steps.shape[0] + 1)


def read(state: State, net: Net, found: Places, planes: Masks) -> int:
    """Adds the cells to the patterns of all places; one of the two functions below is linked in its place.

    Args:
        planes: room for an observation (C, H·W).

    Returns:
        marked: how many cells are not empty.
    """
    raise NotImplementedError


def cells(state: State) -> tuple[np.uint64, np.uint64]:
    """The cells of the player to move, and the opponent's, as bits: bit c stands for the observations' cell c, row by row; the
    function that a game names in its `known` is linked in its place."""
    raise NotImplementedError


def read_sides(state: State, net: Net, found: Places, planes: Masks) -> int:
    """Reads the owner of each cell, where the game has a function for it."""
    own, other = cells(state)
    add(own, 1, net, found)
    add(other, 2, net, found)
    return count(own | other)


def read_looks(state: State, net: Net, found: Places, planes: Masks) -> int:
    """Reads the observation of the player to move on each cell."""
    observe(state, player(state), planes)
    marked = 0
    for cell in range(planes.shape[1]):
        code = 0
        for plane in range(planes.shape[0]):
            code = 2 * code + planes[plane, cell]
        look_ = net.codes[u64(code)]
        if look_ != 0:
            marked += 1
            for p in range(found.shape[0]):
                found[p] += look_ * net.steps[cell, p]
    return marked


def add(bits: np.uint64, times: int, net: Net, found: Places) -> None:
    """Adds these cells to the patterns of all places."""
    while bits != u64(0):
        cell = lowest(bits)
        bits &= bits - ONE
        for p in range(found.shape[0]):
            found[p] += times * net.steps[cell, p]


def worth(state: State, mover: int, net: Net, room: Room) -> float:
    """The value of a position for a player: its result, if the game is over."""
    result = outcome(state)
    if result != ONGOING:
        return float((1 - 2 * mover) * result)
    found = value(state, net, room)
    return found if player(state) == mover else -found


@in_ranges
def write_values(
    lo: np.uint64, hi: np.uint64, states: States, net: Net, found: PlacesOfBoards, planes: PlanesOfBoards, values: ValuesOfActions
) -> None:
    """Writes the value of the position after each action for the player who takes it."""
    for i in range(lo, hi):
        state = load(states[i])
        room, mover = Room(found[i], planes[i]), player(state)
        for action in range(values.shape[1]):
            values[i, action] = worth(play(state, action), mover, net, room) if is_legal(state, action) else NOT_LEGAL


def is_legal(state: State, action: int) -> bool:
    """Whether an action is legal."""
    return has(legal(state, action >> 6), action & 63)


@releases_gil
def learn_games(
    start: int, stop: int, seed: np.uint64, course: Course, net: Net, errors: Errors, room: Room, trail: Trail, tally: Rewards
) -> None:
    """Plays the games `start` to `stop` in self-play, and learns from each."""
    numbers = course.numbers
    for game in range(start, stop):
        plies, result = play_game(game, derive(seed, game), load(course.start), course, net, room, trail)
        learning_rate = numbers[RATE] + (numbers[RATE_END] - numbers[RATE]) * float(game) / float(course.games)
        learn(plies, result, learning_rate, numbers[TRACE], net, errors, room, trail, tally)
        tally[PLIES] += plies
        tally[RESULTS] += result


def play_game(game: int, key: np.uint64, state: State, course: Course, net: Net, room: Room, trail: Trail) -> tuple[int, int]:
    """A game in self-play: the number of its plies, and the result of player 0; a game that is too long is drawn."""
    plies, opening = 0, below(derive(key, OPENING_KEY), int(course.numbers[OPENING]) + 1)
    sparring = game & 1 if uniform(derive(key, SPARRING_KEY)) < course.numbers[SPARRING] else -1
    while outcome(state) == ONGOING and plies < course.longest:
        ply_key = derive(key, plies)
        action, trail.bests[plies] = best(state, ply_key, course.action_words, net, room)
        exploring = plies < opening or uniform(derive(ply_key, EXPLORE_KEY)) < course.numbers[EXPLORATION]
        if exploring:
            action = any_legal(state, derive(ply_key, ACTION_KEY), course.action_words)
        elif player(state) == sparring:
            exploring, action = True, greedy(state, ply_key, course)
        store(trail.states[plies], state)
        trail.explored[plies] = exploring
        state = play(state, action)
        plies += 1
    result = outcome(state)
    return plies, 0 if result == ONGOING else result


def best(state: State, key: np.uint64, action_words: int, net: Net, room: Room) -> tuple[int, float]:
    """The action with the highest value of the position after it, one of equals by the key, and that value."""
    mover = player(state)
    chosen, highest, equals = -1, NOT_LEGAL, 0
    for word in range(action_words):
        bits = legal(state, word)
        while bits != u64(0):
            action = 64 * word + lowest(bits)
            bits &= bits - ONE
            found = worth(play(state, action), mover, net, room)
            equals = equals + 1 if found == highest else 1 if found > highest else equals
            if found > highest or (found == highest and below(derive(key, ACTION_KEY + equals), equals) == 0):
                chosen, highest = action, found
    return chosen, highest


def greedy(state: State, key: np.uint64, course: Course) -> int:
    """The action after which the game's classic evaluation is highest, one of equals by the key."""
    mover = player(state)
    chosen, highest, equals = -1, -2 * LARGEST, 0
    for word in range(course.action_words):
        bits = legal(state, word)
        while bits != u64(0):
            action = 64 * word + lowest(bits)
            bits &= bits - ONE
            after = play(state, action)
            result = outcome(after)
            found = evaluate(after, course.evaluation) if result == ONGOING else (1 - 2 * player(after)) * result * LARGEST
            found = found if player(after) == mover else -found
            equals = equals + 1 if found == highest else 1 if found > highest else equals
            if found > highest or (found == highest and below(derive(key, ACTION_KEY + equals), equals) == 0):
                chosen, highest = action, found
    return chosen


def any_legal(state: State, key: np.uint64, action_words: int) -> int:
    """A legal action, uniformly."""
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
    plies: int, result: int, rate: float, trace: float, net: Net, errors: Errors, room: Room, trail: Trail, tally: Rewards
) -> None:
    """Moves the values of the positions of a game towards their targets, the last one first."""
    later = float(result)  # the target of the position after this ply, for player 0
    for ply in range(plies - 1, -1, -1):
        state = load(trail.states[ply])
        sign = 1 - 2 * player(state)
        target = trail.bests[ply]
        if trail.explored[ply] == 0:
            target = (1.0 - trace) * target + trace * sign * later
        later = sign * target
        error = target - value(state, net, room)
        move(error, rate / room.found.shape[0], net.weights, errors, room.found)
        tally[SQUARES] += error * error


def move(error: float, rate: float, weights: Weights, errors: Errors, found: Places) -> None:
    """Moves weights by the rate and the error; with coherence, those whose errors change their sign move less."""
    for p in range(found.shape[0]):
        slot = u64(found[p])
        share = 1.0
        if errors.sums.shape[0] > 0:
            if errors.sizes[slot] > 0.0:
                share = abs(errors.sums[slot]) / errors.sizes[slot]
            errors.sums[slot] += error
            errors.sizes[slot] += abs(error)
        weights[slot] += rate * share * error
