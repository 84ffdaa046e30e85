"""Writes files: a target is checked before the work begins, and a file is written whole or not at all.

A target is a regular file, there already or not yet, or a stream: a terminal, another character device or a pipe, also as
/dev/stdout. Streams are written through and never replaced. Folders, sockets and disks are refused. Where a target is a symbolic
link, the file that it leads to is replaced, and the link stays.

Every error is a sentence with the file's name and the system's message. `add_to_errors` adds what is safe, and the command that
resumes.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ..numbers import short_repr
from .reading import LONGEST_PATH, digest, sort_of

STANDARD_STREAMS = ("/dev/stdout", "/dev/stderr")
MOST_WAITING = 1 << 14
"""The most bytes that are held in memory before they are written to a growing file: 16 KiB."""


def check_target(path: Path, *, stream: bool = True, room: int = 1) -> None:
    """Checks that a file can be written, before the work begins whose result it will hold. The check leaves no file.

    Args:
        path: the target.
        stream: whether it may be a stream, too.
        room: how many bytes will be needed, if known.

    Raises:
        OSError: it is not a possible target, its folder is not there or may not be written, or the disk has less room.
    """
    if is_stream(path):
        if not stream:
            raise OSError(f"{path} is a stream, and a regular file is needed; name another")
        if not os.access(path, os.W_OK):
            raise PermissionError(f"{path} is protected from being written; name another file")
        return
    with _in_words(path):
        target = _place_of(path)
        partial = _partial_of(target)
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        partial.unlink()
        disk = shutil.disk_usage(target.parent)
        if disk.total and disk.free < room:
            raise OSError(errno.ENOSPC, f"{disk.free:,} bytes are free, and {room:,} or more are needed")


def is_stream(path: Path) -> bool:
    """Whether a target is a stream: a character device or a pipe, or a standard stream, which the shell may have led to a file."""
    if str(path) in STANDARD_STREAMS:
        return True
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):  # not there, or not to be reached, which is found out when it is written
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def write_whole(path: Path, *parts: bytes | memoryview, mode: int | None = None, previous: Path | None = None) -> None:
    """Writes a file, whole or not at all.

    Args:
        path: the target.
        parts: its content, one after the other.
        mode: its permissions; None for those of the file that it replaces, or the usual ones of a new file.
        previous: where to keep the file that it replaces; None to let it go.

    Raises:
        OSError: it cannot be written. What was there before is still there.
    """
    with writing_whole(path, mode, previous) as file:
        for part in parts:
            file.write(part)


def write_checked(path: Path, *content: bytes | memoryview, label: bytes = b"", mode: int | None = None) -> None:
    """Writes a file whole, the checksum of its label and its content first; the arguments are those of `write_whole`."""
    write_whole(path, digest(label, *content), *content, mode=mode)


@contextmanager
def writing_whole(path: Path, mode: int | None = None, previous: Path | None = None) -> Generator[BinaryIO]:
    """Opens a file to write little by little; it replaces the target only if the block ends without an error."""
    if is_stream(path):
        with _in_words(path), _open_stream(path) as file:
            yield file
        return
    with making_whole(path, mode, previous) as partial, partial.open("wb") as file:
        yield file


@contextmanager
def making_whole(path: Path, mode: int | None = None, previous: Path | None = None) -> Generator[Path]:
    """Gives a library that writes by itself an empty file beside the target; at the end that file replaces the target. OSError
    where that cannot be written, or is not a regular file."""
    with _in_words(path):
        target = _place_of(path)
        partial = _partial_of(target)
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else mode)
        os.close(handle)
        try:
            if mode is None and target.exists():
                mode = stat.S_IMODE(target.stat().st_mode)
            if mode is not None:
                partial.chmod(mode)  # whatever the umask
            yield partial
            if previous is not None and target.exists():
                os.replace(target, previous)
            os.replace(partial, target)
        except BaseException:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise


def make_folder(path: Path) -> None:
    """Makes a folder and its parents where they do not exist yet."""
    with _in_words(path):
        path.mkdir(parents=True, exist_ok=True)


class Growing:
    """A file that grows by whole records: where the disk is full, no part of a record stays in it.

    Args:
        path: the file; what is in it stays.
        whole: only that many bytes of it stay, if given: a record after them was cut off.

    Raises:
        OSError: it cannot be written, or is not a regular file.
    """

    def __init__(self, path: Path, whole: int | None = None) -> None:
        self._path, self._waiting = path, b""
        with _in_words(path):
            target = _place_of(path)
            self._handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
            if whole is not None:
                os.ftruncate(self._handle, whole)

    def add(self, record: bytes) -> None:
        """Adds a record, which may wait in memory for those that follow, until `flush`; after an OSError, it still waits."""
        self._waiting += record
        if len(self._waiting) > MOST_WAITING:
            self.flush()

    def flush(self) -> None:
        """Writes what waits; after an OSError, it still waits."""
        with _in_words(self._path):
            before = os.fstat(self._handle).st_size
            try:
                rest = memoryview(self._waiting)
                while rest:
                    rest = rest[os.write(self._handle, rest) :]
            except BaseException:
                os.ftruncate(self._handle, before)
                raise
        self._waiting = b""

    def close(self) -> None:
        """Ends writing. What `flush` could not write is left out."""
        with suppress(OSError):
            self.flush()
        os.close(self._handle)


@contextmanager
def add_to_errors(safe: Callable[[], str], folder: Path | None = None) -> Generator[None]:
    """Adds to an OSError what is safe and how to continue; `safe` is called when the error occurs. An error that names no file, as
    of a full disk, names the folder where files are written."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.EPIPE and error.strerror is not None:  # nobody reads stdout any more
            raise
        words = safe()
        where = error.filename or folder
        text = str(error) if error.strerror is None else f"{error.strerror}: {where}" if where else error.strerror
        raise _of_kind(error, f"{text}. {words[:1].upper()}{words[1:]}" if words else text) from error


