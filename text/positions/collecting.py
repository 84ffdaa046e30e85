"""Positions from random games: as many easy ones as hard ones, and no two alike.

One position is kept of each class: of those that look the same to the player to move, up to symmetry. A stratum holds those that
are equally hard: of the same value, with about as many moves that keep it, and about as far from the end. All strata that come up
get equal shares, as far as they have so many positions. A hash of what the player sees, in canonical form, decides whether a class
is for training or for testing, so that no test position looks like one for training, whatever the seed.
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
"""Random games that are played in a round."""
POOL = 3
"""So many times the positions asked for are collected before strata are filled."""
FEW_NEW = 0.002
"""Collecting ends when a smaller share of the positions of a round is new."""
LONGEST = 400
"""Plies after which a random game is given up."""
Progress = Callable[[int, int], object]


class PositionPool(NamedTuple):
    """Unfinished positions, one of each class.

    Args:
        states: (N, W).
        plies: how many plies from the start each was found (N,).
        classes: the canonical forms of their observations (N, K).
    """

    states: StateArray
    plies: NDArray[np.int64]
    classes: StateArray


def collect(oracle: Oracle, count: int, seed: int, progress: Progress | None = None) -> SolvedPositions:
    """Positions within the oracle's reach, in equal shares of all strata as far as possible, in random order.

    Args:
        oracle: the game's oracle.
        count: how many; there are fewer where random games bring no more.
        seed: the same seed gives the same positions.
        progress: called with how many positions are collected, and how many will be.

    Raises:
        ValueError: no position that came up is within reach.
    """
    random = np.random.default_rng(seed)
    solved = solve(oracle, *_pool(oracle, POOL * count, random, progress or (lambda done, total: None)))
    if not len(solved.states):
        raise ValueError(f"none of the positions that came up is within the oracle's reach; it knows {oracle.reach}")
    return solved.select(random.permutation(_equal_shares(solved.strata, count, random)))


def _pool(oracle: Oracle, wanted: int, random: np.random.Generator, progress: Progress) -> PositionPool:
    """Positions within reach from random games."""
    game = oracle.game
    none = np.empty((0, game.num_words), np.uint64)
    pool = PositionPool(none, np.empty(0, np.int64), canonical_observations(game, none))
    while len(pool.states) < wanted:
        met, plies = _random_games(game, min(max(wanted // 8, FEWEST_GAMES), MOST_GAMES), random)
        order = random.permutation(np.flatnonzero(oracle.reached(met)))
        met, plies = met[order], plies[order]
        classes = canonical_observations(game, met)
        known = len(pool.classes)
        _, first = np.unique(np.vstack([pool.classes, classes]), axis=0, return_index=True)
        new = np.sort(first[first >= known]) - known
        pool = PositionPool(
            np.vstack([pool.states, met[new]]),
            np.concatenate([pool.plies, plies[new]]),
            np.vstack([pool.classes, classes[new]]),
        )
        progress(min(len(pool.states), wanted), wanted)
        if len(new) <= FEW_NEW * max(1, len(met)):
            break
    return PositionPool(pool.states[:wanted], pool.plies[:wanted], pool.classes[:wanted])


def _random_games(game: Game, games: int, random: np.random.Generator) -> tuple[StateArray, NDArray[np.int64]]:
    """All unfinished positions of a number of random games, and their plies."""
    states, met, plies = np.repeat(game.start[None], games, axis=0), list[StateArray](), list[NDArray[np.int64]]()
    policy = Random(game)
    for ply in range(min(LONGEST, game.max_plies or LONGEST)):
        met.append(states)
        plies.append(np.full(len(states), ply, np.int64))
        states = game.plays(states, policy.act(states, random.integers(0, 2**64, len(states), np.uint64)))
        states = states[game.masks(states).any(axis=1)]
        if not len(states):
            break
    return np.vstack(met), np.concatenate(plies)


def _equal_shares(strata: Sequence[Stratum], count: int, random: np.random.Generator) -> NDArray[np.int64]:
    """The rows that are taken: equal numbers of each stratum, and all of those that have fewer."""
    rows_of = dict[Stratum, list[int]]()
    for row in random.permutation(len(strata)).tolist():
        rows_of.setdefault(strata[row], []).append(row)
    chosen = list[int]()
    smallest_first = sorted(rows_of, key=lambda stratum: (len(rows_of[stratum]), stratum))
    for left, stratum in zip(range(len(rows_of), 0, -1), smallest_first, strict=True):
        chosen += rows_of[stratum][: -(-(count - len(chosen)) // left)]
    return np.array(sorted(chosen), np.int64)
