"""The rule for compiled code: it is loaded only from folders and files that nobody but this user and root may write.

A folder or file is private if it belongs to this user or to root, and neither its group nor others may write it. The cache's
folders are checked from the top down, and then the file once it is open (cache.py): nobody else can replace what lies in a private
folder. Windows has other permissions than these, and nothing is checked there.
"""

from __future__ import annotations

import os
import shlex
import stat
from pathlib import Path
from typing import BinaryIO

POSIX = os.name == "posix"
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
ADVICE = "name another folder by LUDUS_CACHE or LUDUS_SHARED"


class NotPrivateError(OSError):
    """Somebody else may write a folder or a file; the message says what to do."""


def check_private(path: Path, opened: BinaryIO | None = None) -> None:
    """Checks that no other user may write a folder or a file.

    Args:
        path: the folder or file.
        opened: the file, where it is open: it is checked itself, whatever lies at its path by now.

    Raises:
        NotPrivateError: somebody else may write it.
        OSError: it is not there, or cannot be examined.
    """
    if not POSIX:
        return
    status = path.stat() if opened is None else os.fstat(opened.fileno())
    link = path.lstat()  # whoever owns a symbolic link decides where it leads
    for owner in (link.st_uid, status.st_uid):
        if owner not in (0, os.geteuid()):
            raise NotPrivateError(f"{path} is not used, since it belongs to another user (number {owner}); {ADVICE}")
    if status.st_mode & OTHERS_WRITE:
        command = f"chmod go-w {shlex.quote(str(path))}"
        raise NotPrivateError(f"{path} is not used, since others may write it; run `{command}`, or {ADVICE}")
