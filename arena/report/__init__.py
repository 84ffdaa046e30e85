"""The report of a tournament: one HTML page to look at, which needs nothing beside it.

data.py      what is shown                 samples.py, grades.py   which games are shown, and how good the moves were
charts.py    the plots                     plots.py, labels.py     how plots are drawn, and names beside their points
tables.py    the tables                    words.py                how numbers are written
graded.py    the page of an exact grade, by graded.html.jinja
page.py      all of it in the page: base.html.jinja, page.html.jinja, game.html.jinja, macros.html.jinja, page.css, page.js

What it shares with other pages is in arena/pages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...core.files.writing import path_of, write_whole
from ..results import Results
from .data import Report, report_of
from .graded import write_grade
from .page import page

__all__ = ["Report", "page", "report_of", "write_grade", "write_report"]


def write_report(path: str | Path, results: Results, **settings: Any) -> None:
    """Writes the page that shows a tournament, whole or not at all.

    Args:
        path: where to.
        results: the tournament's.
        settings: `command`, `title`, `samples`, `graded` and `progress`, as for `report_of`.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(path_of(path), page(report_of(results, **settings)).encode())
