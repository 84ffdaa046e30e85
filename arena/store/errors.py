"""Errors of a store, as sentences that say what to do."""

from __future__ import annotations

import os
import shlex
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ...core.files.reading import open_regular


@contextmanager
def sqlite_errors(path: Path | None) -> Generator[None]:
    """Turns SQLite's errors into ValueError, where something is wrong with the file, and OSError, where it cannot be used."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translate(str(path or "in memory"), str(error)) from error
    except MemoryError as error:  # a length that was damaged
        raise _translate(str(path or "in memory"), "it asks for more memory than there is") from error


def damage_error(path: Path | str | None, what: str) -> ValueError:
    """The error for a store that is damaged."""
    return ValueError(f"the store {path} is damaged: {what}; {how_to_recover(path)}")


def how_to_recover(path: Path | str | None) -> str:
    """The advice for a damaged store, as the end of a sentence."""
    return f"keep a copy; `sqlite3 {shlex.quote(str(path))} .recover` writes out what can still be read"


SENTENCES: dict[str, tuple[type[ValueError | OSError], str]] = {
    "not a database": (ValueError, "{path} is not a store of ludus"),
    "full": (OSError, "the disk is full; the store {path} keeps all games that were added before. Make room, then resume"),
    "disk I/O": (
        OSError,
        "the store {path} cannot be written (the disk fails, or files may not grow any further here); it keeps all games that were"
        " added before. Make room, or move it and resume there",
    ),
    "readonly": (OSError, "the store {path} is read-only; check its permissions and those of its folder"),
    "interrupted": (OSError, "work on the store {path} was interrupted; try again"),
    "unable to open": (OSError, "the store {path} cannot be opened: {cause}"),
    "UNIQUE": (ValueError, "one of these games is already in the store {path}; no game is kept twice"),
    "locked": (BlockingIOError, "another process is using the store {path}; try again when it is done"),
}
"""The meanings of errors, by a part of SQLite's message, which is all that Python 3.10 passes on; all others are damage."""


def _cause(path: Path) -> str:
    """The reason why a file cannot be opened, which SQLite does not give."""
    try:
        open_regular(path).close()
    except OSError as error:
        return str(error)
    if not os.access(path.parent, os.W_OK):
        return f"files beside it cannot be made; you may not write into {path.parent.absolute()}"
    return "SQLite does not say why"


def _translate(path: str, error: str) -> ValueError | OSError:
    """The error as a sentence of ours."""
    for words, (kind, sentence) in SENTENCES.items():
        if words in error:
            return kind(sentence.format(path=path, cause=_cause(Path(path))))
    return damage_error(path, " ".join(error.split())[:200])
