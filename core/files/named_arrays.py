"""Arrays by name: the weights of a network, or the state of a trainer or of a pool of opponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
"""Arrays by name, as checkpoints hold them."""


def under(start: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    """The arrays whose names begin with `start`, by the rest of their names."""
    return {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}


def check_arrays(
    arrays: Mapping[str, NDArray[Any]], wanted: Mapping[str, NDArray[Any]], grows: Sequence[str] = (), comes: Sequence[str] = ()
) -> None:
    """Compares arrays with what they must be: their names, their types and their shapes.

    Args:
        arrays: what is checked.
        wanted: arrays as they must be; what they hold does not matter.
        grows: patterns, as of file names, of those that may have any length along their first axis.
        comes: patterns of those that may be there or not.

    Raises:
        ValueError: one is missing, or too many, or has another type or shape.
    """
    for name in sorted({*arrays, *wanted}):
        if name in arrays and name in wanted:
            here, there = arrays[name], wanted[name]
            first = int(_matches(name, grows) and there.ndim > 0)
            if here.dtype != there.dtype or here.ndim != there.ndim or here.shape[first:] != there.shape[first:]:
                shape = ("any", *there.shape[1:]) if first else there.shape
                raise ValueError(f"the array {name} is {here.shape} of {here.dtype} and must be {_shape(shape)} of {there.dtype}")
        elif not _matches(name, comes):
            raise ValueError(f"the array {name} is {'one too many' if name in arrays else 'missing'}")


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _shape(shape: Sequence[Any]) -> str:
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
