"""What a bench report says, in sentences: who plays how well, whether the controls come out as they must, what prompts change."""

from __future__ import annotations

from collections.abc import Iterator

from ...arena.ratings.comparison import LEVEL
from .comparisons import KINDS, equal_sign
from .measures import BenchReport
from .tables import estimate_in_words, number, overall_comparisons, ranked_models

PERFECT, RANDOM = "perfect", "random"
"""The controls whose measures are known."""
WRONG = "something is wrong with this run"
MOST_NAMED = 8
"""How many comparisons that show nothing a sentence names."""


def findings(report: BenchReport) -> list[str]:
    """The findings, the most important one first."""
    sentences = [
        *_ranking(report),
        *_pairs(report),
        *_controls(report),
        *_asks(report),
        *_legal(report),
        *_changes(report),
        *_missing(report),
    ]
    return [sentence for sentence in sentences if sentence]


def _speaking_models(report: BenchReport) -> list[str]:
    """The models that are no controls."""
    return [model for model in ranked_models(report) if model not in report.controls]


def _ranking(report: BenchReport) -> Iterator[str]:
    measured = [row for model in _speaking_models(report) if (row := report.of(model)) and row.measure.point is not None]
    models = [(report.names[row.model], estimate_in_words(row.measure)) for row in measured]
    if models:
        (first, how), *others = models
        behind = "".join(f", {name} {at}" for name, at in others[:3])
        where = "" if len(report.games) == 1 else " over all games"
        yield f"{first} measures {how}{where}{behind}: 0 is random legal play in the same positions, 1 perfect play."


def _pairs(report: BenchReport) -> Iterator[str]:
    """Which models are shown to differ, from each other and from the controls."""
    alike = [(report.names[row.name], report.names[row.first], row.p_adjusted) for row in report.pairs if row.p_adjusted >= LEVEL]
    if not alike:
        others = ["every other"] * any(row.first not in report.controls for row in report.pairs if row.name not in report.controls)
        others += ["every control"] * any({row.name, row.first} & {*report.controls} for row in report.pairs)
        if others:
            yield f"Each model differs from {' and from '.join(others)}, question by question, with p < {LEVEL} after Holm."
        return
    names = ", ".join(f"{name} and {first} (p {equal_sign(p)})" for name, first, p in alike[:MOST_NAMED])
    more = f" and {len(alike) - MOST_NAMED:,} more" if len(alike) > MOST_NAMED else ""
    yield f"No difference is shown, question by question and after Holm, between {names}{more}."


def _controls(report: BenchReport) -> Iterator[str]:
    for name, must in ((PERFECT, 1.0), (RANDOM, 0.0)):
        row = report.of(name) if name in report.controls else None
        of = row.measure if row else None
        if of is None or of.point is None or of.low is None or of.high is None:
            continue
        if must == 1.0 and of.point != 1.0:
            yield f"The control 'perfect' must measure 1 and measures {of.point:.3f}: {WRONG}."
        elif not of.low <= must <= of.high:
            yield f"The control 'random' should measure about 0 and measures {estimate_in_words(of)}."
        elif must == 0.0:
            yield f"The control 'random' measures {estimate_in_words(of)}, about 0 as it must."
    for row in report.comparisons:
        if row.model in report.controls:
            yield f"The control '{row.model}' must play alike in '{row.name}' and '{row.first}', and does not, {row.game}: {WRONG}."


def _asks(report: BenchReport) -> Iterator[str]:
    """What each model does best and worst, where the intervals are apart."""
    for model in _speaking_models(report):
        row = report.of(model)
        kinds = [(name, of) for name, of in row.by_asks.items() if of.point is not None] if row else []
        if len(kinds) < 2:
            continue
        worst, best = (choose(kinds, key=lambda kind: kind[1].point or 0.0) for choose in (min, max))
        if (worst[1].high or 0.0) < (best[1].low or 0.0):
            least, most = number(worst[1].point or 0.0), number(best[1].point or 0.0)
            yield f"{report.names[model]} is better at '{best[0]}' ({most}) than at '{worst[0]}' ({least})."


def _legal(report: BenchReport) -> Iterator[str]:
    rows = [row for model in _speaking_models(report) if (row := report.of(model)) and row.legal_first.point is not None]
    shares = [f"{report.names[row.model]} {100 * (row.legal_first.point or 0.0):.1f} %" for row in rows]
    without = [f"{report.names[row.model]} {row.without_move:,}" for row in rows if row.without_move]
    lost = f"; questions without any legal move, which lose the game: {', '.join(without)}" if without else ""
    if rows:
        yield f"A legal move at the first try: {', '.join(shares)}{lost}."


def _changes(report: BenchReport) -> Iterator[str]:
    """What the null variant changes, what is shown to change the measure, and what is not."""
    compared = [
        row
        for model in _speaking_models(report)
        for kind in KINDS
        for row in overall_comparisons(report, kind)
        if row.model == model
    ]
    nulls = [f"{abs(row.difference.point or 0.0):.2f} ({report.names[row.model]})" for row in compared if row.is_null]
    if nulls:
        yield f"By chance alone, when the same prompt is asked again, the measure differs by {', '.join(nulls)}."
    unclear = list[str]()
    for row in compared:
        where = f" in {row.game}" if row.game != report.overall else ""
        if row.is_null:
            continue
        if row.p_adjusted < LEVEL:
            yield f"{report.names[row.model]}{where}: {row.sentence(report.null_of(row.model, row.game))}"
        else:
            unclear.append(f"'{row.name}'{where} ({report.names[row.model]})")
    if unclear:
        more = f" and {len(unclear) - MOST_NAMED:,} more" if len(unclear) > MOST_NAMED else ""
        yield f"No difference from the first one is shown, after Holm, of {', '.join(unclear[:MOST_NAMED])}{more}."


def _missing(report: BenchReport) -> Iterator[str]:
    """Who answered fewer questions than others."""
    counts = {model: row.measure.answers for model in report.models if (row := report.of(model))}
    most = max(counts.values(), default=0)
    few = [f"{report.names[model]} {count:,}" for model, count in counts.items() if count < most]
    if few:
        yield f"Not all answered all questions: {', '.join(few)} of {most:,}."
