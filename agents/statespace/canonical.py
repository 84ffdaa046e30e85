"""The canonical form of positions under the game's symmetries, the same for all symmetric ones."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...envs.games.game import Game, StateArray, Symmetries
from ...envs.kernels.arrays import Numbers, Permutations, States
from ...envs.kernels.rules import State, load, permute, store
from ...envs.native import in_ranges
from ...envs.native.threads import pool


def canonical(game: Game, states: StateArray, symmetries: Symmetries | None = None) -> tuple[StateArray, NDArray[np.int64]]:
    """The canonical form of states: the least of their images under some symmetries, compared by words.

    Args:
        game: the game and variant. The time it takes grows with its symmetries: 12288 in Quarto, 8 or fewer in other games.
        states: (B, W).
        symmetries: those that count; None for all of the game.

    Returns:
        The images (B, W), and the rows of the symmetries that lead there (B,), the first of several.
    """
    images, which = np.empty((len(states), game.num_words), np.uint64), np.empty(len(states), np.int64)
    given = np.ascontiguousarray(states)
    game.kernel(write_canonical)(pool(len(given)), 0, len(given), given, *(symmetries or game.symmetries), images, which)
    return images, which


@cache
def start_symmetries(game: Game) -> Symmetries:
    """The symmetries that leave the start position as it is, the first of them the one that changes nothing.

    Under these, symmetric positions can come up equally, and the positions that can come up are all that are symmetric to some.
    """
    cells, actions = game.symmetries
    images = game.permuted(np.repeat(game.start[None], len(cells), axis=0), np.arange(len(cells)))
    kept = (images == game.start).all(axis=1)
    return Symmetries(np.ascontiguousarray(cells[kept]), np.ascontiguousarray(actions[kept]))


def orbit_sizes(game: Game, states: StateArray, symmetries: Symmetries) -> NDArray[np.int64]:
    """How many different positions each state becomes under some symmetries that form a group (B,)."""
    fixed, given = np.empty(len(states), np.int64), np.ascontiguousarray(states)
    game.kernel(count_fixing)(pool(len(given)), 0, len(given), given, *symmetries, fixed)
    return len(symmetries.cells) // fixed


@in_ranges
def write_canonical(
    lo: int, hi: int, states: States, cells: Permutations, actions: Permutations, images: States, which: Numbers
) -> None:
    """Writes the least image of each state."""
    for i in range(lo, hi):
        least, which[i] = least_image(load(states[i]), cells, actions)
        store(images[i], least)


def least_image(state: State, cells: Permutations, actions: Permutations) -> tuple[State, int]:
    """The least image of a state, and the symmetry that leads there; the first one changes nothing."""
    least, which = state, 0
    for k in range(1, cells.shape[0]):
        image = permute(state, cells[k], actions[k])
        if image < least:
            least = image
            which = k
    return least, which


@in_ranges
def count_fixing(lo: int, hi: int, states: States, cells: Permutations, actions: Permutations, fixed: Numbers) -> None:
    """How many symmetries leave each state as it is."""
    for i in range(lo, hi):
        fixed[i] = 0
        for k in range(cells.shape[0]):
            fixed[i] += permute(load(states[i]), cells[k], actions[k]) == load(states[i])
