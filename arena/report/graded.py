"""The page of an exact grade: its tables, and the games that it loses to step through."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from ...core.files.writing import path_of, write_whole
from ..grading.exact_grade import ExactGrade
from ..pages.frames import film
from ..pages.notebook import lost_replays
from .page import FOLDER, rendered


def grade_page(grade: ExactGrade) -> str:
    """The page that shows an exact grade."""
    tables = Markup(grade._repr_html_())  # pyright: ignore[reportPrivateUsage]  it is escaped there
    return rendered(FOLDER / "graded.html.jinja", grade=grade, tables=tables, film=film(grade.game, lost_replays(grade)))


def write_grade(path: str | Path, grade: ExactGrade) -> None:
    """Writes the page that shows an exact grade, whole or not at all.

    Args:
        path: where to.
        grade: the grade.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(path_of(path), grade_page(grade).encode())
