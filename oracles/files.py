"""Files that oracles keep in the folder `tables` of the cache (`LUDUS_CACHE` moves it): a checksum, then the content.

They are written whole or not at all. A file that is damaged or of another version is reported in the log and not used.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.files.named_arrays import npz_of, read_npz
from ..core.files.reading import content_of
from ..core.native import cache

VERSION = 1
T = TypeVar("T")

log = logging.getLogger("ludus")


def path_of(name: str) -> Path:
    """The path of the file of this name."""
    return cache.folder() / cache.TABLES / name


def read(path: Path, otherwise: str, reader: Callable[[BinaryIO], T]) -> T | None:
    """The content of a file, as `reader` returns it; None if there is no file, or a damaged one, which the log reports.

    Args:
        path: the file.
        otherwise: what happens without the file, for the log.
        reader: reads the file; raises ValueError where its content is wrong.
    """
    try:
        with cache.open_trusted(path) as file:
            return reader(file)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        log.warning("the file %s cannot be used (%s); %s", path, error, otherwise)
        return None


def read_arrays(path: Path, otherwise: str) -> dict[str, NDArray[Any]] | None:
    """The arrays in a file that `write_arrays` wrote; as for `read`."""

    def reader(file: BinaryIO) -> dict[str, NDArray[Any]]:
        arrays = read_npz(bytes(content_of(file.read())))
        if arrays.pop("version", None) != VERSION:
            raise ValueError("it was written by another version of ludus")
        return arrays

    return read(path, otherwise, reader)


def write_arrays(path: Path, **arrays: Any) -> None:
    """Writes arrays, as numpy saves them (.npz), with a checksum to a file."""
    cache.write_file(path, npz_of({"version": np.array(VERSION), **arrays}))
