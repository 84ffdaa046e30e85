"""Archives of numpy arrays (`.npz`), as bytes: without pickle, and none is read that would fill the memory."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.lib.format import read_array, write_array

from .named_arrays import Arrays

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
            # Each entry is read to its end, where zipfile compares its checksum; numpy stops where the array's header says.
            # An array that is smaller than it says takes no memory: numpy fills it as it reads, and comes to the entry's end.
            entries = {entry.filename.removesuffix(".npy"): io.BytesIO(archive.read(entry)) for entry in archive.infolist()}
        return {name: read_array(entry, allow_pickle=False) for name, entry in entries.items()}
    except Exception as error:  # damaged archives raise errors of every kind
        raise ValueError(" ".join(str(error).split()) or type(error).__name__) from None
