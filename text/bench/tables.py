"""The tables of a bench report: the same rows on a terminal, on a page and in a paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from ...arena.report.words import MINUS
from ...games.display import TextTable
from .comparisons import KINDS, BenchComparison, Kind, p_in_words, with_minus
from .estimates import Estimate
from .measures import ALL_GAMES, DISTANCES, NO_DISTANCE, BenchReport, ModelMeasures

VARIED: dict[Kind, str] = {"variant": "Variants of the prompt", "disguise": "Disguises"}
MOST_INTERVALS = 3
"""The number of games whose intervals fit beside each other into the lines of a terminal."""


def report_tables(report: BenchReport) -> Iterator[TextTable]:
    """The tables of a report that have a row, for a terminal; with several games the comparisons are those over all."""
    measures = measure_table(report, narrow=len(report.games) > MOST_INTERVALS)
    tables = [measures, pair_table(report), asks_table(report), distance_table(report), answering_table(report)]
    tables += [comparison_table(report, kind, overall_comparisons(report, kind)) for kind in KINDS]
    yield from (table for table in (*tables, spending_table(report)) if table.rows)


# ---- numbers as text


def number(of: float) -> str:
    """A measure with two digits; one below 0 with a minus."""
    return f"{of:.2f}".replace("-0.00", "0.00").replace("-", MINUS)


def point_in_words(estimate: Estimate | None) -> str:
    """A number without its bounds; empty where it is not known."""
    return "" if estimate is None or estimate.point is None else number(estimate.point)


def estimate_in_words(estimate: Estimate | None) -> str:
    """A number with its bounds, as 0.71 (0.65 to 0.77); empty where it is not known."""
    if estimate is None or estimate.point is None or estimate.low is None or estimate.high is None:
        return ""
    return f"{number(estimate.point)} ({number(estimate.low)} to {number(estimate.high)})"


def difference_in_words(difference: Estimate) -> str:
    """A difference with its bounds, as −0.04 (−0.07 to −0.01); empty where it is not known."""
    if difference.point is None or difference.low is None or difference.high is None:
        return ""
    return f"{with_minus(difference.point)} ({with_minus(difference.low)} to {with_minus(difference.high)})"


# ---- rows and columns


def ranked_models(report: BenchReport) -> list[str]:
    """The models by their measure overall, the highest first, and after them the controls in the same order."""
    return sorted(report.models, key=lambda model: (model in report.controls, -_point(report, model)))


def games_of(report: BenchReport) -> tuple[str, ...]:
    """The columns of games: overall first, if there are several."""
    return (ALL_GAMES, *report.games) if len(report.games) > 1 else report.games


def _point(report: BenchReport, model: str) -> float:
    """The measure of a model overall; the lowest number where it is not known."""
    row = report.of(model)
    return -inf if row is None or row.measure.point is None else row.measure.point


def name_in_table(report: BenchReport, model: str) -> str:
    """A model's name; a control is marked."""
    return f"{report.names[model]} (control)" if model in report.controls else report.names[model]


def _rows(report: BenchReport, game: str) -> Iterator[tuple[str, ModelMeasures]]:
    """The measures of each model in a game, or overall, with its name."""
    for model in ranked_models(report):
        if (row := report.of(model, game)) is not None:
            yield name_in_table(report, model), row


# ---- the tables


def measure_table(report: BenchReport, *, narrow: bool = False) -> TextTable:
    """Models by games: the measure with its interval. A narrow table has the intervals of its first column alone."""
    rows = list[list[str]]()
    for model in ranked_models(report):
        first, *others = (row and row.measure for row in (report.of(model, game) for game in games_of(report)))
        cells = [point_in_words(of) if narrow else estimate_in_words(of) for of in others]
        rows.append([name_in_table(report, model), estimate_in_words(first), *cells])
    title = "The measure: 0 is random legal play in the same positions, 1 perfect play; with a 95 % interval"
    return TextTable(title, ["model", *games_of(report)], rows)


def asks_table(report: BenchReport, game: str = "") -> TextTable:
    """Models by what positions ask, in a game or overall."""
    game = game or report.overall
    kinds = [*dict.fromkeys(kind for _, row in _rows(report, game) for kind in row.by_asks)]
    rows = [[name, *(estimate_in_words(row.by_asks.get(kind)) for kind in kinds)] for name, row in _rows(report, game)]
    return TextTable(f"The measure by what the position asks, {game}", ["model", *kinds], rows)


