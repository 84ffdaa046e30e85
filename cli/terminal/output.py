"""What commands print: one JSON document, or tables for people."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from ...envs.files.writing import is_stream
from ...envs.showing import TextTable


def print_json(document: Any) -> None:
    """Prints one document on stdout."""
    print(json.dumps(document, indent=2))


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], *, left: int = 1) -> None:
    """Prints a table, the first `left` columns aligned to the left."""
    print(TextTable(title, columns, rows, left))


class Document(Protocol):
    """A result that has a document for JSON, and a text."""

    def document(self) -> dict[str, Any]:
        """It as JSON knows it."""
        ...


def show(result: Document, as_json: bool) -> None:
    """Prints a result: its document, or its text."""
    if as_json:
        print_json(result.document())
    else:
        print(result)


@contextmanager
def progress_bar(what: str, silent: bool) -> Generator[Callable[[int, int], object]]:
    """What to call with how much is done, of how much: shows it on the terminal, on stderr.

    Args:
        what: it is that is done.
        silent: show nothing.
    """
    from rich.progress import Progress

    from .display import display

    progress = Progress()
    bar = progress.add_task(what, total=None)
    with display(progress, silent=silent):
        yield lambda done, total: progress.update(bar, completed=done, total=total)


def keep_and_show(keep: Callable[[], object], show: Callable[[bool], object]) -> None:
    """Keeps a result in a file and shows it, also where it cannot be kept: it is not lost, and the error comes after.

    Args:
        keep: writes the file.
        show: prints the result, given whether the file is there.

    Raises:
        OSError: the file cannot be written.
    """
    try:
        keep()
    except OSError:
        show(False)
        raise
    show(True)


def print_page(page: Path) -> None:
    """Prints where a page is, unless it went to a stream."""
    if not is_stream(page):
        print(f"The page: {page.resolve().as_uri()}")


def refuse(chosen: argparse.Namespace, why: str, *settings: str) -> None:
    """Refuses settings that have nothing to say.

    Raises:
        ValueError: one of them was given.
    """
    for setting in settings:
        if not any(getattr(chosen, setting) is nothing for nothing in (None, False)) and getattr(chosen, setting) != []:
            what = "a game" if setting == "game" else f"--{setting.replace('_', '-')}"
            raise ValueError(f"{what} is given, but {why}; leave it out")
