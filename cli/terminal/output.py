"""What commands print: one JSON document, or tables for people."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from ...core.files.writing import check_target, is_stream
from ...core.plugins import UntrustedSpec, runs_code
from ...core.plugins.loading import check_installed
from ...games.display import TextTable

SPEAKING = "engine:COMMAND for a program, llm:model=NAME,url=ADDRESS for a language model"
"""The policies that play every game, and are not listed for each."""


def with_trust(command: str, *specs: str | UntrustedSpec | None) -> str:
    """A command that opens a file, with `--trust` if the file names code, programs or addresses.

    Args:
        command: the command.
        specs: the specs that the file names.
    """
    needs = any(isinstance(spec, UntrustedSpec) or runs_code(spec) for spec in specs if spec is not None)
    return f"{command} --trust" if needs else command


def can_redraw() -> bool:
    """Whether stderr is a terminal on which lines can be drawn again, whatever colours are wanted."""
    return sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


def print_json(document: Any) -> None:
    """Prints one document on stdout."""
    print(json.dumps(document, indent=2))


def print_result(as_json: bool, document: Any, *lines: str) -> None:
    """Prints a result as one document, or as lines for people."""
    if as_json:
        print_json(document)
    else:
        print(*lines, sep="\n")


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], *, left: int = 1) -> None:
    """Prints a table, with the first `left` columns aligned to the left."""
    print(TextTable(title, columns, rows, left))


class Document(Protocol):
    """A result that can be printed as JSON or as text."""

    def document(self) -> dict[str, Any]:
        """The result for JSON."""
        ...


def show(result: Document, as_json: bool) -> None:
    """Prints a result as JSON or as text."""
    if as_json:
        print_json(result.document())
    else:
        print(result)


def write_and_show(write: Callable[[], object], show: Callable[[bool], object]) -> None:
    """Writes a result to a file and prints it. If writing fails, the result is printed before the error is raised.

    Args:
        write: writes the file.
        show: prints the result; its argument says whether the file was written.

    Raises:
        OSError: the file cannot be written.
    """
    try:
        write()
    except OSError:
        show(False)
        raise
    show(True)


def check_page(page: Path | None) -> None:
    """Checks, before any work, that a report page can be written.

    Args:
        page: its file; None if none is wanted.

    Raises:
        ValueError: what writes pages is not installed.
        OSError: the file cannot be written.
    """
    if page:
        check_installed("a report page", "report")
        check_target(page)


def print_page(page: Path) -> None:
    """Prints the address of a page, unless it was written to a stream."""
    if not is_stream(page):
        print(f"The page: {page.resolve().as_uri()}")


def refuse(chosen: argparse.Namespace, why: str, *settings: str) -> None:
    """Refuses options that would have no effect.

    Raises:
        ValueError: one of them was given.
    """
    for setting in settings:
        given = getattr(chosen, setting)
        if given is not None and given is not False and given != []:
            option = {"game": "a game", "trainer": "a trainer", "folder": "--run"}.get(setting, f"--{setting.replace('_', '-')}")
            raise ValueError(f"{option} is given, but {why}{', or' if '; ' in why else ';'} leave it out")
