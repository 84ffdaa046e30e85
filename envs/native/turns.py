"""Several processes that need the same kernel compile it once: the first one does, and the others wait for its file.

All kernels share one lock file, in which each has a byte of its own, so that no lock files pile up. The system takes a byte back
when the process that holds it ends, however it ends. Where files cannot be locked (a full disk, a folder that may not be written,
a file system without locks) every process compiles for itself, and nobody waits.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 0, os.SEEK_CUR)


PATIENCE = 300.0
"""Seconds to wait for another process, which may have been stopped."""
LOOK_AGAIN = 0.02
"""Seconds between two attempts to lock a byte."""


@contextmanager
def turn(path: Path, fingerprint: str) -> Generator[None]:
    """Keeps other processes that need a kernel waiting; where one of them was first, waits until it is done.

    Who has waited keeps nobody waiting: if there is still no file then (the disk is full, or the other process has died), all
    who have waited compile at the same time. A process takes one turn at a time, since closing the lock file gives back all of
    its bytes.

    Args:
        path: the lock file; it is made where it is not there yet.
        fingerprint: the kernel's, in hexadecimal digits. Kernels whose first seven digits are equal wait for each other.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError:
        yield
        return
    with os.fdopen(handle, "rb", buffering=0) as file:
        file.seek(int(fingerprint[:7], 16))
        if _is_held(handle):
            until = monotonic() + PATIENCE
            while _is_held(handle) and monotonic() < until:
                sleep(LOOK_AGAIN)
            file.close()
        yield


def _is_held(handle: int) -> bool:
    """Whether another process holds the byte where a file stands; if not, and if files can be locked here, this one does now."""
    try:
        _lock(handle)
    except (BlockingIOError, PermissionError):
        return True
    except OSError:
        return False
    return False
