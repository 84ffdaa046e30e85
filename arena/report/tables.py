"""The cells of a page that are coloured by a score, and the lead of the strongest policy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ...core import words
from ..pages.single import environment
from ..ratings.score import DRAW, LOSS, WIN, Score, opening_words
from .data import GameReport, Report


def standing_html(report: GameReport) -> str:
    """The tables of one game's results, the standing and the scores of each pair, for a page with the style sheet tables.css."""
    variables = {
        "cross": [*cross_table(report)],
        "openings": opening_words(report.scores),
        "faults": [],
    }
    template = environment(Path(__file__).parent).get_template("standing.html.jinja")
    return template.render(s=variables, report=report, words=words)


class Cell(NamedTuple):
    """A share of points in a table that is coloured by it.

    Args:
        text: its text.
        meaning: its meaning, as a sentence.
        far: its distance from an even score, in tenths.
        side: `ahead` or `behind`.
    """

    text: str
    meaning: str
    far: int
    side: str


def cross_table(report: GameReport) -> Iterator[tuple[int, str, list[Cell | None]]]:
    """For each policy its rank, its name, and a cell for its score against each policy, in the same order."""
    for rank, name in enumerate(report.names, 1):
        yield rank, name, [_cell(score) if (score := report.score(name, other)) else None for other in report.names]


def overview(report: Report) -> Iterator[tuple[str, list[Cell | None]]]:
    """For each policy its name, and a cell for its score in each game."""
    for name in report.policies:
        yield name, [_cell(game.totals[name]) if name in game.totals else None for game in report.games]


def lead(report: GameReport) -> str:
    """A phrase: by how much the strongest policy of a game is ahead of the next."""
    first, *others = report.names
    if not others:
        return ""
    if not any({first, others[0]} <= {*group} for group in report.ratings.groups):
        return f"not connected with {others[0]} by games"
    ahead, low, _ = report.ratings.difference(first, others[0])
    if low > 0:
        return f"{ahead:.0f} Elo ahead of {others[0]}"
    return f"level with {others[0]}, within the bounds"


def _cell(score: Score) -> Cell:
    bounds = " to ".join(map(words.percent, score.interval()))
    counts = score.by_seat.sum(0)
    meaning = (
        f"{score.pairing.a} against {score.pairing.b}: {counts[WIN]:,} won, {counts[DRAW]:,} drawn, {counts[LOSS]:,} lost; "
        f"wins {words.percent(score.win_rate)} ({bounds})"
    )
    far = round(20 * abs(score.points - 0.5))
    return Cell(f"{100 * score.points:.0f}", meaning, far, "ahead" if score.points > 0.5 else "behind")
