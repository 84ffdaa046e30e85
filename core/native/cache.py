"""The folder of compiled kernels: one file per kernel and fingerprint, checksummed, written atomically.

`LUDUS_CACHE` moves the folder; without it, it is the user's cache folder of the platform, or, for a user without a home, a folder
among the temporary files. It may be one that root has filled for all users. What it lacks may have come with ludus
(benchmarks/making/compiled_wheel.py): that is trusted as its sources are.

It holds code that is run, so only this user and root may write it. The folders are checked from the top down, and then the file
once it is open: nobody else can replace what lies in a private folder. A folder that others may write is not used: this is logged
once, and each process compiles what it needs. Windows has other permissions, and nothing is checked there.
"""

from __future__ import annotations

import logging
import os
import shlex
import shutil
import stat
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

import platformdirs

from ..files.locking import turn as turn_at
from ..files.reading import content_of, open_regular
from ..files.writing import check_target, path_of, write_checked

KERNELS, TABLES = "kernels", "tables"
SHIPPED = Path(__file__).parents[2]
"""The folder with the kernels that come with ludus, if they do."""
SUFFIX, LOCK = ".kernel", ".lock"
"""Files of kernels, and those that processes lock while they compile one."""
FOLDER_MODE, FILE_MODE = 0o755, 0o644
"""Others may read, so that an administrator can fill a folder for them."""
LOCK_MODE = 0o600
"""Whoever may open a lock's file can make others wait."""
ROOM = 1 << 24
"""The bytes that the kernels of all games need at most: 16 MiB."""
MOST_BYTES = 1 << 26
"""The most bytes that a compiled kernel may have: 64 MiB."""
POSIX = os.name == "posix"
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
ADVICE = "name another folder by LUDUS_CACHE"

log = logging.getLogger("ludus")


@dataclass(frozen=True)
class Entry:
    """One compiled kernel in the cache: the game it is for, its name, and its size in bytes."""

    game: str
    kernel: str
    size: int


def folder() -> Path:
    """Where everything that ludus keeps between processes lies (not created until it is needed)."""
    return path_of(named) if (named := os.environ.get("LUDUS_CACHE")) else _of_this_user()


def _of_this_user() -> Path:
    """The user's cache folder; where the user has no home, as in some containers, a folder beside the system's temporary files."""
    with suppress(RuntimeError):  # platformdirs finds no home
        if (path := Path(platformdirs.user_cache_dir("ludus"))).is_absolute():
            return path
    return Path(tempfile.gettempdir(), f"ludus-{os.geteuid()}")


def _levels(path: Path) -> list[Path]:
    """The folders from the top of the cache down to a folder in it; none for a folder that is elsewhere."""
    return [level for level in (*reversed(path.parents), path) if level.is_relative_to(folder())]


def open_trusted(path: Path) -> BinaryIO:
    """Opens a file to read it: one of the cache, which only this user and root may write, or one that comes with ludus.
    NotPrivateError where others may write it, or a folder of the cache that it lies in; OSError where it is no regular file that
    can be read."""
    levels = _levels(path.parent)
    for level in levels:
        check_private(level)
    file = open_regular(path)
    try:
        if levels:
            check_private(path, file)
    except OSError:
        file.close()
        raise
    return file


def write_file(path: Path, *content: bytes | memoryview, label: bytes = b"") -> None:
    """Writes a file with its checksum, and makes the cache's folders that it lies in. Others may read them and not write them.

    Args:
        path: the file.
        content: what it holds, in one part or several.
        label: what it is, for the checksum.

    Raises:
        NotPrivateError: others may write one of these folders.
        OSError: it cannot be written.
    """
    _make_folder(path.parent)
    write_checked(path, *content, label=label, mode=FILE_MODE)


def _make_folder(path: Path) -> None:
    for level in _levels(path):
        level.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            level.mkdir(FOLDER_MODE)
            level.chmod(FOLDER_MODE)  # whatever the umask
        check_private(level)


def check_writable() -> None:
    """Checks that many kernels can be kept; OSError where the cache is not used, since others may write it, or cannot be
    written."""
    if why := refusal():
        raise OSError(why)
    _make_folder(_kernels())
    check_target(_kernels() / SUFFIX, room=ROOM)


def refusal() -> str | None:
    """Why a part of the cache is not used: who owns it or may write it, and what to do; None where all of it is used."""
    for path in (folder(), folder() / TABLES, _kernels(), *sorted(_kernels().glob("*"))):
        try:
            check_private(path)
        except NotPrivateError as error:
            return str(error)
        except OSError:  # it is not there
            continue
    return None


def _kernels() -> Path:
    return folder() / KERNELS


def read(game: str, name: str) -> bytes | None:
    """The object file kept under this name, in the folder or in ludus itself; None if there is no intact one."""
    for top in (folder(), SHIPPED):
        try:
            with open_trusted(top / KERNELS / game / (name + SUFFIX)) as file:
                return bytes(content_of(file.read(MOST_BYTES), _label(game, name)))
        except NotPrivateError as error:
            _warn(str(error))
        except (OSError, ValueError):
            continue
    return None


def write(game: str, name: str, body: bytes) -> None:
    """Stores an object file under this name. If the folder cannot be written, nothing is stored."""
    try:
        write_file(_kernels() / game / (name + SUFFIX), body, label=_label(game, name))
    except NotPrivateError as error:
        _warn(str(error))
    except OSError:
        return


@contextmanager
def turn(symbol: str) -> Generator[None]:
    """Lets the first process compile the kernel of this symbol, while others that need it wait (files/locking.py)."""
    try:
        _make_folder(_kernels())
    except OSError:  # nothing can be kept, so there is nothing to wait for
        yield
        return
    with turn_at(_kernels() / (symbol + LOCK), LOCK_MODE):
        yield


def _label(game: str, name: str) -> bytes:
    """What a file is, for its checksum."""
    return f"ludus kernel {game}/{name}\n".encode()


@lru_cache(None)
def _warn(why: str) -> None:
    """Logs once that a folder or a file is not used."""
    log.warning("%s", why)


def entries() -> list[Entry]:
    """Every compiled kernel in the cache, by game and name."""
    files = [file for file in sorted(_kernels().glob(f"*/*{SUFFIX}")) if file.is_file()]
    return [Entry(f.parent.name, f.stem.rsplit("-", 1)[0], f.stat().st_size) for f in files]


def clear() -> int:
    """Removes every compiled kernel and returns how many there were; they are compiled again when needed."""
    count = len(entries())
    shutil.rmtree(_kernels(), ignore_errors=True)
    return count


def tables() -> list[Path]:
    """What oracles keep beside the kernels: solved games, books, unfinished books (oracles)."""
    return [file for file in sorted((folder() / TABLES).glob("*")) if file.is_file()]


def clear_tables() -> int:
    """Removes what oracles keep and returns how many files there were."""
    files = tables()
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


class NotPrivateError(OSError):
    """Somebody else may write a folder or a file; the message says what to do."""


def check_private(path: Path, opened: BinaryIO | None = None) -> None:
    """Checks that no other user may write a folder or a file; NotPrivateError where one may. A file that is open is checked itself,
    whatever lies at its path by now."""
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
