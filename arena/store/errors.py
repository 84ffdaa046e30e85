"""Errors of a store, as sentences that say what to do."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

UNUSABLE = ("unable to open", "interrupted")
"""What SQLite says where the file may be undamaged but cannot be used, apart from the cases that have a sentence of their own."""


@contextmanager
def sqlite_errors(path: Path | None) -> Generator[None]:
    """Turns SQLite's errors into ValueError, where something is wrong with the file, and OSError, where it cannot be used."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translated(str(path or "in memory"), str(error)) from error
    except MemoryError as error:  # a length that was damaged
        raise _translated(str(path or "in memory"), "it asks for more memory than there is") from error


def damaged(path: Path | str | None, what: str) -> ValueError:
    """The error for a store that is damaged."""
    return ValueError(f"the store {path} is damaged: {what}; {how_to_recover(path)}")


def how_to_recover(path: Path | str | None) -> str:
    """What to do with a damaged store, as the end of a sentence."""
    return f"keep a copy; `sqlite3 {shlex.quote(str(path))} .recover` writes out what can still be read"


def _translated(path: str, error: str) -> ValueError | OSError:
    """The error in our words; SQLite's message is all that Python 3.10 passes on."""
    if "not a database" in error:
        return ValueError(f"{path} is not a store of ludus")
    if "full" in error:
        return OSError(f"the disk is full; the store {path} keeps all games that were added before. Make room, then resume")
    if "disk I/O" in error:
        why = "the disk fails, or files may not grow any further here"
        return OSError(
            f"the store {path} cannot be written ({why}); it keeps all games that were added before. Make room, or move it and"
            " resume there"
        )
    if "readonly" in error:
        return OSError(f"the store {path} is read-only; check its permissions and those of its folder")
    if "UNIQUE" in error:
        return ValueError(f"one of these games is already in the store {path}; no game is kept twice")
    if "locked" in error:
        return BlockingIOError(f"another process is using the store {path}; try again when it is done")
    if any(words in error for words in UNUSABLE):
        return OSError(f"the store {path} cannot be used ({error}); check that its folder is readable and writable and has room")
    return damaged(path, " ".join(error.split())[:200])
