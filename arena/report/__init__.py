"""The report of a tournament: one HTML file that needs no other. In the order of the data:

data.py     gathers scores, ratings, grades of moves, and games to step through
words.py    numbers as text
tables.py   the tables
plots.py    draws a plot, with names beside its points
charts.py   the plots of a report
page.py     the pages, by page.html.jinja, game.html.jinja, standing.html.jinja and graded.html.jinja

What it shares with other pages is in arena/pages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...core.files.writing import path_of, write_whole
from ..results import Results
from .data import Report, report_of
from .page import page, write_grade

__all__ = ["Report", "page", "report_of", "write_grade", "write_report"]


def write_report(path: str | Path, results: Results, **settings: Any) -> None:
    """Writes the page of a tournament, whole or not at all.

    Args:
        path: the file.
        results: the tournament's.
        settings: `command`, `title`, `samples`, `graded` and `progress`, as for `report_of`.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(path_of(path), page(report_of(results, **settings)).encode())
