"""Locks between processes, by filelock. The system releases a lock when the process that holds it ends, however it ends.

A lock is a file, which is there while somebody holds the lock. filelock is imported at first use: most processes lock nothing.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import BaseFileLock

PATIENCE = 300.0
"""Seconds to wait for another process, which may have been stopped."""
LOOK_AGAIN = 0.02
"""Seconds between two attempts to lock."""


@contextmanager
def hold_lock(path: Path, patience: float = 0.0) -> Generator[None]:
    """Holds the lock of this file. BlockingIOError if somebody else, in this process or another, still holds it after `patience`
    seconds; OSError where the file cannot be made."""
    from filelock import FileLock, Timeout

    if not path.parent.is_dir():  # filelock would create it
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
    lock = FileLock(path)
    try:
        lock.acquire(timeout=patience)
    except Timeout:
        raise BlockingIOError(f"somebody else holds the lock {path}") from None
    try:
        yield
    finally:
        _release(lock)


@contextmanager
def turn(path: Path, mode: int) -> Generator[None]:
    """Lets the first process do what several need, while the others wait for it, by a lock's file, which is made with this mode.

    A process that has waited makes nobody else wait: if the first one has not finished its work (the disk is full, or the process
    has died), all that waited do it at the same time. Where files cannot be locked (a full disk, a folder that may not be written,
    a file system without locks) nobody waits.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path, mode=mode)
    try:
        with suppress(OSError, NotImplementedError):  # without locks every process goes ahead
            try:
                lock.acquire(timeout=0)
            except Timeout:
                lock.acquire(timeout=PATIENCE, poll_interval=LOOK_AGAIN)
                _release(lock)
        yield
    finally:
        if lock.is_locked:
            _release(lock)


def _release(lock: BaseFileLock) -> None:
    with suppress(OSError):
        Path(lock.lock_file).unlink()  # while it is held: who locks the file next sees that it is gone, and makes a new one
    lock.release()
