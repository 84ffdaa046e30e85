"""`TableFile`: a large table that an oracle makes once: kept in the cache, checked when it is opened, and mapped into memory.

Each process opens a file once. Where it cannot be written, the table stays in memory.
"""

from __future__ import annotations

import mmap
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

from ..core.files.reading import content_of
from ..core.native import cache
from ..search.watch import Watch
from . import files

T = TypeVar("T")

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
        name: the file's name, in the folder that files.py names.
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
        return files.path_of(self.name)

    @property
    def exists(self) -> bool:
        """Whether the table is open, or has a file."""
        return self.path in _open or self.path.exists()

    def table(self, watch: Watch | None = None) -> T | None:
        """The table: in memory, or read from its file, or made and saved there.

        Args:
            watch: limits and progress of making it; Ctrl-C stops it without a watch too.

        Returns:
            The table; None where a limit of the watch came first, and then nothing is saved.
        """
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
        return files.read(path, "the table is made again", self.read)

    def _make(self, path: Path, watch: Watch) -> T | None:
        """Makes the table and saves it, or keeps it in memory if that fails; None if the watch stopped the work."""
        table = self.make(watch)
        if table is None:
            return None
        try:
            cache.write_file(path, *self.content(table))
        except OSError as error:
            files.log.warning(
                "the table %s cannot be written (%s); it stays in memory, and each process makes its own", path, error
            )
            return table
        saved = self.load(path)
        return table if saved is None else saved


def map_content(file: BinaryIO) -> memoryview:
    """What an open file holds after its checksum, mapped into memory; ValueError where the checksum does not fit."""
    return content_of(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))
