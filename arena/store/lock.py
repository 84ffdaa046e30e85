"""A lock that one process at a time holds, and that the system takes back when the process ends, however it ends."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where nothing is locked
    fcntl = None


@contextmanager
def held(path: Path) -> Generator[None]:
    """Holds the lock that a file of this name stands for; the file is there while it is held.

    Raises:
        BlockingIOError: somebody else holds it, in this process or another.
        OSError: the file cannot be made.
    """
    handle = None if fcntl is None else _taken(path)
    try:
        yield
    finally:
        if handle is not None:
            with suppress(OSError):
                path.unlink()  # before it is let go, so that whoever takes it next finds out that it has no name any more
            os.close(handle)


def _taken(path: Path) -> int:
    assert fcntl is not None
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BaseException:
            os.close(handle)
            raise
        if os.fstat(handle).st_nlink:
            return handle
        os.close(handle)
