"""Arrays by name: the weights of a network, or the state of a trainer or of a pool of opponents; and files that hold them.

An archive is numpy's (`.npz`), without pickle. A file for a page has a head of JSON, and numbers after it, lowest byte first.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.lib.format import read_array, write_array
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


MOST_BYTES = 16 << 30
"""What all arrays of an archive may take up: 16 GiB."""


def npz_of(arrays: Mapping[str, Any], *, compress: bool = True) -> memoryview:
    """The bytes of an archive of arrays."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():  # numpy.savez has names of its own, which no array may have
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                write_array(entry, np.asanyarray(array), allow_pickle=False)
    return content.getbuffer()


def read_npz(content: bytes) -> Arrays:
    """The arrays of an archive, none of which would fill the memory; ValueError where it is no such archive, or damaged."""
    if not content.startswith(b"PK"):
        raise ValueError("it is not an archive of arrays, as numpy.savez writes them")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            if size > MOST_BYTES:
                raise ValueError(f"its arrays would take {size:,} bytes, and at most {MOST_BYTES:,} are read")
            # Each entry is read to its end, where zipfile compares its checksum; numpy stops where the array's header says.
            # An array that is smaller than it says takes no memory: numpy fills it as it reads, and comes to the entry's end.
            entries = {entry.filename.removesuffix(".npy"): io.BytesIO(archive.read(entry)) for entry in archive.infolist()}
        return {name: read_array(entry, allow_pickle=False) for name, entry in entries.items()}
    except Exception as error:  # damaged archives raise errors of every kind
        raise ValueError(" ".join(str(error).split()) or type(error).__name__) from None


def join_head(head: Mapping[str, Any], numbers: bytes) -> bytes:
    """The bytes of a file for a page: the head's length as a uint32, the head, padded to a multiple of 4 bytes, and the numbers."""
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return len(text).to_bytes(4, "little") + text + numbers
