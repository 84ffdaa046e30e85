"""Files of arrays: npz without pickles, with a checksum, written whole; the same arrays make the same bytes."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.files import digest, write_whole
from .trainer import Arrays

CHECKSUM = "checksum"
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""What the file says of when its parts were written, so that it does not depend on when that was."""


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Writes arrays to a file.

    Raises:
        OSError: it cannot be written.
        ValueError: an array holds Python objects.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, array in {**arrays, CHECKSUM: _checksum(arrays)}.items():
            part = zipfile.ZipInfo(f"{name}.npy", LONG_AGO)
            part.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(part, "w", force_zip64=True) as file:
                np.lib.format.write_array(file, np.asanyarray(array), allow_pickle=False)
    write_whole(path, content.getbuffer())


def read_arrays(path: Path) -> Arrays:
    """The arrays of a file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is damaged, or no such file.
    """
    content = io.BytesIO(path.read_bytes())
    try:
        if not zipfile.is_zipfile(content):
            raise ValueError
        with np.load(content, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        if not np.array_equal(arrays.pop(CHECKSUM), _checksum(arrays)):
            raise ValueError
    except (ValueError, KeyError, EOFError, OSError, NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error):
        raise ValueError(f"{path} is damaged, or was not written by a run") from None
    return arrays


def _checksum(arrays: Mapping[str, NDArray[Any]]) -> NDArray[np.uint8]:
    parts = ((f"{name} {array.dtype.str} {array.shape}\n".encode(), array.tobytes()) for name, array in sorted(arrays.items()))
    return np.frombuffer(digest(*(part for pair in parts for part in pair)), np.uint8)
