"""The canonical form of positions under the game's symmetries, the same for all symmetric ones: of states, and of observations.

Two states may differ where no observation does: in Quixo and Othello, exchanging the colours and who is to move changes nothing
that the player to move sees. Of the two forms, that of states tells them apart.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...core.native import in_ranges
from ...core.native.threads import pool
from ...games.batches import in_one_piece
from ...games.game import Game, StateArray, Symmetries
from ...games.kernels.arrays import Numbers, PlanesOfBoards, States
from ...games.kernels.rules import Planes, State, load, observe, permute, player, store

AT_ONCE = 1 << 16
"""States whose observations are in memory at the same time."""


def canonical(game: Game, states: StateArray, symmetries: Symmetries | None = None) -> tuple[StateArray, NDArray[np.int64]]:
    """The canonical form of states: the least of their images under some symmetries, compared by words.

    Args:
        game: the game and variant. The time it takes grows with its symmetries: 12288 in Quarto, 8 or fewer in other games.
        states: (B, W).
        symmetries: those that count; None for all of the game.

    Returns:
        The images (B, W), and the rows of the symmetries that lead there (B,), the first of several.

    Raises:
        ValueError: the states or the symmetries are not of this game.
    """
    images, which = np.empty((len(states), game.num_words), np.uint64), np.empty(len(states), np.int64)
    given, tables = game.batch(states), whole_tables(game, symmetries or game.symmetries)
    game.kernel(write_canonical)(pool(len(given)), 0, len(given), given, tables, images, which)
    return images, which


def canonical_observations(game: Game, states: StateArray) -> NDArray[np.uint64]:
    """The canonical form of what the player to move sees in states (B, W): equal where observations are the same or symmetric, and
    only there.

    It is the least of the observations of a state's images, as bits (B, ⌈C·H·W / 64⌉).
    """
    planes, height, width = game.shape
    forms = np.zeros((len(states), -(-planes * height * width // 64) * 8), np.uint8)
    for start in range(0, len(states), AT_ONCE):
        given = game.batch(states[start : start + AT_ONCE])
        least, other = np.empty((2, len(given), planes, height * width), np.int8)
        game.kernel(write_least_observations)(pool(len(given)), 0, len(given), given, game.symmetries, other, least)
        bits = np.packbits(least.reshape(len(given), -1).view(np.uint8), axis=1)
        forms[start : start + len(given), : bits.shape[1]] = bits
    return forms.view(np.uint64)


def whole_tables(game: Game, symmetries: Symmetries) -> Symmetries:
    """Symmetries as kernels take them; ValueError where they are not of this game: tables of other shapes or types."""
    cells, actions = (in_one_piece(table, np.int16) for table in symmetries)
    width = int(np.prod(game.board))
    if not len(cells) or cells.shape != (len(cells), width) or actions.shape != (len(cells), game.num_actions):
        raise ValueError(
            f"symmetries of {game} are tables of {width} cells and {game.num_actions} actions, a symmetry a row; got shapes "
            f"{cells.shape} and {actions.shape}"
        )
    return Symmetries(cells, actions)


@cache
def start_symmetries(game: Game) -> Symmetries:
    """The symmetries that leave the start position as it is, the first of them the one that changes nothing.

    Under these, symmetric positions can come up equally, and the positions that can come up are all that are symmetric to some.
    """
    cells, actions = game.symmetries
    images = game.permuted(np.repeat(game.start[None], len(cells), axis=0), np.arange(len(cells)))
    fixes_start = (images == game.start).all(axis=1)
    return Symmetries(np.ascontiguousarray(cells[fixes_start]), np.ascontiguousarray(actions[fixes_start]))


def orbit_sizes(game: Game, states: StateArray, symmetries: Symmetries) -> NDArray[np.int64]:
    """How many different positions each state becomes under some symmetries that form a group (B,)."""
    fixed, given = np.empty(len(states), np.int64), game.batch(states)
    game.kernel(count_fixing)(pool(len(given)), 0, len(given), given, whole_tables(game, symmetries), fixed)
    return len(symmetries.cells) // fixed


@in_ranges
def write_canonical(lo: int, hi: int, states: States, symmetries: Symmetries, images: States, which: Numbers) -> None:
    """Writes the least image of each state."""
    for i in range(lo, hi):
        least, which[i] = least_image(load(states[i]), symmetries)
        store(images[i], least)


def least_image(state: State, symmetries: Symmetries) -> tuple[State, int]:
    """The least image of a state, and the symmetry that leads there; the first one changes nothing."""
    least, which = state, 0
    for k in range(1, symmetries.cells.shape[0]):
        image = permute(state, symmetries.cells[k], symmetries.actions[k])
        if image < least:
            least = image
            which = k
    return least, which


@in_ranges
def write_least_observations(
    lo: int, hi: int, states: States, symmetries: Symmetries, other: PlanesOfBoards, least: PlanesOfBoards
) -> None:
    """Writes the least of what the player to move sees in the images of each state; `other` has room for one of them."""
    for i in range(lo, hi):
        state = load(states[i])
        observe(state, player(state), least[i])
        for k in range(1, symmetries.cells.shape[0]):
            image = permute(state, symmetries.cells[k], symmetries.actions[k])
            observe(image, player(image), other[i])
            if is_less(other[i], least[i]):
                observe(image, player(image), least[i])


def is_less(planes: Planes, others: Planes) -> bool:
    """Whether planes come before others, cell by cell."""
    for plane in range(planes.shape[0]):
        for cell in range(planes.shape[1]):
            if planes[plane, cell] != others[plane, cell]:
                return planes[plane, cell] < others[plane, cell]
    return False


@in_ranges
def count_fixing(lo: int, hi: int, states: States, symmetries: Symmetries, fixed: Numbers) -> None:
    """How many symmetries leave each state as it is."""
    for i in range(lo, hi):
        fixed[i] = 0
        for k in range(symmetries.cells.shape[0]):
            fixed[i] += permute(load(states[i]), symmetries.cells[k], symmetries.actions[k]) == load(states[i])
