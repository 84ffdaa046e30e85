"""The saved table of a solved Quixo: one byte a board.

The file (../table_file.py) holds the entry of each board (retrograde.py), in the order of their numbers (boards.py): 43 MB for 4×4.
"""

from __future__ import annotations

import os
from functools import cache
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ...core.files.reading import DIGEST_BYTES
from ...search.watch import Watch
from ..table_file import TableFile, map_content
from .retrograde import solve_size

Table = NDArray[np.uint8]
"""The entry of each board, by its number, read-only."""


@cache
def file_of(size: int) -> TableFile[Table]:
    """The file of a size, 3 or 4."""

    def make(watch: Watch) -> Table | None:
        table = solve_size(size, watch)
        if table is not None:
            table.flags.writeable = False
        return table

    def read(file: BinaryIO) -> Table:
        if os.fstat(file.fileno()).st_size != DIGEST_BYTES + 3 ** (size**2):
            raise ValueError("it has the wrong length")
        return np.frombuffer(map_content(file), np.uint8)

    return TableFile(name=f"quixo-{size}.table", make=make, content=lambda table: (table.data,), read=read)


def table_of(size: int, watch: Watch | None = None) -> Table | None:
    """The table of a size: in memory, or read from its file, or made and saved there.

    Args:
        size: 3 or 4.
        watch: limits and progress of making it; Ctrl-C stops it without a watch too.

    Returns:
        The table; None where a limit of the watch came first, and then nothing is saved.
    """
    return file_of(size).table(watch)