def distance_table(report: BenchReport, game: str = "") -> TextTable:
    """Models by the distance from the end, in a game or overall."""
    game = game or report.overall
    used = {name for _, row in _rows(report, game) for name, of in row.by_distance.items() if of.point is not None}
    classes = [name for name in (*(name for _, name in DISTANCES), NO_DISTANCE) if name in used]
    rows = [[name, *(estimate_in_words(row.by_distance.get(of)) for of in classes)] for name, row in _rows(report, game)]
    title = f"The measure by the number of plies to the end with perfect play, {game}"
    return TextTable(title, ["model", *classes], rows)


def answering_table(report: BenchReport, game: str = "") -> TextTable:
    """How models answered in a game or overall: legal moves, faults, and how far runs differ."""
    game = game or report.overall
    faults = [*dict.fromkeys(fault for _, row in _rows(report, game) for fault in row.faults)]
    rows = list[list[str]]()
    for name, row in _rows(report, game):
        runs = row.deviation
        between_runs = "" if runs is None or runs.between_runs is None else f"{runs.between_runs:.3f}"
        between_positions = "" if runs is None else f"{runs.between_positions:.3f}"
        kinds = [f"{row.faults.get(fault, 0):,}" for fault in faults]
        counts = [f"{row.measure.answers:,}", estimate_in_words(row.legal_first), f"{row.without_move:,}"]
        rows.append([name, *counts, *kinds, between_runs, between_positions])
    columns = ["model", "answers", "legal at the first try", "without a move", *faults, "± between runs", "± positions"]
    return TextTable(f"How they answered, {game}", columns, rows)


def overall_comparisons(report: BenchReport, kind: Kind) -> list[BenchComparison]:
    """The comparisons over all games, and those of what only some games have; of each model the null variant first."""
    rows = [row for row in report.comparisons if row.kind == kind]
    whole = {(row.model, row.name) for row in rows if row.game == report.overall}
    rows = [row for row in rows if row.game == report.overall or (row.model, row.name) not in whole]
    return sorted(rows, key=lambda row: (report.models.index(row.model), not row.is_null))


def comparison_table(report: BenchReport, kind: Kind, comparisons: Sequence[BenchComparison], where: str = "") -> TextTable:
    """Variants or disguises beside the first one; the null variant is in the same table."""
    rows = [
        [
            name_in_table(report, row.model),
            row.game,
            row.name,
            estimate_in_words(row.measure),
            difference_in_words(row.difference),
            p_in_words(row.p),
            "" if row.is_null else p_in_words(row.p_adjusted),
            f"{100 * row.legal_first:+.1f}".replace("-0.0", "0.0").replace("+0.0", "0.0").replace("-", MINUS),
        ]
        for row in comparisons
    ]
    firsts = " or ".join(dict.fromkeys(f"'{row.first}'" for row in comparisons))
    title = f"{VARIED[kind]} beside {firsts}, on the same questions{where}"
    columns = ["model", "game", kind, "measure", "difference", "p", "p, Holm", "legal, % points"]
    return TextTable(title, columns, rows, left=3)


def pair_table(report: BenchReport) -> TextTable:
    """Each two models on the same questions, the higher ones first."""
    ranks = {model: rank for rank, model in enumerate(sorted(report.models, key=lambda model: -_point(report, model)))}
    pairs = sorted(report.pairs, key=lambda row: (ranks[row.first], ranks[row.name]))
    rows = [
        [
            name_in_table(report, row.name),
            name_in_table(report, row.first),
            difference_in_words(row.difference),
            p_in_words(row.p),
            p_in_words(row.p_adjusted),
        ]
        for row in pairs
    ]
    columns = ["model", "beside", "difference", "p", "p, Holm"]
    return TextTable(f"Models beside each other, on the same questions, {report.overall}", columns, rows, left=2)


def spending_table(report: BenchReport) -> TextTable:
    """Tokens, money and time of the models that count them."""
    rows = list[list[str]]()
    for row in report.spending:
        if (counted := row.answers - row.uncounted) == 0:
            continue
        money = "" if row.money is None else f"{row.money:.2f}" if row.money >= 0.1 else f"{row.money:.2g}"
        tokens = [f"{row.tokens_in:,}", f"{row.tokens_out:,}", f"{row.tokens_out / counted:,.0f}"]
        rows.append([report.names[row.model], f"{row.answers:,}", *tokens, money, f"{row.seconds / row.answers:.1f}"])
    columns = ["model", "answers", "tokens in", "tokens out", "out, an answer", "money", "seconds, an answer"]
    return TextTable("What it took, with all variants and disguises", columns, rows)
