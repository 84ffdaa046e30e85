"""Values from patterns, and learning them in self-play: kernels over any game.

The value of a position for the player to move is tanh(Σ w), a sum over the places of all patterns: from -1, lost, to 1, won.
Each stage of the game has weights of its own; the number of cells that are not empty decides the stage.
"""

from __future__ import annotations

from math import tanh
from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.native import in_ranges, releases_gil
from ...games.evaluation import LARGEST, evaluate
from ...games.kernels.arrays import Masks, Numbers, PlanesOfBoards, Rewards, States, Words
from ...games.kernels.bits import ONE, count, has, lowest, u64
from ...games.kernels.keys import below, derive, uniform
from ...games.kernels.rules import ONGOING, State, legal, load, observe, outcome, play, player, store

Weights: TypeAlias = Annotated[NDArray[np.float32], 1]
Places: TypeAlias = Annotated[NDArray[np.int32], 1]
PlacesOfBoards: TypeAlias = Annotated[NDArray[np.int32], 2]
ValuesOfActions: TypeAlias = Annotated[NDArray[np.float64], 2]

NOT_LEGAL = -2.0
"""The value of an illegal action."""
RATE, RATE_END, EXPLORATION, TRACE, OPENING, SPARRING = range(6)
"""Indices of the settings in `GameSettings.numbers`."""
PLIES, RESULTS, SQUARES = range(3)
"""Indices of the statistics: plies, results for player 0, squared errors."""
EXPLORE_KEY, ACTION_KEY = 0, 1
"""Random numbers of a ply; the choice among equal actions has those after ACTION_KEY."""
NOBODY = -1
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


class GameSettings(NamedTuple):
    """The start of the games, their number, the plies of the longest, the words of a set of actions, settings, an evaluation."""

    start: Words
    games: int
    longest: int
    action_words: int
    numbers: Rewards
    evaluation: Numbers


class Scratch(NamedTuple):
    """Scratch memory: the index of the pattern of each place (P,), and an observation (C, H·W)."""

    indices: Places
    planes: Masks


class GameTrail(NamedTuple):
    """A game: for each ply the position, the value of its best action, and whether it explored instead."""

    states: States
    bests: Rewards
    explored: Numbers


class NTupleLearner(NamedTuple):
    """The state of a trainer, as kernels take it."""

    settings: GameSettings
    net: Net
    errors: Errors
    scratch: Scratch
    trail: GameTrail
    tally: Rewards


