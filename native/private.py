"""Folders and files that no other user may write: what they hold is run, or trusted, as if this user had made it.

A folder is private if it belongs to this user or to root, and neither its group nor others may write it. In a folder with the
sticky bit, as /tmp, others may make files of their own but not touch those of anybody else; so it is private too, and its
contents are checked one by one. Folders are checked from the top down, and a file once it is open: what lies in a private folder
nobody else can swap in between. Symbolic links are followed, and both they and their targets are checked.

Windows keeps a user's folders from others by access lists, which modes do not show. Nothing of this is checked there.
"""

from __future__ import annotations

import os
import shlex
import stat
from pathlib import Path
from typing import BinaryIO

from ..core.files.reading import open_regular

POSIX = os.name == "posix"
FOLDER_MODE, FILE_MODE = 0o700, 0o600
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class NotPrivateError(OSError):
    """Somebody else may write a folder or a file; the message says what to do."""


def open_private(path: Path, levels: int) -> BinaryIO:
    """Opens a file that no other user may write, for reading. A FIFO or a device is refused without waiting.

    Args:
        path: the file.
        levels: how many of its parent folders are checked, from the last one upwards; 0 to check nothing, not even the file.

    Raises:
        NotPrivateError: somebody else may write the file or one of these folders.
        OSError: it is not there, cannot be read, or is not a regular file.
    """
    check_private(path.parent, levels)
    file = open_regular(path)
    try:
        if POSIX and levels:
            _check(path, os.fstat(file.fileno()))
    except OSError:
        file.close()
        raise
    return file


def make_private(folder: Path, levels: int) -> None:
    """Makes a folder that no other user may write, if it does not exist yet.

    Args:
        folder: the folder.
        levels: how many levels are made so, and checked, from the last one upwards. Those above are made as usual.

    Raises:
        NotPrivateError: it is there, and somebody else may write it.
        OSError: it cannot be made.
    """
    for number, path in reversed([*enumerate([folder, *folder.parents][: levels + 1])]):
        path.mkdir(FOLDER_MODE if number < levels else 0o777, parents=number == levels, exist_ok=True)
    check_private(folder, levels)


def check_private(folder: Path, levels: int) -> None:
    """Checks that no other user may write a folder.

    Args:
        folder: the folder.
        levels: how many levels are checked, from the last one upwards.

    Raises:
        NotPrivateError: somebody else may.
        OSError: it is not there, or may not be read.
    """
    for path in reversed([folder, *folder.parents][:levels] if POSIX else []):
        _check(path, path.stat(), path.lstat())


def _check(path: Path, *about: os.stat_result) -> None:
    """Checks what is known of a folder or an open file, and of the link that may lead there, whose mode says nothing."""
    for owner in (status.st_uid for status in about):
        if owner not in (0, os.geteuid()):
            raise NotPrivateError(f"{path} belongs to another user (number {owner}), neither to you nor to root")
    mode = about[0].st_mode
    if mode & OTHERS_WRITE and not (stat.S_ISDIR(mode) and mode & stat.S_ISVTX):
        fix = f"chmod go-w {shlex.quote(str(path))}"
        raise NotPrivateError(f"others may write {path} (its mode is {stat.S_IMODE(mode):o}); `{fix}` fixes that")
