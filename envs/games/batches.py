"""Checks of batches: states, and what comes one for each of them, as kernels take them.

A kernel trusts the lengths of its arrays: where one is too short, it would read the memory behind it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def whole_states(states: NDArray[np.uint64], words: int, game: str) -> NDArray[np.uint64]:
    """States (B, W), uint64, in one piece.

    Args:
        states: what was given.
        words: how many words a state has.
        game: the spec, for the error.

    Raises:
        ValueError: they are anything else.
    """
    shape, kind = np.shape(states), getattr(states, "dtype", type(states).__name__)
    if len(shape) != 2 or shape[1] != words or kind != np.uint64:
        one = ": this is one state; pass state[None]" if shape == (words,) and kind == np.uint64 else ""
        raise ValueError(f"states of {game} have shape (B, {words}) and type uint64; got {shape} and {kind}{one}")
    return np.ascontiguousarray(states)


def one_each(rows: ArrayLike, kind: type[np.generic], what: str, count: int) -> NDArray[Any]:
    """An array with one entry for each of so many states, in one piece.

    Raises:
        ValueError: it has more or fewer.
    """
    array = np.ascontiguousarray(rows, kind)
    if array.shape != (count,):
        raise ValueError(f"{count} states take one {what} each, an array ({count},); got shape {array.shape}")
    return array