def path_of(text: str | Path) -> Path:
    """A path as somebody types it, `~` and `~name` standing for a user's home, `./~` for a file of this name; ValueError where it
    is none."""
    text = str(text)
    if not text or "\0" in text:
        raise ValueError(f"{short_repr(text)} is not a name of a file")
    if len(text) > LONGEST_PATH:
        raise ValueError(f"{short_repr(text)} is too long for a path: it has {len(text):,} characters, of at most {LONGEST_PATH:,}")
    path = Path(os.path.expanduser(text))
    if text.startswith("~") and str(path).startswith("~"):
        user = path.parts[0]
        raise ValueError(f"{text} cannot be found, there is no home folder of {user}; write the path in full")
    return path.absolute() if str(path).startswith("~") else path


def _open_stream(path: Path) -> BinaryIO:
    """A stream, to write at its end, since stdout may be a file that holds other lines; a pipe that nobody reads is an error."""
    at_once = getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | at_once)
    if at_once:
        os.set_blocking(handle, True)
    return os.fdopen(handle, "ab")


def _place_of(path: Path) -> Path:
    """The path of a regular file, there already or not yet, with all links followed; OSError where there is something else."""
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return target
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(f"{path} is a folder; name a file")
    if not stat.S_ISREG(mode):
        raise OSError(f"{path} is {sort_of(mode)}, not a file; name a regular file")
    if not os.access(target, os.W_OK):
        raise PermissionError(f"{path} is protected from being written; name another file")
    return target


def _partial_of(target: Path) -> Path:
    """A new name beside a target, no longer than file names may be."""
    return target.with_name(f"{target.name[:40]}.{os.urandom(4).hex()}.partial")


@contextmanager
def _in_words(path: Path) -> Generator[None]:
    """Rewrites system errors as sentences. Errors that are sentences already pass, as does that of a pipe that nobody reads any
    more: the command line ends quietly then."""
    try:
        yield
    except OSError as error:
        if error.strerror is None or error.errno == errno.EPIPE:
            raise
        raise _of_kind(error, f"{path} cannot be written ({error.strerror})") from None


def _of_kind(error: OSError, words: str) -> OSError:
    """An error with another message: of the same class if that is built in, else an OSError."""
    kind = type(error) if type(error).__module__ == "builtins" else OSError
    return kind(words)
