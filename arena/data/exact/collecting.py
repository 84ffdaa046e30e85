"""Positions from random games: as many easy ones as hard ones, and no two alike.

A class contains the positions that look the same to the player to move, up to symmetry; one position of each class is kept. A
stratum contains positions that are equally hard: of the same value, with about the same number of moves that keep it, and about
equally far from the end. All strata get equal shares, unless they have too few positions. A hash of the observation in canonical
form decides whether a class is for training or for testing, so that with any seed no test position looks like one for training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....agents.random import Random
from ....core.numbers import whole
from ....core.progress import Progress, ProgressLog
from ....games.game import Game, StateArray
from ....oracles import Oracle
from ....oracles.statespace.canonical import canonical_observations
from .arrays import ManyPositions
from .solving import STRATA, Stratum, solve

FEWEST_GAMES, MOST_GAMES = 64, 2048
"""The numbers of random games in a round."""
POOL = 3
"""The number of positions to collect, as a multiple of those asked for, before the strata are filled."""
FEW_NEW = 0.002
"""Collecting ends when the share of new positions in a round is smaller."""
LONGEST = 400
"""The maximum number of plies of a random game."""
MOST_POSITIONS = 10**7


class Span(NamedTuple):
    """Numbers from `least` to `most`, both included."""

    least: int
    most: int

    @classmethod
    def of(cls, bounds: tuple[int, int], name: str) -> Span:
        """The numbers between two bounds.

        Raises:
            ValueError: they are not two whole numbers from 0 on, the first of them the smaller.
        """
        least, most = (whole(bound, f"a bound of {name}", 0, LONGEST) for bound in bounds)
        if least > most:
            raise ValueError(f"{name} from {least} to {most} leaves no positions; the first is the smaller")
        return cls(least, most)

    def includes(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether it includes each number (N,)."""
        return (self.least <= numbers) & (numbers <= self.most)

    def __str__(self) -> str:
        return f"{self.least}:{self.most}"


@dataclass(frozen=True)
class Sampling:
    """Which positions are collected.

    Args:
        count: how many; there are fewer if random games reach no more.
        seed: the same seed gives the same positions.
        plies: how many plies after the start of the game they may be; None for any number.
        empties: how many cells may be empty; None for any number.
        pool: how many times as many positions are solved, of which those in rare strata are kept; 1 takes them as games bring them.
        scores: whether to find the scores of moves too, in games that have them, which takes longer.
        alike: whether positions that look the same to the player to move, up to symmetry, are kept beside each other.
    """

    count: int
    seed: int = 0
    plies: Span | None = None
    empties: Span | None = None
    pool: int = POOL
    scores: bool = True
    alike: bool = False


class PositionPool(NamedTuple):
    """Unfinished positions, one of each class, or all different ones.

    Args:
        states: (N, W).
        plies: the number of plies from the start to each (N,).
        classes: the canonical forms of their observations (N, K).
    """

    states: StateArray
    plies: NDArray[np.int64]
    classes: StateArray


def collect(oracle: Oracle, sampling: Sampling, progress: Progress = lambda done, total: None) -> ManyPositions:
    """Positions within the oracle's reach, in random order; with a pool, in equal shares of all strata as far as possible.

    Args:
        oracle: the game's oracle.
        sampling: which positions.
        progress: called with the number of positions that are solved, and of those to solve.

    Raises:
        ValueError: no position of the random games is as asked for and within reach, or the game has no empty cells to count.
    """
    random, count = np.random.default_rng(sampling.seed), sampling.count
    pool = _collect_pool(oracle, sampling, random)
    progress = ProgressLog(f"positions of {oracle.game}", "positions").counting(progress)
    solved = solve(oracle, *pool, scores=sampling.scores, progress=progress)
    if not len(solved.states):
        bounds = {"ply": sampling.plies, "empty cells": sampling.empties}
        asked = " and".join(f" with {name} {span.least} to {span.most}" for name, span in bounds.items() if span is not None)
        raise ValueError(
            f"no position of random games of {oracle.game}{asked} was found within the oracle's reach; it knows {oracle.reach}"
        )
    strata = [STRATA[number] for number in solved.strata.tolist()]
    return solved.select(random.permutation(_choose_equally(strata, count, random)))


def _collect_pool(oracle: Oracle, sampling: Sampling, random: np.random.Generator) -> PositionPool:
    """Collects positions within reach from random games."""
    game, wanted = oracle.game, sampling.pool * sampling.count
    none = np.empty((0, game.num_words), np.uint64)
    pool = PositionPool(none, np.empty(0, np.int64), canonical_observations(game, none))
    while len(pool.states) < wanted:
        states, plies = _random_games(game, min(max(wanted // 8, FEWEST_GAMES), MOST_GAMES), sampling, random)
        order = random.permutation(np.flatnonzero(oracle.reached(states)))
        states, plies = states[order], plies[order]
        classes = canonical_observations(game, states)
        known, forms = len(pool.states), (pool.states, states) if sampling.alike else (pool.classes, classes)
        _, first = np.unique(np.vstack(forms), axis=0, return_index=True)
        new = np.sort(first[first >= known]) - known
        pool = PositionPool(
            np.vstack([pool.states, states[new]]),
            np.concatenate([pool.plies, plies[new]]),
            np.vstack([pool.classes, classes[new]]),
        )
        if len(new) <= FEW_NEW * max(1, len(states)):
            break
    return PositionPool(pool.states[:wanted], pool.plies[:wanted], pool.classes[:wanted])


def _random_games(game: Game, games: int, sampling: Sampling, random: np.random.Generator) -> tuple[StateArray, NDArray[np.int64]]:
    """The unfinished positions of a number of random games that are as asked for, and their plies."""
    states, reached, plies = np.repeat(game.start[None], games, axis=0), list[StateArray](), list[NDArray[np.int64]]()
    policy, last = Random(game), min(LONGEST, game.max_plies or LONGEST) - 1
    for ply in range((last if sampling.plies is None else min(last, sampling.plies.most)) + 1):
        if sampling.plies is None or ply >= sampling.plies.least:
            asked = states if sampling.empties is None else states[sampling.empties.includes(game.count_empty(states))]
            reached.append(asked)
            plies.append(np.full(len(asked), ply, np.int64))
        states = game.plays(states, policy.act(states, random.integers(0, 2**64, len(states), np.uint64)))
        states = states[game.masks(states).any(axis=1)]
        if not len(states):
            break
    return np.vstack([states[:0], *reached]), np.concatenate([np.empty(0, np.int64), *plies])


def _choose_equally(strata: Sequence[Stratum], count: int, random: np.random.Generator) -> NDArray[np.int64]:
    """The rows to select: the same number of each stratum, and all rows of smaller strata."""
    rows_of = dict[Stratum, list[int]]()
    for row in random.permutation(len(strata)).tolist():
        rows_of.setdefault(strata[row], []).append(row)
    parts = [rows_of[stratum] for stratum in sorted(rows_of)]
    shares = equal_shares([*map(len, parts)], count)
    return np.array(sorted(row for part, share in zip(parts, shares, strict=True) for row in part[:share]), np.int64)


def equal_shares(sizes: Sequence[int], count: int) -> list[int]:
    """How many to take of each part, `count` of all together: the same number of each as far as its size allows."""
    shares = [0] * len(sizes)
    smallest_first = sorted(range(len(sizes)), key=lambda part: sizes[part])
    for left, part in zip(range(len(sizes), 0, -1), smallest_first, strict=True):
        shares[part] = min(sizes[part], -(-(count - sum(shares)) // left))
    return shares
