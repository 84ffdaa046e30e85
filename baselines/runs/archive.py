"""Files of arrays: safetensors, which hold no code, with a checksum, written whole; the same arrays make the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ...core.files.named_arrays import Arrays
from ...core.files.reading import digest, read_regular
from ...core.files.writing import write_whole

CHECKSUM = "checksum"


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], previous: Path | None = None) -> None:
    """Writes arrays to a file.

    Args:
        path: the file.
        arrays: the arrays, by name.
        previous: where to keep the file that it replaces; None to drop it.

    Raises:
        OSError: it cannot be written.
        ValueError: an array holds neither numbers nor booleans.
    """
    for name, array in arrays.items():
        if array.dtype.kind not in "biuf":
            raise ValueError(f"{name} is an array of {array.dtype}; a file of arrays holds numbers and truth values")
    whole = {name: np.array(array, order="C") for name, array in arrays.items()}
    write_whole(path, save({**whole, CHECKSUM: checksum_of(whole)}), previous=previous)


def read_arrays(path: Path, advice: str = "train it anew") -> Arrays:
    """The arrays of a file.

    Args:
        path: the file.
        advice: what to do if it is damaged.

    Raises:
        OSError: it cannot be read.
        ValueError: it is damaged, or no such file.
    """
    content = read_regular(path)
    try:
        arrays = {name: array.copy() for name, array in load(content).items()}
        if CHECKSUM not in arrays:
            raise ValueError("it has no checksum")
        if not np.array_equal(arrays.pop(CHECKSUM), checksum_of(arrays)):
            raise ValueError("its checksum does not fit what it holds")
    except (ValueError, KeyError, TypeError, AttributeError, MemoryError, SafetensorError) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"{path} is damaged, or was not written by a run ({why}); {advice}") from None
    return arrays


def checksum_of(arrays: Mapping[str, NDArray[Any]]) -> NDArray[np.uint8]:
    """The checksum of arrays with their names, shapes and types."""
    parts = ((f"{name} {array.dtype.str} {array.shape}\n".encode(), array.tobytes()) for name, array in sorted(arrays.items()))
    return np.frombuffer(digest(*(part for pair in parts for part in pair)), np.uint8)
