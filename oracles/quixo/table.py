"""The saved table of a solved Quixo: one byte a board, checked when it is opened, and mapped into memory.

The file (../files.py) holds the entry of each board (retrograde.py), in the order of their numbers (boards.py): 43 MB for 4×4.
"""

from __future__ import annotations

import mmap
import os
import threading
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ...core.files.checked import content_of
from ...core.files.reading import DIGEST_BYTES
from ...search.watch import Watch
from .. import files
from .retrograde import solve_size

Table = NDArray[np.uint8]
"""The entry of each board, by its number, read-only."""

_lock = threading.Lock()
_open: dict[Path, Table] = {}


def _forget_lock() -> None:
    """Replaces the lock in a forked child, where the thread that held it does not run."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_lock)


def table_of(size: int, watch: Watch | None = None) -> Table | None:
    """The table of a size: in memory, or read from its file, or made and saved there.

    Args:
        size: 3 or 4.
        watch: limits and progress of making it; Ctrl-C stops it without a watch too.

    Returns:
        The table; None where a limit of the watch came first, and then nothing is saved.
    """
    path = files.path_of(f"quixo-{size}.table")
    if path in _open:
        return _open[path]
    followed = watch or Watch()
    return followed.run(lambda: _open_table(path, size, followed))


def _open_table(path: Path, size: int, watch: Watch) -> Table | None:
    with _lock:
        if path not in _open:
            table = read_table(path, size)
            if table is None:
                table = _make_table(path, size, watch)
            if table is None:
                return None
            _open[path] = table
        return _open[path]


def read_table(path: Path, size: int) -> Table | None:
    """The table in a file; None if there is no file, or a damaged one, which the log reports."""

    def reader(file: BinaryIO) -> Table:
        if os.fstat(file.fileno()).st_size != DIGEST_BYTES + 3 ** (size**2):
            raise ValueError("it has the wrong length")
        return np.frombuffer(content_of(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))), np.uint8)

    return files.read(path, "the table is made again", reader)


def _make_table(path: Path, size: int, watch: Watch) -> Table | None:
    """Makes a table and saves it in the file, or keeps it in memory if that fails; None if the watch stopped the work."""
    table = solve_size(size, watch)
    if table is None:
        return None
    table.flags.writeable = False
    try:
        files.write(path, table.data)
    except OSError as error:
        files.log.warning("the table %s cannot be written (%s); it stays in memory, and each process makes its own", path, error)
        return table
    saved = read_table(path, size)
    return table if saved is None else saved
