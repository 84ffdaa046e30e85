"""The saved table of a solved Quixo: one byte a board, checked when it is opened, and mapped into memory.

    bytes 0-15    checksum of all that follows (BLAKE2b)
    16-31         "ludus quixo" and zeros
    32-39         version of the format, size of the board
    40-63         how many boards are won, lost and drawn for the player to move
    64-           the entry of each board (retrograde.py), in the order of their numbers (boards.py)

Numbers are little-endian. It lies in the folder `tables` of the cache (`LUDUS_CACHE` moves it): 43 MB for 4×4.
"""

from __future__ import annotations

import mmap
import os
import struct
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ....envs.files.checked import content_of
from ....envs.files.reading import DIGEST_BYTES
from ...search.watch import Watch
from .. import files
from .retrograde import DRAWN, solved

HEADER = struct.Struct("<16sIIQQQ")
START = DIGEST_BYTES + HEADER.size
MAGIC, VERSION = b"ludus quixo".ljust(16, b"\0"), 1

_lock = threading.Lock()
_open: dict[Path, Table] = {}


@dataclass(frozen=True, eq=False)
class Table:
    """A solved size.

    Args:
        entries: what is known of each board, by its number (uint8, read-only).
        counts: how many boards are won, lost and drawn for the player to move.
    """

    entries: NDArray[np.uint8]
    counts: tuple[int, int, int]


def table_of(size: int, watch: Watch | None = None) -> Table | None:
    """The table of a size: open already, or from its file, or made and kept there.

    Args:
        size: 3 or 4.
        watch: limits and progress of making it; Ctrl-C stops it without a watch too.

    Returns:
        None where a limit of the watch came first; nothing is kept then.
    """
    path = files.path_of(f"quixo-{size}.table")
    if path in _open:
        return _open[path]
    followed = watch or Watch()
    return followed.run(lambda: _opened(path, size, followed))


def _opened(path: Path, size: int, watch: Watch) -> Table | None:
    with _lock:
        if path not in _open:
            table = read_table(path, size) or _made(path, size, watch)
            if table is None:
                return None
            _open[path] = table
        return _open[path]


def read_table(path: Path, size: int) -> Table | None:
    """The table in a file; None if there is no intact one, which the log reports."""

    def reader(file: BinaryIO) -> Table:
        if os.fstat(file.fileno()).st_size != START + 3 ** (size**2):
            raise ValueError("it is not as long as it should be")
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        magic, version, its_size, *counts = HEADER.unpack_from(content_of(memoryview(content)))
        if (magic, version, its_size) != (MAGIC, VERSION, size):
            raise ValueError("it was written by another version of ludus")
        return Table(np.frombuffer(content, np.uint8, offset=START), (counts[0], counts[1], counts[2]))

    return files.read(path, "the table is made again", reader)


def _made(path: Path, size: int, watch: Watch) -> Table | None:
    """A new table, kept in the file where that can be written, else in memory; None where the watch stopped the work."""
    entries = solved(size, watch)
    if entries is None:
        return None
    entries.flags.writeable = False
    won, lost = int(np.count_nonzero(entries < DRAWN)), int(np.count_nonzero(entries > DRAWN))
    table = Table(entries, (won, lost, len(entries) - won - lost))
    try:
        files.write(path, HEADER.pack(MAGIC, VERSION, size, *table.counts), entries.data)
    except OSError as error:
        files.log.warning("the table %s cannot be written (%s); it stays in memory, and each process makes its own", path, error)
        return table
    return read_table(path, size) or table
