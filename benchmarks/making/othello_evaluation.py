"""Finds the numbers by which Othello's oracle orders moves: `python -m benchmarks.making.othello_evaluation [FILE]`, ten minutes.

They are those of oracles/othello/evaluation.py. Games are played with many random moves, up to a number of empty cells at which
the position is soon solved. Least squares then fit the sum of patterns and counts to the exact scores, by the method of conjugate
gradients. A pattern and its mirror image count as one.

Source: M. Hestenes and E. Stiefel, Methods of conjugate gradients for solving linear systems (1952).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludus.core.files.named_arrays import npz_of
from ludus.core.files.writing import check_target, write_whole
from ludus.core.native import releases_gil
from ludus.games.game import StateArray
from ludus.games.kernels.arrays import Keys, Numbers, States
from ludus.games.kernels.bits import ONE, count, lowest, u64
from ludus.games.kernels.keys import below, derive
from ludus.games.kernels.rules import ONGOING, State, legal, load, outcome, play, store
from ludus.games.othello.rules import Othello
from ludus.oracles.othello import evaluation
from ludus.oracles.othello.evaluation import CORNER, COUNTS, UNITS, counts, patterns
from ludus.oracles.othello.layout import MARGINS, positions_on_8x8
from ludus.oracles.othello.oracle import OthelloOracle

Features: TypeAlias = Annotated[NDArray[np.int64], 2]
POSITIONS = 200_000
LEAST_EMPTY, MOST_EMPTY = 9, 15
MOST_SCORE = 40
"""Positions with scores above are left out: there is nothing to choose in them."""
RIDGE, ROUNDS = 4.0, 80
HELD_OUT = 16
"""One position in this many is held out for testing."""


def main() -> None:
    """Finds the numbers and writes weights.npz, to the path given or where the oracle reads it."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(evaluation.__file__).with_name("weights.npz")
    check_target(path)
    rows = [fit_weights(Othello(size)) for size in (8, 6)]
    write_whole(path, npz_of({"weights": np.round(UNITS * np.array(rows)).astype(np.int16)}))


def fit_weights(game: Othello) -> NDArray[np.float64]:
    """The numbers for a board, in discs (COUNTS + 4,)."""
    states = random_positions(game, POSITIONS)
    oracle = OthelloOracle(game, empties=MOST_EMPTY)
    scores = np.array([answer[0] for state in states if (answer := oracle.score(state)) is not None])
    close = np.abs(scores) <= MOST_SCORE
    features, scores = features_of(game, states[close]), scores[close].astype(np.float64)
    test = np.arange(len(scores)) % HELD_OUT == 0
    weights = least_squares(features[~test], scores[~test])
    error = estimate_scores(weights, features[test]) - scores[test]
    print(f"{game}: {len(scores)} positions, off by {np.sqrt(np.mean(error**2)):.2f} discs (root mean square)", flush=True)
    return weights[mirror_classes(game)]


def random_positions(game: Othello, number: int) -> StateArray:
    """Unfinished positions in which a disc can be placed (N, 3)."""
    rng = np.random.default_rng(game.size)
    states = np.repeat(game.start[None], number, axis=0)
    left = rng.integers(LEAST_EMPTY, MOST_EMPTY + 1, size=number)
    game.kernel(wander)(states, rng.integers(2**64, size=number, dtype=np.uint64), left, game.size**2)
    return np.unique(states, axis=0)


@releases_gil
def wander(states: States, keys: Keys, left: Numbers, cells: int) -> None:
    """Plays from each state until this many cells are empty: first at random, then often the move that leaves few replies."""
    for i in range(states.shape[0]):
        start, attempt = load(states[i]), 0
        state = start
        while True:
            key = derive(keys[i], attempt)
            opening, noise = below(derive(key, 100), 20), 2 << below(derive(key, 101), 6)
            state, ply = start, 0
            while outcome(state) == ONGOING and cells - count(state[0] | state[1]) > left[i]:
                state = play(state, choose_quiet_move(state, derive(key, ply), noise if ply >= opening else 1 << 20))
                ply += 1
            if outcome(state) == ONGOING and legal(state, 0) != u64(0) and (cells == 64 or legal(state, 0) >> u64(cells) == u64(0)):
                break
            attempt += 1
        store(states[i], state)


