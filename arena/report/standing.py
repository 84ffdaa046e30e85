"""The tables of one game's results, for the report and for the page in the browser: the standing, and who beat whom."""

from __future__ import annotations

from pathlib import Path

from ..pages.single import environment
from . import tables, words
from .data import GameReport

FOLDER = Path(__file__).parent


def standing_html(report: GameReport) -> str:
    """Both tables, as a part of a page whose style sheet is tables.css."""
    shown = {"standings": [*tables.standings(report)], "cross": [*tables.cross_table(report)], "faults": []}
    template = environment(FOLDER).get_template("standing.html.jinja")
    return template.render(s=shown, report=report, words=words)
