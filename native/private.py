"""Folders and files that no other user may write: what they hold is run, or trusted, as if this user had made it.

A folder is private if it belongs to this user or to root, and neither its group nor others may write it. In a folder with the
sticky bit, as /tmp, others may make files of their own but not touch those of anybody else; so it is private too, and its
contents are checked one by one. Everything is opened first and checked afterwards, level by level, so that nothing can be
swapped in between; symbolic links are followed, and their targets are checked.

Windows keeps a user's folders from others by access lists, which modes do not show. Nothing of this is checked there.
"""

from __future__ import annotations

import os
import shlex
import stat
from pathlib import Path
from typing import BinaryIO

POSIX = os.name == "posix"
FOLDER_MODE, FILE_MODE = 0o700, 0o600
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


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
    handle = _open_within(path.parents[levels - 1], path.parts[-levels:]) if POSIX and levels else os.open(path, READ)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(f"{path} is not a regular file; remove it")
    return os.fdopen(handle, "rb")


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
    if POSIX and levels:
        os.close(_open_within([folder, *folder.parents][levels - 1], folder.parts[len(folder.parts) - levels + 1 :], file=False))


def _open_within(top: Path, names: tuple[str, ...], *, file: bool = True) -> int:
    """Opens a folder, and the names one within the other from there; the last may be a file. Each is looked at."""
    path, handle = top, _open(top, None, folder=bool(names) or not file)
    for number, name in enumerate(names, 1):
        outer, path = handle, path / name
        try:
            handle = _open(path, outer, folder=number < len(names) or not file)
        finally:
            os.close(outer)
    return handle


def _open(path: Path, within: int | None, *, folder: bool) -> int:
    handle = os.open(path if within is None else path.name, READ | (os.O_DIRECTORY if folder else 0), dir_fd=within)
    try:
        _check(path, os.fstat(handle))
    except OSError:
        os.close(handle)
        raise
    return handle


def _check(path: Path, about: os.stat_result) -> None:
    if about.st_uid not in (0, os.geteuid()):
        raise NotPrivateError(f"{path} belongs to another user (number {about.st_uid}), neither to you nor to root")
    sticky = stat.S_ISDIR(about.st_mode) and about.st_mode & stat.S_ISVTX
    if about.st_mode & OTHERS_WRITE and not sticky:
        who, mode = shlex.quote(str(path)), stat.S_IMODE(about.st_mode)
        raise NotPrivateError(f"others may write {path} (its mode is {mode:o}); `chmod go-w {who}` fixes that")
