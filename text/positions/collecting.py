"""Positions from random games: as many easy ones as hard ones, and no two alike.

A class contains the positions that look the same to the player to move, up to symmetry; one position of each class is kept. A
stratum contains positions that are equally hard: of the same value, with about the same number of moves that keep it, and about
equally far from the end. All strata get equal shares, unless they have too few positions. A hash of the observation in canonical
form decides whether a class is for training or for testing, so that with any seed no test position looks like one for training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...agents.random import Random
from ...games.game import Game, StateArray
from ...oracles import Oracle
from ...oracles.statespace.canonical import canonical_observations
from .solving import SolvedPositions, Stratum, solve

FEWEST_GAMES, MOST_GAMES = 64, 2048
"""The numbers of random games in a round."""
POOL = 3
"""The number of positions to collect, as a multiple of those asked for, before the strata are filled."""
FEW_NEW = 0.002
"""Collecting ends when the share of new positions in a round is smaller."""
LONGEST = 400
"""The maximum number of plies of a random game."""
Progress = Callable[[int, int], object]


class PositionPool(NamedTuple):
    """Unfinished positions, one of each class.

    Args:
        states: (N, W).
        plies: the number of plies from the start to each (N,).
        classes: the canonical forms of their observations (N, K).
    """

    states: StateArray
    plies: NDArray[np.int64]
    classes: StateArray


def collect(oracle: Oracle, count: int, seed: int, progress: Progress | None = None) -> SolvedPositions:
    """Positions within the oracle's reach, in equal shares of all strata as far as possible, in random order.

    Args:
        oracle: the game's oracle.
        count: their number; there are fewer if random games reach no more.
        seed: the same seed gives the same positions.
        progress: called with the number of collected positions, and the number to collect.

    Raises:
        ValueError: no position of the random games is within reach.
    """
    random = np.random.default_rng(seed)
    solved = solve(oracle, *_collect_pool(oracle, POOL * count, random, progress or (lambda done, total: None)))
    if not len(solved.states):
        raise ValueError(f"no position of the random games is within the oracle's reach; it knows {oracle.reach}")
    return solved.select(random.permutation(_equal_shares(solved.strata, count, random)))


def _collect_pool(oracle: Oracle, wanted: int, random: np.random.Generator, progress: Progress) -> PositionPool:
    """Collects positions within reach from random games."""
    game = oracle.game
    none = np.empty((0, game.num_words), np.uint64)
    pool = PositionPool(none, np.empty(0, np.int64), canonical_observations(game, none))
    while len(pool.states) < wanted:
        states, plies = _random_games(game, min(max(wanted // 8, FEWEST_GAMES), MOST_GAMES), random)
        order = random.permutation(np.flatnonzero(oracle.reached(states)))
        states, plies = states[order], plies[order]
        classes = canonical_observations(game, states)
        known = len(pool.classes)
        _, first = np.unique(np.vstack([pool.classes, classes]), axis=0, return_index=True)
        new = np.sort(first[first >= known]) - known
        pool = PositionPool(
            np.vstack([pool.states, states[new]]),
            np.concatenate([pool.plies, plies[new]]),
            np.vstack([pool.classes, classes[new]]),
        )
        progress(min(len(pool.states), wanted), wanted)
        if len(new) <= FEW_NEW * max(1, len(states)):
            break
    return PositionPool(pool.states[:wanted], pool.plies[:wanted], pool.classes[:wanted])


def _random_games(game: Game, games: int, random: np.random.Generator) -> tuple[StateArray, NDArray[np.int64]]:
    """All unfinished positions of a number of random games, and their plies."""
    states, reached, plies = np.repeat(game.start[None], games, axis=0), list[StateArray](), list[NDArray[np.int64]]()
    policy = Random(game)
    for ply in range(min(LONGEST, game.max_plies or LONGEST)):
        reached.append(states)
        plies.append(np.full(len(states), ply, np.int64))
        states = game.plays(states, policy.act(states, random.integers(0, 2**64, len(states), np.uint64)))
        states = states[game.masks(states).any(axis=1)]
        if not len(states):
            break
    return np.vstack(reached), np.concatenate(plies)


def _equal_shares(strata: Sequence[Stratum], count: int, random: np.random.Generator) -> NDArray[np.int64]:
    """The rows to select: the same number of each stratum, and all rows of smaller strata."""
    rows_of = dict[Stratum, list[int]]()
    for row in random.permutation(len(strata)).tolist():
        rows_of.setdefault(strata[row], []).append(row)
    chosen = list[int]()
    smallest_first = sorted(rows_of, key=lambda stratum: (len(rows_of[stratum]), stratum))
    for left, stratum in zip(range(len(rows_of), 0, -1), smallest_first, strict=True):
        chosen += rows_of[stratum][: -(-(count - len(chosen)) // left)]
    return np.array(sorted(chosen), np.int64)
