"""The tables of a bench report, for a terminal; pages and papers have the same rows."""

from __future__ import annotations

from collections.abc import Iterator

from ...games.display import TextTable
from .comparisons import p_in_words, with_minus
from .estimates import Estimate
from .measures import ALL_GAMES, DISTANCES, NO_DISTANCE, BenchReport, ModelMeasures


def report_tables(report: BenchReport) -> Iterator[TextTable]:
    """All tables of a report that have a row."""
    for table in (
        measure_table(report),
        asks_table(report),
        distance_table(report),
        answering_table(report),
        comparison_table(report),
        spending_table(report),
    ):
        if table.rows:
            yield table


def estimate_in_words(estimate: Estimate | None) -> str:
    """A number with its bounds, as 0.71 (0.65 to 0.77); empty where there is none."""
    if estimate is None or estimate.point is None or estimate.low is None or estimate.high is None:
        return ""
    return f"{number(estimate.point)} ({number(estimate.low)} to {number(estimate.high)})"


def number(of: float) -> str:
    """A measure with two digits; one below 0 with a minus."""
    return f"{of:.2f}".replace("-0.00", "0.00").replace("-", "\N{MINUS SIGN}")


def model_name(report: BenchReport, model: str) -> str:
    """A model's name in a table: a control is named so."""
    return f"{model} (control)" if model in report.controls else model


def games_of(report: BenchReport) -> tuple[str, ...]:
    """The columns of games: overall first, if there are several."""
    return (ALL_GAMES, *report.games) if len(report.games) > 1 else report.games


def ranked_models(report: BenchReport) -> list[str]:
    """The models by their measure overall, the highest first, and after them the controls in the same order."""

    def rank(model: str) -> tuple[bool, float]:
        row = report.of(model)
        return model in report.controls, 9.0 if row is None or row.measure.point is None else -row.measure.point

    return sorted(report.models, key=rank)


def _rows(report: BenchReport) -> Iterator[tuple[str, ModelMeasures]]:
    """Each model overall, with its name."""
    for model in ranked_models(report):
        if (row := report.of(model)) is not None:
            yield model_name(report, model), row


def measure_table(report: BenchReport) -> TextTable:
    """Models by games: the measure with its interval."""
    rows = list[list[str]]()
    for model in ranked_models(report):
        cells = [report.of(model, game) for game in games_of(report)]
        rows.append([model_name(report, model), *(estimate_in_words(row and row.measure) for row in cells)])
    title = "The measure: 0 is random legal play in the same positions, 1 perfect play; with a 95 % interval"
    return TextTable(title, ["model", *games_of(report)], rows)


def asks_table(report: BenchReport) -> TextTable:
    """Models by what positions ask."""
    kinds = [*dict.fromkeys(kind for _, row in _rows(report) for kind in row.by_asks)]
    rows = [[name, *(estimate_in_words(row.by_asks.get(kind)) for kind in kinds)] for name, row in _rows(report)]
    return TextTable(f"By what the position asks, {report.overall}", ["model", *kinds], rows)


def distance_table(report: BenchReport) -> TextTable:
    """Models by the distance from the end."""
    used = {name for _, row in _rows(report) for name, of in row.by_distance.items() if of.point is not None}
    classes = [name for name in (*(name for _, name in DISTANCES), NO_DISTANCE) if name in used]
    rows = [[name, *(estimate_in_words(row.by_distance.get(of)) for of in classes)] for name, row in _rows(report)]
    return TextTable(f"By the number of plies to the end, {report.overall}", ["model", *classes], rows)


def answering_table(report: BenchReport) -> TextTable:
    """How models answered: legal moves, faults, runs."""
    faults = [*dict.fromkeys(fault for _, row in _rows(report) for fault in row.faults)]
    rows = list[list[str]]()
    for name, row in _rows(report):
        runs = row.deviation
        apart = "" if runs is None or runs.between_runs is None else f"{runs.between_runs:.3f}"
        positions = "" if runs is None else f"{runs.between_positions:.3f}"
        kinds = [str(row.faults.get(fault, 0)) for fault in faults]
        rows.append([name, estimate_in_words(row.legal_first), str(row.without_move), *kinds, apart, positions])
    columns = ["model", "legal first", "without a move", *faults, "± runs", "± positions"]
    return TextTable(f"How they answered, {report.overall}", columns, rows)


def comparison_table(report: BenchReport) -> TextTable:
    """Variants and disguises beside the first one; the null variant is in the same table."""
    rows = [
        [
            model_name(report, row.model),
            row.game,
            f"{row.kind} {row.name}",
            row.first,
            estimate_in_words(row.measure),
            difference_in_words(row.difference),
            f"{100 * row.legal_first:+.0f}".replace("-", "\N{MINUS SIGN}"),
            p_in_words(row.p),
            "" if row.is_null else p_in_words(row.p_adjusted),
        ]
        for row in report.comparisons
    ]
    columns = ["model", "game", "asked by", "beside", "measure", "difference", "legal first, points", "p", "p, Holm"]
    return TextTable("Variants and disguises beside the first one, on the same questions", columns, rows, left=4)


def difference_in_words(difference: Estimate) -> str:
    """A difference with its bounds, as −0.04 (−0.07 to −0.01); empty where there is none."""
    if difference.point is None or difference.low is None or difference.high is None:
        return ""
    return f"{with_minus(difference.point)} ({with_minus(difference.low)} to {with_minus(difference.high)})"


def spending_table(report: BenchReport) -> TextTable:
    """Tokens, money and time of the models that count them."""
    rows = list[list[str]]()
    for row in report.spending:
        if row.uncounted == row.answers:
            continue
        money, each = "" if row.money is None else f"{row.money:.2f}", row.answers - row.uncounted
        tokens = [f"{row.tokens_in:,}", f"{row.tokens_out:,}", f"{row.tokens_out / each:,.0f}"]
        rows.append([row.model, f"{row.answers:,}", *tokens, money, f"{row.seconds / row.answers:.1f}"])
    columns = ["model", "answers", "tokens in", "tokens out", "out, an answer", "money", "s, an answer"]
    return TextTable("What it took, with all variants and disguises", columns, rows)
