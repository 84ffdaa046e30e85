"""The tables of a bench report: the same rows on a terminal, on a page and in a paper; a column is declared once, by its cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TypeVar

from ...games.display import TextTable
from .comparisons import KINDS, BenchComparison, Kind, p_in_words
from .estimates import Estimate, difference_in_words
from .measures import BenchReport, ModelMeasures, Spending

Row = TypeVar("Row")
VARIED: dict[Kind, str] = {"variant": "Variants of the prompt", "disguise": "Disguises"}
MOST_INTERVALS = 3
"""The number of games whose intervals fit beside each other into the lines of a terminal."""


def report_tables(report: BenchReport) -> Iterator[TextTable]:
    """The tables of a report that have a row, for a terminal; with several games the comparisons are those over all."""
    tables = [
        measure_table(report, narrow=len(report.games) > MOST_INTERVALS),
        pair_table(report),
        asks_table(report),
        answering_table(report),
        *(comparison_table(report, kind, overall_comparisons(report, kind)) for kind in KINDS),
        spending_table(report),
    ]
    yield from (table for table in tables if table.rows)


def _table(title: str, rows: Iterable[Row], columns: Mapping[str, Callable[[Row], str]], left: int = 1) -> TextTable:
    """A table with a line for each row, and a column for each heading."""
    return TextTable(title, [*columns], [[cell(row) for cell in columns.values()] for row in rows], left)


def _words(estimate: Estimate | None) -> str:
    return estimate.words() if estimate else ""


# ---- models and games


def ranked_models(report: BenchReport) -> list[str]:
    """The models by their measure overall, the highest first, and after them the controls in the same order."""
    return sorted(report.models, key=lambda model: (model in report.controls, -_point(report, model)))


def _point(report: BenchReport, model: str) -> float:
    """The measure of a model overall; the lowest number where it is not known."""
    row = report.of(model)
    return -inf if row is None or row.measure.point is None else row.measure.point


def _name(report: BenchReport, model: str) -> str:
    """A model's name; a control is marked."""
    return f"{report.names[model]} (control)" if model in report.controls else report.names[model]


def _measures(report: BenchReport, game: str) -> list[ModelMeasures]:
    """The measures of each model in a game, or overall."""
    return [row for model in ranked_models(report) if (row := report.of(model, game)) is not None]


def overall_comparisons(report: BenchReport, kind: Kind) -> list[BenchComparison]:
    """The comparisons over all games, and those of what only some games have; of each model the null variant first."""
    rows = [row for row in report.comparisons if row.kind == kind]
    whole = {(row.model, row.name) for row in rows if row.game == report.overall}
    rows = [row for row in rows if row.game == report.overall or (row.model, row.name) not in whole]
    return sorted(rows, key=lambda row: (report.models.index(row.model), not row.is_null))


# ---- the tables


def measure_table(report: BenchReport, *, narrow: bool = False) -> TextTable:
    """Models by games: the measure with its interval. A narrow table has the intervals of its first column alone."""

    def cell(row: ModelMeasures, game: str) -> str:
        words = _words((of := report.of(row.model, game)) and of.measure)
        return words.partition(" (")[0] if narrow and game != report.overall else words

    title = "The measure: 0 is random legal play in the same positions, 1 perfect play; with a 95 % interval"
    return _models_table(report, title, report.overall, dict.fromkeys((report.overall, *report.games)), cell)


def asks_table(report: BenchReport, game: str = "") -> TextTable:
    """Models by what positions ask, in a game or overall."""
    game = game or report.overall
    kinds = dict.fromkeys(kind for row in _measures(report, game) for kind in row.by_asks)
    title = f"The measure by what the position asks, {game}"
    return _models_table(report, title, game, kinds, lambda row, kind: _words(row.by_asks.get(kind)))


def _models_table(
    report: BenchReport, title: str, game: str, heads: Iterable[str], cell: Callable[[ModelMeasures, str], str]
) -> TextTable:
    """Models in a game or overall, by what `cell` says of each under a heading."""
    rows = [[_name(report, row.model), *(cell(row, head) for head in heads)] for row in _measures(report, game)]
    return TextTable(title, ["model", *heads], rows)


def answering_table(report: BenchReport, game: str = "") -> TextTable:
    """How models answered in a game or overall: legal moves, faults, and how far runs differ."""
    game = game or report.overall
    rows = _measures(report, game)
    columns: dict[str, Callable[[ModelMeasures], str]] = {
        "model": lambda row: _name(report, row.model),
        "answers": lambda row: f"{row.measure.answers:,}",
        "legal at the first try": lambda row: row.legal_first.words(),
        "without a move": lambda row: f"{row.without_move:,}",
    }
    for fault in dict.fromkeys(fault for row in rows for fault in row.faults):
        columns[fault] = lambda row, fault=fault: f"{row.faults.get(fault, 0):,}"
    columns["± between runs"] = lambda row: "" if row.between_runs is None else f"{row.between_runs:.3f}"
    return _table(f"How they answered, {game}", rows, columns)


def comparison_table(report: BenchReport, kind: Kind, comparisons: Sequence[BenchComparison], where: str = "") -> TextTable:
    """Variants or disguises beside the first one; the null variant is in the same table."""
    firsts = " or ".join(dict.fromkeys(f"'{row.first}'" for row in comparisons))
    columns: dict[str, Callable[[BenchComparison], str]] = {
        "model": lambda row: _name(report, row.model),
        "game": lambda row: row.game,
        kind: lambda row: row.name,
        "measure": lambda row: row.measure.words(),
        "difference": lambda row: row.difference.words(difference_in_words),
        "p": lambda row: p_in_words(row.p),
        "p, Holm": lambda row: "" if row.is_null else p_in_words(row.p_adjusted),
        "legal, % points": lambda row: difference_in_words(100 * row.legal_first, 1),
    }
    return _table(f"{VARIED[kind]} beside {firsts}, on the same questions{where}", comparisons, columns, left=3)


def pair_table(report: BenchReport) -> TextTable:
    """Each two models on the same questions, the higher ones first."""
    ranks = {model: rank for rank, model in enumerate(sorted(report.models, key=lambda model: -_point(report, model)))}
    columns: dict[str, Callable[[BenchComparison], str]] = {
        "model": lambda row: _name(report, row.name),
        "beside": lambda row: _name(report, row.first),
        "difference": lambda row: row.difference.words(difference_in_words),
        "p": lambda row: p_in_words(row.p),
        "p, Holm": lambda row: p_in_words(row.p_adjusted),
    }
    pairs = sorted(report.pairs, key=lambda row: (ranks[row.first], ranks[row.name]))
    return _table(f"Models beside each other, on the same questions, {report.overall}", pairs, columns, left=2)


def spending_table(report: BenchReport) -> TextTable:
    """Tokens and time of the models that count them."""
    columns: dict[str, Callable[[Spending], str]] = {
        "model": lambda row: report.names[row.model],
        "answers": lambda row: f"{row.answers:,}",
        "tokens in": lambda row: f"{row.tokens_in:,}",
        "tokens out": lambda row: f"{row.tokens_out:,}",
        "out, an answer": lambda row: f"{row.tokens_out / (row.answers - row.uncounted):,.0f}",
        "seconds, an answer": lambda row: f"{row.seconds / row.answers:.1f}",
    }
    counted = [row for row in report.spending if row.answers > row.uncounted]
    return _table("What it took, with all variants and disguises", counted, columns)