def value(state: State, net: Net, scratch: Scratch) -> float:
    """The value of a position for the player to move; the numbers of its weights stay in `scratch.indices` (P,)."""
    indices = scratch.indices
    for p in range(indices.shape[0]):
        indices[p] = net.starts[p]
    stage = read(state, net, indices, scratch.planes) * net.stages // (net.steps.shape[0] + 1)
    first = stage * (net.weights.shape[0] // net.stages)
    total = 0.0
    for p in range(indices.shape[0]):
        indices[p] = first + net.slots[u64(indices[p])]
        total += net.weights[u64(indices[p])]
    return tanh(total)


def read(state: State, net: Net, indices: Places, planes: Masks) -> int:
    """Adds the cells to the patterns of all places, and returns how many are not empty; `read_sides` or `read_looks` is linked
    in its place. The planes are scratch memory for an observation (C, H·W)."""
    raise NotImplementedError


def cells(state: State) -> tuple[np.uint64, np.uint64]:
    """The cells of the player to move, and the opponent's, as bits: bit c stands for the observations' cell c, row by row; the
    function that a game names in its `known` is linked in its place."""
    raise NotImplementedError


def read_sides(state: State, net: Net, indices: Places, planes: Masks) -> int:
    """Reads the owner of each cell, where the game has a function for it."""
    own, other = cells(state)
    add(own, 1, net, indices)
    add(other, 2, net, indices)
    return count(own | other)


def read_looks(state: State, net: Net, indices: Places, planes: Masks) -> int:
    """Reads the observation of the player to move on each cell."""
    observe(state, player(state), planes)
    marked = 0
    for cell in range(planes.shape[1]):
        code = 0
        for plane in range(planes.shape[0]):
            code = 2 * code + planes[plane, cell]
        look = net.codes[u64(code)]
        if look != 0:
            marked += 1
            for p in range(indices.shape[0]):
                indices[p] += look * net.steps[cell, p]
    return marked


def add(bits: np.uint64, times: int, net: Net, indices: Places) -> None:
    """Adds these cells to the patterns of all places."""
    while bits != u64(0):
        cell = lowest(bits)
        bits &= bits - ONE
        for p in range(indices.shape[0]):
            indices[p] += times * net.steps[cell, p]


def worth(state: State, mover: int, net: Net, scratch: Scratch) -> float:
    """The value of a position for a player: its result, if the game is over."""
    result = outcome(state)
    if result != ONGOING:
        return float((1 - 2 * mover) * result)
    own = value(state, net, scratch)
    return own if player(state) == mover else -own


@in_ranges
def write_values(
    lo: np.uint64, hi: np.uint64, states: States, net: Net, indices: PlacesOfBoards, planes: PlanesOfBoards, values: ValuesOfActions
) -> None:
    """Writes the value of the position after each action for the player who takes it."""
    for i in range(lo, hi):
        state = load(states[i])
        scratch, mover = Scratch(indices[i], planes[i]), player(state)
        for action in range(values.shape[1]):
            legal_here = has(legal(state, action >> 6), action & 63)
            values[i, action] = worth(play(state, action), mover, net, scratch) if legal_here else NOT_LEGAL


@releases_gil
def learn_games(start: int, stop: int, seed: np.uint64, learner: NTupleLearner) -> None:
    """Plays the games `start` to `stop` in self-play, and learns from each."""
    for game in range(start, stop):
        state, plies = play_game(game, derive(seed, game), learner)
        learn(game, plies, state, learner)


def play_game(game: int, key: np.uint64, learner: NTupleLearner) -> tuple[State, int]:
    """Plays a game until it is over or too long: the state, and the number of its plies."""
    settings, trail, plies = learner.settings, learner.trail, 0
    state = load(settings.start)
    opening = below(derive(key, OPENING_KEY), int(settings.numbers[OPENING]) + 1)
    sparring = game & 1 if uniform(derive(key, SPARRING_KEY)) < settings.numbers[SPARRING] else NOBODY
    while outcome(state) == ONGOING and plies < settings.longest:
        ply_key = derive(key, plies)
        action, trail.bests[plies] = best(state, ply_key, settings.action_words, learner.net, learner.scratch)
        exploring = plies < opening or uniform(derive(ply_key, EXPLORE_KEY)) < settings.numbers[EXPLORATION]
        if exploring:
            action = any_legal(state, derive(ply_key, ACTION_KEY), settings.action_words)
        elif player(state) == sparring:
            exploring, action = True, greedy(state, ply_key, settings)
        store(trail.states[plies], state)
        trail.explored[plies] = exploring
        state = play(state, action)
        plies += 1
    return state, plies


def best(state: State, key: np.uint64, action_words: int, net: Net, scratch: Scratch) -> tuple[int, float]:
    """The action with the highest value of the position after it, one of equals by the key, and that value."""
    mover = player(state)
    chosen, highest, equals = -1, NOT_LEGAL, 0
    for word in range(action_words):
        bits = legal(state, word)
        while bits != u64(0):
            action = 64 * word + lowest(bits)
            bits &= bits - ONE
            value_of = worth(play(state, action), mover, net, scratch)
            equals = equals + 1 if value_of == highest else 1 if value_of > highest else equals
            # each of k equal actions stays with the probability 1/k, without a list of them
            if value_of > highest or (value_of == highest and below(derive(key, ACTION_KEY + equals), equals) == 0):
                chosen, highest = action, value_of
    return chosen, highest


def greedy(state: State, key: np.uint64, settings: GameSettings) -> int:
    """The action after which the game's classic evaluation is highest, one of equals by the key."""
    mover = player(state)
    chosen, highest, equals = -1, -2 * LARGEST, 0
    for word in range(settings.action_words):
        bits = legal(state, word)
        while bits != u64(0):
            action = 64 * word + lowest(bits)
            bits &= bits - ONE
            after = play(state, action)
            result = outcome(after)
            guess = evaluate(after, settings.evaluation) if result == ONGOING else (1 - 2 * player(after)) * result * LARGEST
            guess = guess if player(after) == mover else -guess
            equals = equals + 1 if guess == highest else 1 if guess > highest else equals
            if guess > highest or (guess == highest and below(derive(key, ACTION_KEY + equals), equals) == 0):
                chosen, highest = action, guess
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


def learn(game: int, plies: int, state: State, learner: NTupleLearner) -> None:
    """Moves the values of the positions of a game that ended in a state towards their targets, the last one first. A game without
    an end is drawn."""
    settings, trail, tally, numbers = learner.settings, learner.trail, learner.tally, learner.settings.numbers
    rate = numbers[RATE] + (numbers[RATE_END] - numbers[RATE]) * float(game) / float(settings.games)
    result = outcome(state)
    result = 0 if result == ONGOING else result
    tally[PLIES] += plies
    tally[RESULTS] += result
    later = float(result)  # the target of the position after this ply, for player 0
    for ply in range(plies - 1, -1, -1):
        before = load(trail.states[ply])
        sign = 1 - 2 * player(before)
        target = trail.bests[ply]
        if trail.explored[ply] == 0:
            target = (1.0 - numbers[TRACE]) * target + numbers[TRACE] * sign * later
        later = sign * target
        error = target - value(before, learner.net, learner.scratch)
        move_weights(error, rate / learner.scratch.indices.shape[0], learner)
        tally[SQUARES] += error * error


def move_weights(error: float, rate: float, learner: NTupleLearner) -> None:
    """Moves the weights of `value`'s position; with coherence, a weight whose errors change their sign moves less."""
    indices, sums, sizes, weights = learner.scratch.indices, learner.errors.sums, learner.errors.sizes, learner.net.weights
    for p in range(indices.shape[0]):
        slot = u64(indices[p])
        share = 1.0
        if sums.shape[0] > 0:
            if sizes[slot] > 0.0:
                share = abs(sums[slot]) / sizes[slot]
            sums[slot] += error
            sizes[slot] += abs(error)
        weights[slot] += rate * share * error
