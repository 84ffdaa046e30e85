"""The folder of compiled kernels: one file per kernel and fingerprint, checksummed, written atomically.

`LUDUS_CACHE` moves the folder; without it, it is the user's cache folder of the platform, or, for a user without a home, a folder
among the temporary files. `LUDUS_SHARED` names another one, which `ludus cache --warm --shared` has filled: it is only read, for
kernels that the first one lacks. Both hold code that is run, so only this user and root may write them (private.py). A folder that
others may write is not used: this is logged once, and each process compiles what it needs.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

import platformdirs

from ..core.files.checked import content_of, write_checked
from ..core.files.locking import turn as turn_at
from ..core.files.writing import check_target, path_of
from .private import FILE_MODE, NotPrivateError, check_private, make_private, open_private

KERNELS, SUFFIX, LOCK = "kernels", ".kernel", ".lock"
"""Files of kernels, and those that processes lock while they compile one."""
ROOM = 1 << 24
"""What the kernels of all games need at most: 16 MiB."""
MOST_BYTES = 1 << 26
"""What a compiled kernel may have at most: 64 MiB."""
ADVICE = "Whoever may write it decides what runs here; LUDUS_CACHE=FOLDER names another folder"

log = logging.getLogger("ludus")


@dataclass(frozen=True)
class Entry:
    """One compiled kernel in the cache: the game it is for, its name, and its size in bytes."""

    game: str
    kernel: str
    size: int


def folder() -> Path:
    """Where everything that ludus keeps between processes lies (not created until it is needed)."""
    return _folder_from("LUDUS_CACHE") or _of_this_user()


def _of_this_user() -> Path:
    """The user's cache folder; where the user has no home, as in some containers, a folder beside the system's temporary files."""
    with suppress(RuntimeError):  # platformdirs finds no home
        if (path := Path(platformdirs.user_cache_dir("ludus"))).is_absolute():
            return path
    return Path(tempfile.gettempdir(), f"ludus-{os.geteuid()}")


def shared_folder() -> Path | None:
    """A folder of kernels that others have compiled, or None."""
    return _folder_from("LUDUS_SHARED")


def _folder_from(variable: str) -> Path | None:
    """The folder that a variable of the environment names."""
    return path_of(os.environ[variable]) if os.environ.get(variable) else None


def open_trusted(path: Path) -> BinaryIO:
    """Opens a file to read it: one of the cache, which only this user and root may write, or one that comes with ludus.

    Raises:
        NotPrivateError: others may write it, or one of the cache's folders that it lies in.
        OSError: it is not there, cannot be read, or is not a regular file.
    """
    return open_private(path, max(_levels(path) - 1, 0))


def make_folder(path: Path) -> None:
    """Makes a folder of the cache where it is not there yet.

    Raises:
        NotPrivateError: others may write it, or one of the cache's folders that it lies in.
        OSError: it cannot be made.
    """
    make_private(path, _levels(path))


def check_writable() -> None:
    """Checks that many kernels can be kept.

    Raises:
        OSError: the cache is not used, since others may write it; or it cannot be written.
    """
    if why := refusal():
        raise OSError(why)
    try:
        make_folder(_kernels())
        check_target(_kernels() / SUFFIX, room=ROOM)
    except OSError as error:
        why = error.strerror or error
        raise OSError(f"kernels cannot be kept in {folder()} ({why}); LUDUS_CACHE=FOLDER names another folder") from None


def let_others_read() -> None:
    """Lets other users read the kernels, and write none of them."""
    for path in (folder(), _kernels(), *_kernels().rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def refusal() -> str | None:
    """Why the cache, or a part of it, is not used: whose it is or who may write it; None where all of it is."""
    top = folder()
    ours = (top, top / "tables", _kernels(), *sorted(_kernels().glob("*/")))
    theirs = () if (other := shared_folder()) is None else (other, other / KERNELS, *sorted((other / KERNELS).glob("*/")))
    for path in (*ours, *theirs):
        try:
            check_private(path, _levels(path))
        except NotPrivateError as error:
            return f"{error}. {ADVICE}"
        except OSError:
            continue
    return None


def _levels(path: Path) -> int:
    """How many levels a path of a cache has, the cache's own folder included; 0 for a path that leads elsewhere."""
    tops = [top for top in (folder(), shared_folder()) if top is not None and path.is_relative_to(top)]
    return len(path.relative_to(tops[0]).parts) + 1 if tops else 0


def _kernels() -> Path:
    return folder() / KERNELS


def read(game: str, name: str) -> bytes | None:
    """The object file kept under this name, here or in the shared folder; None if there is no intact one."""
    tops = (top for top in (folder(), shared_folder()) if top is not None)
    return next((body for top in tops if (body := _read(top, game, name)) is not None), None)


def _read(top: Path, game: str, name: str) -> bytes | None:
    try:
        with open_trusted(top / KERNELS / game / (name + SUFFIX)) as file:
            return bytes(content_of(file.read(MOST_BYTES), _label(game, name)))
    except NotPrivateError as error:
        _warn(str(error))
        return None
    except (OSError, ValueError):
        return None


def write(game: str, name: str, body: bytes) -> None:
    """Stores an object file under this name. If the folder cannot be written, nothing is stored."""
    path = _kernels() / game
    try:
        make_folder(path)
        write_checked(path / (name + SUFFIX), body, label=_label(game, name), mode=FILE_MODE)
    except NotPrivateError as error:
        _warn(str(error))
    except OSError:
        return


@contextmanager
def turn(symbol: str) -> Generator[None]:
    """Lets the first process compile the kernel of this symbol, while others that need it wait (files/locking.py)."""
    try:
        make_folder(_kernels())
    except OSError:  # nothing can be kept, so there is nothing to wait for
        yield
        return
    with turn_at(_kernels() / (symbol + LOCK), FILE_MODE):
        yield


def _label(game: str, name: str) -> bytes:
    """What a file is, for its checksum."""
    return f"ludus kernel {game}/{name}\n".encode()


@lru_cache(None)
def _warn(why: str) -> None:
    """Logs once that the cache is not used."""
    log.warning("the cache of compiled kernels is not used: %s. %s", why, ADVICE)


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
    """What oracles keep beside the kernels: solved games, books, unfinished proofs (oracles)."""
    return [file for file in sorted((folder() / "tables").glob("*")) if file.is_file()]


def clear_tables() -> int:
    """Removes what oracles keep and returns how many files there were. Unfinished proofs start again."""
    files = tables()
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)
