"""What commands print: one JSON document, or tables for people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from ..agents.oracles import Solution


class _Console(Console):
    """A console that says, as print does, when whoever reads has left."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def describe(solution: Solution) -> str:
    """What a position is worth, in words: `won +18`, `lost in 6 plies`."""
    assert solution.value is not None
    told = {1: "won", 0: "drawn", -1: "lost"}[solution.value]
    score = "" if solution.score is None else f" {solution.score:+d}"
    plies = "ply" if solution.distance == 1 else "plies"
    distance = "" if solution.distance is None else f" in {solution.distance} {plies}"
    return told + score + distance


def print_json(document: Any) -> None:
    """Prints one document on stdout."""
    print(json.dumps(document, indent=2))


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], *, left: int = 1) -> None:
    """Prints a table, the first `left` columns aligned to the left."""
    table = Table(title=title or None, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for i, column in enumerate(columns):
        table.add_column(column, justify="left" if i < left else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(str, row))
    _Console().print(table)
