"""What a bench report says, in sentences: who plays how well, whether the controls come out as they must, what prompts change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...arena.ratings.comparison import LEVEL
from .comparisons import KINDS, equal_sign
from .estimates import number
from .measures import BenchReport, ModelMeasures
from .tables import overall_comparisons, ranked_models

PERFECT, RANDOM = "perfect", "random"
"""The controls whose measures are known."""
WRONG = "something is wrong with this run"
MOST_NAMED = 8
"""How many comparisons that show nothing a sentence names."""


def findings(report: BenchReport) -> list[str]:
    """The findings, the most important one first."""
    rows = [row for model in ranked_models(report) if model not in report.controls and (row := report.of(model))]
    return [
        *_ranking(report, rows),
        *_pairs(report),
        *_controls(report),
        *_legal(report, rows),
        *_changes(report),
        *_missing(report),
    ]


def _some(names: Sequence[str]) -> str:
    """The first names of a list, and how many more there are."""
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"


def _ranking(report: BenchReport, rows: Sequence[ModelMeasures]) -> Iterator[str]:
    models = [(report.names[row.model], row.measure.words()) for row in rows if row.measure.interval]
    if models:
        (first, how), *others = models
        behind = "".join(f", {name} {at}" for name, at in others[:3])
        where = "" if len(report.games) == 1 else " over all games"
        yield f"{first} measures {how}{where}{behind}: 0 is random legal play in the same positions, 1 perfect play."


def _pairs(report: BenchReport) -> Iterator[str]:
    """Which models are shown to differ, from each other and from the controls."""
    alike = [row for row in report.pairs if row.p_adjusted >= LEVEL]
    if alike:
        names = [f"{report.names[row.name]} and {report.names[row.first]} (p {equal_sign(row.p_adjusted)})" for row in alike]
        yield f"No difference is shown, question by question and after Holm, between {_some(names)}."
        return
    with_control = [bool({row.name, row.first} & {*report.controls}) for row in report.pairs]
    others = ["every other"] * (not all(with_control)) + ["every control"] * any(with_control)
    if others:
        yield f"Each model differs from {' and from '.join(others)}, question by question, with p < {LEVEL} after Holm."


def _controls(report: BenchReport) -> Iterator[str]:
    measures = {name: row.measure for name in (PERFECT, RANDOM) if name in report.controls and (row := report.of(name))}
    if PERFECT in measures and (point := measures[PERFECT].point) not in (None, 1.0):
        yield f"The control 'perfect' must measure 1 and measures {point:.3f}: {WRONG}."
    if RANDOM in measures and (interval := measures[RANDOM].interval):
        words, (_, low, high) = measures[RANDOM].words(), interval
        as_it_must = low <= 0.0 <= high
        yield (
            f"The control 'random' measures {words}, about 0 as it must."
            if as_it_must
            else f"The control 'random' should measure about 0 and measures {words}."
        )
    for row in report.comparisons:
        if row.model in report.controls:
            yield f"The control '{row.model}' must play alike in '{row.name}' and '{row.first}', and does not, {row.game}: {WRONG}."


def _legal(report: BenchReport, rows: Sequence[ModelMeasures]) -> Iterator[str]:
    shares = [f"{report.names[row.model]} {100 * point:.1f} %" for row in rows if (point := row.legal_first.point) is not None]
    without = [f"{report.names[row.model]} {row.without_move:,}" for row in rows if row.without_move]
    lost = f"; questions without any legal move, which lose the game: {', '.join(without)}" if without else ""
    if shares:
        yield f"A legal move at the first try: {', '.join(shares)}{lost}."


def _changes(report: BenchReport) -> Iterator[str]:
    """What the null variant changes, what is shown to change the measure, and what is not."""
    ranks = {model: rank for rank, model in enumerate(ranked_models(report)) if model not in report.controls}
    rows = [row for kind in KINDS for row in overall_comparisons(report, kind) if row.model in ranks]
    rows.sort(key=lambda row: ranks[row.model])
    nulls = [f"{number(abs(row.difference.point or 0.0))} ({report.names[row.model]})" for row in rows if row.is_null]
    if nulls:
        yield f"By chance alone, when the same prompt is asked again, the measure differs by {', '.join(nulls)}."
    unclear = list[str]()
    for row in (row for row in rows if not row.is_null):
        name, where = report.names[row.model], f" in {row.game}" if row.game != report.overall else ""
        if row.p_adjusted < LEVEL:
            yield f"{name}{where}: {row.sentence(report.null_of(row.model, row.game))}"
        else:
            unclear.append(f"'{row.name}'{where} ({name})")
    if unclear:
        yield f"No difference from the first one is shown, after Holm, of {_some(unclear)}."


def _missing(report: BenchReport) -> Iterator[str]:
    """Who answered fewer questions than others."""
    counts = {model: row.measure.answers for model in report.models if (row := report.of(model))}
    most = max(counts.values(), default=0)
    few = [f"{report.names[model]} {count:,}" for model, count in counts.items() if count < most]
    if few:
        yield f"Not all answered all questions: {', '.join(few)} of {most:,}."
