"""Batches: what comes in from outside as kernels take it, and what `Game` answers about many states at once.

A kernel trusts what it is given: where an array is too short or a number too large, it would read the memory behind. So shapes and
types are checked here, and what the arrays hold is checked by the kernels of envs/kernels/queries.py, which stop at the first row
that cannot be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels import queries
from ..settings.numbers import shown

if TYPE_CHECKING:
    from .game import Game


def in_one_piece(array: ArrayLike, kind: type[np.generic]) -> NDArray[Any]:
    """An array as kernels take it: of numpy's own class, C-contiguous and aligned; the same one where it is so already."""
    whole = np.ascontiguousarray(array, kind)
    return whole if whole.flags.aligned else whole.copy()


def whole_states(game: Game, states: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """States (B, W), uint64, in one piece.

    Raises:
        ValueError: they have another shape or type.
    """
    shape, kind, words = np.shape(states), getattr(states, "dtype", type(states).__name__), game.num_words
    if len(shape) != 2 or shape[1] != words or kind != np.uint64:
        one = ": this is one state; pass state[None]" if shape == (words,) and kind == np.uint64 else ""
        raise ValueError(f"states of {game} have shape (B, {words}) and type uint64; got {shape} and {kind}{one}")
    return in_one_piece(states, np.uint64)


def one_each(rows: ArrayLike, kind: type[np.generic], what: str, count: int) -> NDArray[Any]:
    """An array with one whole number for each of so many states, in one piece.

    Raises:
        ValueError: it has more or fewer, or one that the type does not hold.
    """
    if np.shape(rows) != (count,):
        raise ValueError(f"{count} states take one {what} each, an array ({count},); got shape {np.shape(rows)}")
    if getattr(rows, "dtype", None) == kind:
        return in_one_piece(rows, kind)
    try:
        with np.errstate(invalid="ignore"):  # nan, which is no whole number
            array = in_one_piece(rows, kind)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0, kind)
    if not np.array_equal(array, np.asarray(rows)):
        raise ValueError(f"each {what} is a whole number that {kind.__name__} holds; got {shown(rows)}")
    return array


# ---- questions


def states_of(game: Game, states: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`Game.batch`."""
    states = whole_states(game, states)
    if (row := game.kernel(queries.first_foreign)(states, game.start)) >= 0:
        words = ", ".join(hex(int(word)) for word in states[row])
        raise ValueError(f"states[{row}] ({words}) is not a state of {game}; is it one of another game or variant?")
    return states


def players(game: Game, states: NDArray[np.uint64]) -> NDArray[np.int8]:
    """`Game.players`."""
    states = whole_states(game, states)
    result = np.empty(len(states), np.int8)
    check(game, game.kernel(queries.players)(states, game.start, result), states)
    return result


def outcomes(game: Game, states: NDArray[np.uint64]) -> NDArray[np.int8]:
    """`Game.outcomes`."""
    states = whole_states(game, states)
    result = np.empty(len(states), np.int8)
    check(game, game.kernel(queries.outcomes)(states, game.start, result), states)
    return result


def masks(game: Game, states: NDArray[np.uint64]) -> NDArray[np.int8]:
    """`Game.masks`."""
    states = whole_states(game, states)
    result = np.empty((len(states), game.num_actions), np.int8)
    choices = np.empty((len(states), game.action_words), np.uint64)
    check(game, game.kernel(queries.masks)(states, game.start, choices, result), states)
    return result


def plays(game: Game, states: NDArray[np.uint64], actions: ArrayLike) -> NDArray[np.uint64]:
    """`Game.plays`."""
    states = whole_states(game, states)
    numbers = one_each(actions, np.int64, "action", len(states))
    result = np.empty((len(states), game.num_words), np.uint64)
    row = game.kernel(queries.plays)(states, game.start, numbers, game.num_actions, result)
    check(game, row, states, "action", numbers, game.num_actions)
    return result


def observations(game: Game, states: NDArray[np.uint64], seats: ArrayLike) -> NDArray[np.int8]:
    """`Game.observations`."""
    states = whole_states(game, states)
    numbers = one_each(seats, np.int8, "seat", len(states))
    depth, height, width = game.shape
    result = np.empty((len(states), depth, height * width), np.int8)
    check(game, game.kernel(queries.observations)(states, game.start, numbers, result), states, "seat", numbers, 2)
    return result.reshape(len(states), depth, height, width)


def permuted(game: Game, states: NDArray[np.uint64], which: ArrayLike) -> NDArray[np.uint64]:
    """`Game.permuted`."""
    states = whole_states(game, states)
    numbers = one_each(which, np.int64, "symmetry", len(states))
    result = np.empty((len(states), game.num_words), np.uint64)
    row = game.kernel(queries.permuted)(states, game.start, numbers, *game.symmetries, result)
    check(game, row, states, "symmetry", numbers, len(game.symmetries.cells))
    return result


def check(
    game: Game, row: int, states: NDArray[np.uint64], what: str = "", numbers: Sequence[int] | NDArray[Any] = (), count: int = 0
) -> None:
    """Says what is wrong in the row at which a kernel has stopped.

    Args:
        game: the game and variant.
        row: the row; -1 where all were right.
        states: the states (B, W).
        what: what goes with each state, where something does.
        numbers: that, one a state (B,).
        count: each of them is to be from 0 to count - 1.

    Raises:
        ValueError: the state of that row is none of this game, or what goes with it does not exist.
    """
    if row >= 0:
        states_of(game, states[: row + 1])
        raise ValueError(f"the {what} of row {row} is {numbers[row]}; in {game} it is a whole number from 0 to {count - 1}")
