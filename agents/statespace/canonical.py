"""The canonical form of positions under the game's symmetries, the same for all symmetric ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...envs.games.game import Game, StateArray
from ...envs.kernels.arrays import Numbers, Permutations, States
from ...envs.kernels.rules import load, permute, store
from ...envs.native import in_ranges
from ...envs.native.threads import pool


def canonical(game: Game, states: StateArray) -> tuple[StateArray, NDArray[np.int64]]:
    """The canonical form of states: the least of their images under all symmetries, compared by words.

    Args:
        game: the game and variant. The time it takes grows with its symmetries: 12288 in Quarto, 8 or fewer in other games.
        states: (B, W).

    Returns:
        The images (B, W), and the rows of `Game.symmetries` that lead there (B,), the first of several.
    """
    images, which = np.empty((len(states), game.num_words), np.uint64), np.empty(len(states), np.int64)
    given = np.ascontiguousarray(states)
    game.kernel(write_canonical)(pool(len(given)), 0, len(given), given, *game.symmetries, images, which)
    return images, which


@in_ranges
def write_canonical(
    lo: int, hi: int, states: States, cells: Permutations, actions: Permutations, images: States, which: Numbers
) -> None:
    """Writes the least image of each state."""
    for i in range(lo, hi):
        least = permute(load(states[i]), cells[0], actions[0])
        which[i] = 0
        for k in range(1, cells.shape[0]):
            image = permute(load(states[i]), cells[k], actions[k])
            if image < least:
                least = image
                which[i] = k
        store(images[i], least)
