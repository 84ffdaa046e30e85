"""The rows of the tables of a page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..pages.single import environment
from ..ratings.comparison import describe_pairs, p_values_of_pairs
from ..ratings.payoffs import describe_circles
from ..ratings.score import DRAW, LOSS, WIN, Score, opening_words
from . import words
from .data import GameReport, Report


def standing_html(report: GameReport) -> str:
    """The tables of one game's results, the standing and the scores of each pair, for a page with the style sheet tables.css."""
    variables = {
        "standings": [*standings(report)],
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


class Standing(NamedTuple):
    """A policy's row in a game's table, as text."""

    rank: int
    name: str
    elo: str
    bounds: str
    won: str
    drawn: str
    lost: str
    time: str
    best: str


def standings(report: GameReport) -> Iterator[Standing]:
    """Each policy of a game, the strongest first."""
    for rank, (name, score) in enumerate(report.totals.items(), 1):
        elo, low, high = map(words.with_sign, report.rating(name))
        won, drawn, lost = (f"{100 * count / max(1, score.games):.1f}" for count in (score.wins, score.draws, score.losses))
        seconds, grade = score.seconds_a_move[0], report.grades.get(name)
        time = words.duration(seconds) if seconds else ""
        best = "" if grade is None or grade.optimal_rate is None else f"{100 * grade.optimal_rate:.1f}"
        yield Standing(
            rank=rank, name=name, elo=elo, bounds=f"{low} … {high}", won=won, drawn=drawn, lost=lost, time=time, best=best
        )


def cross_table(report: GameReport) -> Iterator[tuple[int, str, list[Cell | None]]]:
    """For each policy its rank, its name, and a cell for its score against each policy, in the same order."""
    for rank, name in enumerate(report.names, 1):
        yield rank, name, [_cell(score) if (score := report.score(name, other)) else None for other in report.names]


def overview(report: Report) -> Iterator[tuple[str, list[Cell | None]]]:
    """For each policy its name, and a cell for its score in each game."""
    for name in report.policies:
        yield name, [_cell(game.totals[name]) if name in game.totals else None for game in report.games]


class GradeRow(NamedTuple):
    """A policy's row in the table of grades, as text."""

    name: str
    moves: str
    graded: str
    share: str
    kept: str
    bounds: str
    lost: str
    random_kept: str
    random_lost: str
    blunders: list[str]


def grades(report: GameReport) -> Iterator[GradeRow]:
    """The grade of each policy that has one, the strongest first."""
    for name, grade in report.grades.items():
        bounds = " … ".join(map(words.percent, grade.optimal_interval))
        moves, graded = (words.count(int(number)) for number in (grade.moves.sum(), grade.graded.sum()))
        random_kept = "" if grade.random_optimal_rate is None else words.percent(grade.random_optimal_rate)
        random_lost = "" if grade.random_value_lost is None else f"{grade.random_value_lost:.3f}"
        kept, lost = words.percent(grade.optimal_rate or 0), f"{grade.value_lost or 0:.3f}"
        blunders = [words.count(number) for number in grade.blunders.sum(0).tolist()]
        yield GradeRow(
            name=name,
            moves=moves,
            graded=graded,
            share=words.percent(grade.graded_rate or 0),
            kept=kept,
            bounds=bounds,
            lost=lost,
            random_kept=random_kept,
            random_lost=random_lost,
            blunders=blunders,
        )


class PairRow(NamedTuple):
    """A pairing's row in the table of pairings, as text; `p` is of the two being equal, with Holm's correction."""

    a: str
    b: str
    won: str
    drawn: str
    lost: str
    points: str
    bounds: str
    p: str


def pairs(report: GameReport) -> Iterator[PairRow]:
    """Each pairing of a game."""
    p_values = p_values_of_pairs(report.scores)
    for score in report.scores:
        _, a, b = score.pairing
        won, drawn, lost = map(words.count, (score.wins, score.draws, score.losses))
        bounds, p = " … ".join(map(words.percent, score.points_interval())), p_values.get(score.pairing)
        points, p_text = words.percent(score.points), "" if p is None else f"{p:.2g}"
        yield PairRow(a=a, b=b, won=won, drawn=drawn, lost=lost, points=points, bounds=bounds, p=p_text)


def differing(report: GameReport) -> str:
    """A sentence: which pairs of a game differ; empty with a sequential test, since p-values hold for a fixed number of games."""
    return "" if report.tests else describe_pairs(report.scores)


def circling(report: GameReport) -> str:
    """A sentence: whether policies beat each other in a circle; empty if none do."""
    return "" if report.payoffs is None else describe_circles(report.payoffs, p_values_of_pairs(report.scores))


def worths(report: GameReport) -> Iterator[tuple[str, str, str, str]]:
    """Each policy with its weight and value in the equilibrium and its share by α-Rank, as text; none unless all have met."""
    if report.payoffs is not None:
        measures = report.payoffs.document()["policies"]
        for name in report.names:
            of = measures[name]
            yield name, f"{of['nash_weight']:.2f}", f"{of['nash_value']:+.2f}", f"{of['alpha_rank']:.2f}"


def tests(report: GameReport) -> Iterator[tuple[str, str, str, str, str]]:
    """For each pairing whose test there is its policies, the decision, the ratio and the games until then, as text."""
    for pairing, result in report.tests.items():
        yield pairing.a, pairing.b, result.describe(), f"{result.llr:+.2f}", words.count(result.games)


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
