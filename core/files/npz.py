"""Archives of numpy arrays (`.npz`), read from bytes: without pickle, and none that would fill the memory."""

from __future__ import annotations

import io

import numpy as np

from .named_arrays import Arrays

MOST_BYTES = 16 << 30
"""What all arrays of an archive may take up: 16 GiB."""


def read_npz(content: bytes) -> Arrays:
    """The arrays of an archive.

    Raises:
        ValueError: it is not such an archive, or is damaged; the message says why.
    """
    if not content.startswith(b"PK"):
        raise ValueError("it is not an archive of arrays, as numpy.savez writes them")
    try:
        # An array that is smaller than it says takes no memory: numpy fills it as it reads, and comes to the end of the file.
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            size = sum(entry.file_size for entry in archive.zip.infolist())
            if size > MOST_BYTES:
                raise ValueError(f"its arrays would take {size:,} bytes, and at most {MOST_BYTES:,} are read")
            arrays = dict(archive)
        if no_arrays := [name for name, array in arrays.items() if not isinstance(array, np.ndarray)]:
            raise ValueError(f"{no_arrays[0]!r} is no array")
        return arrays
    except Exception as error:  # damaged archives raise errors of every kind
        raise ValueError(" ".join(str(error).split()) or type(error).__name__) from None
