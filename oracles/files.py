"""Files that oracles keep in the folder `tables` of the cache (`LUDUS_CACHE` moves it): a checksum, then the content.

They are written whole or not at all. A file that is damaged or of another version is reported in the log and not used.

A `TableFile` is a large table that an oracle makes once: kept in the cache, checked when it is opened, and mapped into memory.
Each process opens it once. Where it cannot be written, the table stays in memory.
"""

from __future__ import annotations

import logging
import mmap
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.files.named_arrays import npz_of, read_npz
from ..core.files.reading import content_of
from ..core.native import cache
from ..search.watch import Watch

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


# ---- tables

_lock = threading.Lock()
_open: dict[Path, Any] = {}


def _forget_lock() -> None:
    """Replaces the lock in a forked child, where the thread that held it does not run."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_lock)


@dataclass(frozen=True)
class TableFile(Generic[T]):
    """A table and its file.

    Args:
        name: the file's name.
        make: makes the table; None if the watch stopped it.
        content: what the file holds of a table.
        read: the table in an open file; raises ValueError where its content is wrong.
    """

    name: str
    make: Callable[[Watch], T | None]
    content: Callable[[T], tuple[memoryview, ...]]
    read: Callable[[BinaryIO], T]

    @property
    def path(self) -> Path:
        """Where the file lies."""
        return path_of(self.name)

    @property
    def exists(self) -> bool:
        """Whether the table is open, or has a file."""
        return self.path in _open or self.path.exists()

    def table(self, watch: Watch | None = None) -> T | None:
        """The table: in memory, or read from its file, or made and saved there; None where a limit of the watch came first, when
        nothing is saved. Ctrl-C stops making it without a watch too."""
        if self.path in _open:
            return _open[self.path]
        followed = watch or Watch()
        return followed.run(lambda: self._table(followed))

    def _table(self, watch: Watch) -> T | None:
        path = self.path
        with _lock:
            if path not in _open:
                table = self.load(path)
                if table is None:
                    table = self._make(path, watch)
                if table is None:
                    return None
                _open[path] = table
            return _open[path]

    def load(self, path: Path) -> T | None:
        """The table in a file; None if there is no file, or a damaged one, which the log reports."""
        return read(path, "the table is made again", self.read)

    def _make(self, path: Path, watch: Watch) -> T | None:
        """Makes the table and saves it, or keeps it in memory if that fails; None if the watch stopped the work."""
        table = self.make(watch)
        if table is None:
            return None
        try:
            cache.write_file(path, *self.content(table))
        except OSError as error:
            log.warning("the table %s cannot be written (%s); it stays in memory, and each process makes its own", path, error)
            return table
        saved = self.load(path)
        return table if saved is None else saved


def map_content(file: BinaryIO) -> memoryview:
    """What an open file holds after its checksum, mapped into memory; ValueError where the checksum does not fit."""
    return content_of(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))