def choose_quiet_move(state: State, key: np.uint64, noise: int) -> int:
    """The action that leaves the fewest replies, give or take some noise."""
    best, least = 64, 1 << 30
    bits = legal(state, 0)
    while bits != u64(0):
        action = lowest(bits)
        bits &= bits - ONE
        replies = count(legal(play(state, action), 0)) + below(derive(key, action), noise)
        if replies < least:
            best, least = action, replies
    return best


def features_of(game: Othello, states: StateArray) -> NDArray[np.int64]:
    """The indices of the eight patterns of each state, mirror images as one, and its three counts (N, 11)."""
    features = np.empty((len(states), 11), np.int64)
    game.kernel(write_features)(positions_on_8x8(game, states), MARGINS[game.size], features)
    features[:, :8] = mirror_classes(game)[features[:, :8]]
    return features


def write_features(positions: States, margin: int, features: Features) -> None:
    """Writes the indices of the patterns, mirror images apart, and the counts of positions that are laid out on 8×8."""
    for i in range(positions.shape[0]):
        own, other, empties = positions[i, 0], positions[i, 1], positions[i, 2]
        a, b, c, d, e, f, g, h = patterns(own, other, margin)
        features[i, 0], features[i, 1], features[i, 2], features[i, 3] = a, b, c, d
        features[i, 4], features[i, 5], features[i, 6], features[i, 7] = e, f, g, h
        moves, replies, odd = counts(own, other, empties)
        features[i, 8], features[i, 9], features[i, 10] = moves, replies, odd


def mirror_classes(game: Othello) -> NDArray[np.int64]:
    """For each index, the lower one of the pattern's and its mirror image's (COUNTS + 4,)."""
    classes = np.arange(COUNTS + 4)
    backwards, across = range(game.size)[::-1], [3 * (cell % 3) + cell // 3 for cell in range(9)]
    for start, end, image in ((0, 3**game.size, backwards), (CORNER, COUNTS, across)):
        pattern = np.arange(end - start)
        mirrored = sum(pattern // 3**cell % 3 * 3**to for cell, to in enumerate(image))
        classes[start:end] = start + np.minimum(pattern, mirrored)
    return classes


def estimate_scores(weights: NDArray[np.float64], features: NDArray[np.int64]) -> NDArray[np.float64]:
    """The estimates of the numbers, in discs (N,)."""
    return weights[features[:, :8]].sum(axis=1) + weights[COUNTS] + features[:, 8:] @ weights[COUNTS + 1 :]


def add_up(values: NDArray[np.float64], features: NDArray[np.int64]) -> NDArray[np.float64]:
    """What each number has to do with the values of all positions: the transpose of `estimate_scores` (COUNTS + 4,)."""
    total = np.bincount(features[:, :8].ravel(), np.repeat(values, 8), COUNTS + 4).astype(np.float64)
    total[COUNTS:] += values.sum(), *(values @ features[:, 8:])
    return total


def least_squares(features: NDArray[np.int64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The numbers whose estimates are closest to the scores, large ones being held back by the ridge: conjugate gradients."""
    return conjugate_gradients(
        lambda numbers: add_up(estimate_scores(numbers, features), features) + RIDGE * numbers, add_up(scores, features), ROUNDS
    )


def conjugate_gradients(
    multiply: Callable[[NDArray[np.float64]], NDArray[np.float64]], right: NDArray[np.float64], rounds: int
) -> NDArray[np.float64]:
    """The solution of a system of equations, from 0 on, after this many rounds (N,).

    Args:
        multiply: the product of the matrix, symmetric and positive definite, and a vector (N,).
        right: the right-hand side (N,), not all 0.
        rounds: each costs one product; with N of them the solution would be exact.
    """
    solution, residual, direction = np.zeros(len(right)), right.copy(), right.copy()
    size = residual @ residual
    for _ in range(rounds):
        change = multiply(direction)
        step = size / (direction @ change)
        solution += step * direction
        residual -= step * change
        size, before = residual @ residual, size
        direction = residual + size / before * direction
    return solution


if __name__ == "__main__":
    main()
