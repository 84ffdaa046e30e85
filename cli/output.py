"""What commands print: one JSON document, or tables for people."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

WIDTH = 160
"""Columns of a table that goes to a file or another program."""


class _Console(Console):
    """A console that says, as print does, when whoever reads has left."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def print_json(document: Any) -> None:
    """Prints one document on stdout."""
    print(json.dumps(document, indent=2))


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], *, left: int = 1) -> None:
    """Prints a table, the first `left` columns aligned to the left."""
    table = Table(title=escape(title) or None, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for i, column in enumerate(columns):
        table.add_column(column, justify="left" if i < left else "right", overflow="fold", no_wrap=i >= left)
    for row in rows:
        table.add_row(*(escape(str(cell)) for cell in row))
    _Console(width=None if sys.stdout.isatty() else WIDTH).print(table)


def refuse(chosen: argparse.Namespace, why: str, *settings: str) -> None:
    """Refuses settings that have nothing to say.

    Raises:
        ValueError: one of them was given.
    """
    for setting in settings:
        if not any(getattr(chosen, setting) is nothing for nothing in (None, False)) and getattr(chosen, setting) != []:
            what = "a game" if setting == "game" else f"--{setting.replace('_', '-')}"
            raise ValueError(f"{what} is given, but {why}; leave it out")
