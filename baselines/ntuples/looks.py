"""`Looks`: what a cell can look like to a pattern, numbered from 0, for any game.

Where a game says whose each cell is (`Known.sides`), a cell is empty, the mover's or the opponent's: 0, 1, 2. For any other game a
look is the combination of the observation's planes, from the mover's seat, on one cell. The looks are collected in random games,
always the same ones; the most frequent is 0, and so is one that never came up there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...core.native import Function
from ...games.game import Game, StateArray
from ...games.kernels.rules import ONGOING
from ...games.random_play import random_actions
from .kernels import cells, read, read_looks, read_sides

MOST_PLANES, MOST_LOOKS = 20, 64
"""Limits of memory: `Looks.codes` has 2^planes entries, and a pattern of n cells looks^n weights."""
GAMES, LONGEST = 200, 200
"""The number of random games that the looks are collected in, and of their plies."""


@dataclass(frozen=True, eq=False)
class Looks:
    """The looks of a game's cells.

    Args:
        count: the number of looks.
        codes: the look of each combination of planes, as the bits of a number, the first plane the highest (2^C,); a single 0
            where the owners of cells are read instead.
        turns: the symmetries of the board that move things and change nothing else (S, H·W).
        plugs: the functions that kernels are linked with to read cells.
    """

    count: int
    codes: NDArray[np.int32]
    turns: NDArray[np.int64]
    plugs: dict[Function, Function]


@cache
def looks_of(game: Game) -> Looks:
    """The looks of a game's cells; ValueError where there are too many planes, or too many looks."""
    turns = game.symmetries.cells.astype(np.int64)
    if sides := game.known.sides:
        return Looks(3, np.zeros(1, np.int32), turns, {read: read_sides, cells: sides})
    num_planes = game.shape[0]
    if num_planes > MOST_PLANES:
        raise ValueError(f"n-tuples read observations of up to {MOST_PLANES} planes; {game.spec} has {num_planes}")
    states = random_positions(game)
    planes = planes_of(game, states)
    bits = 1 << np.arange(num_planes - 1, -1, -1)
    values, counts = np.unique(np.einsum("bck,c->bk", planes.astype(np.int64), bits), return_counts=True)
    if len(values) > MOST_LOOKS:
        raise ValueError(f"n-tuples distinguish up to {MOST_LOOKS} looks of a cell; {game.spec} has {len(values)} or more")
    codes = np.zeros(1 << num_planes, np.int32)
    codes[values[np.argsort(-counts, kind="stable")]] = np.arange(len(values))
    pure = [number for number, cell_to in enumerate(turns) if moves_only(game, states, planes, number, cell_to)]
    return Looks(len(values), codes, turns[pure], {read: read_looks})


def random_positions(game: Game) -> StateArray:
    """Positions of random games (B, W), including finished ones."""
    draws = np.random.default_rng(0)
    states = np.repeat(game.start[None], GAMES, axis=0)
    parts = [states[:1]]
    for _ in range(min(game.max_plies or LONGEST, LONGEST)):
        states = states[game.outcomes(states) == ONGOING]
        if not len(states):
            break
        states = game.plays(states, random_actions(game, states, draws))
        parts.append(states)
    return np.unique(np.concatenate(parts), axis=0)


def planes_of(game: Game, states: StateArray) -> NDArray[np.int8]:
    """The planes of each state, from the seat of the player to move (B, C, H·W)."""
    return game.observations(states, game.players(states)).reshape(len(states), game.shape[0], -1)


def moves_only(game: Game, states: StateArray, planes: NDArray[np.int8], number: int, cell_to: NDArray[np.int64]) -> bool:
    """Whether a symmetry only moves things between cells; one that renames pieces also changes them."""
    turned = planes_of(game, game.permuted(states, np.full(len(states), number)))
    return np.array_equal(turned[:, :, cell_to], planes)
