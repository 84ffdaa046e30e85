"""Pages: a report, a grade, games that beat a policy, and the tables of one game; each needs no network, library or other file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...core import words
from ...core.files.writing import path_of, write_whole
from ...oracles import make_oracle
from ..exploiting.result import Exploit
from ..grading.answer_rates import COLUMNS
from ..grading.decisions import LOSS_COLUMNS
from ..grading.exact import ExactGrade
from ..grading.sampled import BLUNDERS
from ..matches.faults import LOST_BY
from ..pages import single
from ..pages.frames import film
from ..pages.notebook import games_against, replays_of
from ..pages.single import Markup
from ..ratings.comparison import describe_pairs, p_values_of_pairs
from ..ratings.payoffs import describe_circles
from ..ratings.score import fault_words, opening_words, repeat_words
from ..results import Results
from . import charts, tables
from .data import GameReport, Report, report_of

FOLDER = Path(__file__).parent


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


def page(report: Report) -> str:
    """The page of a report."""
    return render(
        FOLDER / "page.html.jinja",
        report=report,
        blunders=BLUNDERS,
        answer_columns=COLUMNS,
        loss_columns=LOSS_COLUMNS,
        lost_by=LOST_BY,
        sections=[_section(game) for game in report.games],
        overview=[*tables.overview(report)],
    )


def render(template: Path, **shown: Any) -> str:
    """Renders a template with the style and the script of reports."""
    return single.render_page(template, FOLDER / "page.js", FOLDER / "page.css", words=words, **shown)


def _section(report: GameReport) -> dict[str, Any]:
    """The variables of the template of one game."""
    game, samples, payoffs = report.game, report.samples, report.payoffs
    p_values = p_values_of_pairs(report.scores)
    board = game.svg(samples[0].record.states(game)[-1]) if samples else game.svg(game.start)
    return {
        "report": report,
        "slug": report.slug,
        "board": Markup(board),
        "lead": tables.lead(report),
        "openings": opening_words(report.scores),
        "faults": fault_words(report.scores) + repeat_words(report.scores),
        "cross": [*tables.cross_table(report)],
        "p_values": p_values,
        "differing": "" if report.tests else describe_pairs(report.scores),  # p-values hold for a fixed number of games
        "circling": describe_circles(payoffs, p_values) if payoffs else "",
        "worths": payoffs.document()["policies"] if payoffs else {},
        "ratings": charts.ratings(report),
        "speed": charts.speed(report),
        "seats": charts.seats(report),
        "lengths": charts.lengths(report),
        "grades": charts.grades(report) if report.grades else "",
        "slips": charts.slips(report) if report.grades else "",
        "reach": make_oracle(game).reach,
        "film": film(game, samples),
    }


def write_grade(path: str | Path, grade: ExactGrade) -> None:
    """Writes the page of an exact grade, whole or not at all: its tables, and the games that it loses to step through."""
    note = "A shortest one in each seat: each of its moves is one that it may take."
    _write_result(path, grade, "exact grade", "Games that it loses", note)


def write_exploit(path: str | Path, found: Exploit) -> None:
    """Writes the page of a search for games that beat a policy, whole or not at all: its tables, and the games to step through."""
    which = "The best one found" if found.measured is None else "The shortest of the measured ones that it lost"
    note = f"{which} in each seat. What the oracle says of a move stands beside it, where the oracle reaches."
    _write_result(path, found, "how to beat it", "Games against it", note)


def _write_result(path: str | Path, result: ExactGrade | Exploit, kind: str, heading: str, note: str) -> None:
    """Writes the page of a result with games."""
    html = render(
        FOLDER / "graded.html.jinja",
        title=f"{result.policy} in {result.game}",
        kind=kind,
        tables=Markup(result._repr_html_()),  # pyright: ignore[reportPrivateUsage]  it is escaped there
        heading=heading,
        note=note,
        film=film(result.game, replays_of(result.game, games_against(result))),
    )
    write_whole(path_of(path), html.encode())
