"""Batches from outside, as kernels take them.

A kernel trusts what it is given: where an array is too short or a number too large, it would read memory beyond it. So shapes and
types are checked here, and what the arrays hold is checked by the kernels of games/kernels/queries.py, which stop at the first row
that cannot be.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.numbers import short_repr


def in_one_piece(array: ArrayLike, kind: type[np.generic]) -> NDArray[Any]:
    """An array as kernels take it: of numpy's own class, C-contiguous and aligned; the same one where it is so already."""
    whole = np.ascontiguousarray(array, kind)
    return whole if whole.flags.aligned else whole.copy()


def whole_states(states: NDArray[np.uint64], words: int, game: object) -> NDArray[np.uint64]:
    """States (B, W), uint64, in one piece.

    Args:
        states: what was given.
        words: how many words a state has.
        game: the game, for the error.

    Raises:
        ValueError: they have another shape or type.
    """
    shape, kind = np.shape(states), getattr(states, "dtype", type(states).__name__)
    if len(shape) != 2 or shape[1] != words or kind != np.uint64:
        hint = ": this is one state; pass state[None]" if shape == (words,) and kind == np.uint64 else ""
        raise ValueError(f"states of {game} have shape (B, {words}) and type uint64; got {shape} and {kind}{hint}")
    return in_one_piece(states, np.uint64)


def whole_state(state: NDArray[np.uint64], words: int, game: object) -> NDArray[np.uint64]:
    """One state (W,), uint64, in one piece.

    Args:
        state: what was given.
        words: how many words a state has.
        game: the game, for the error.

    Raises:
        ValueError: it has another shape or type.
    """
    shape, kind = np.shape(state), getattr(state, "dtype", type(state).__name__)
    if shape != (words,) or kind != np.uint64:
        raise ValueError(f"a state of {game} has shape ({words},) and type uint64; got {shape} and {kind}")
    return in_one_piece(state, np.uint64)


def one_each(rows: ArrayLike, kind: type[np.generic], what: str, count: int) -> NDArray[Any]:
    """An array with one whole number for each of `count` states, in one piece.

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
        raise ValueError(f"each {what} is a whole number that {kind.__name__} holds; got {short_repr(rows)}")
    return array
