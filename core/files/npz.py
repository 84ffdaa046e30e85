"""Archives of numpy arrays (`.npz`), read from bytes: without pickle, and without trusting the sizes that they state."""

from __future__ import annotations

import io
import math
import zipfile
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from .named_arrays import Arrays

MOST_BYTES = 16 << 30
"""What all arrays of an archive may take up: 16 GiB."""
HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def read_npz(content: bytes) -> Arrays:
    """The arrays of an archive.

    Raises:
        ValueError: it is not such an archive, or is damaged; the message says why.
    """
    if not content.startswith(b"PK"):
        raise ValueError("it is not an archive of arrays, as numpy.savez writes them")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            if size > MOST_BYTES:
                raise ValueError(f"its arrays would take {size:,} bytes, and at most {MOST_BYTES:,} are read")
            return {entry.filename.removesuffix(".npy"): _array(archive.read(entry)) for entry in archive.infolist()}
    except Exception as error:  # damaged archives raise errors of every kind
        raise ValueError(" ".join(str(error).split()) or type(error).__name__) from None


def _array(content: bytes) -> NDArray[Any]:
    file = io.BytesIO(content)
    version = npy.read_magic(file)
    if version not in HEADERS:
        raise ValueError(f"an array is written in version {version} of numpy's format")
    shape, by_column, dtype = HEADERS[version](file)
    if dtype.hasobject:
        raise ValueError("an array holds objects, and objects can run code; an array holds numbers, truth values or text")
    held = len(content) - file.tell()
    if math.prod(shape) * dtype.itemsize != held or any(length < 0 for length in shape):
        raise ValueError(f"an array says that it is {shape} of {dtype}, and holds {held:,} bytes")
    return np.frombuffer(content, dtype, offset=file.tell()).reshape(shape, order="F" if by_column else "C").copy()
