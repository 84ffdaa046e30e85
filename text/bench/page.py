"""The page of a bench report: one file that needs no network, and no script but its own. What models said is text on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...arena.pages.single import Markup
from ...arena.report.page import render
from ...arena.report.plots import AXIS, MEANING, ROW, axis, colours, draw_plot, rows
from ...core.files.writing import path_of, write_whole
from ...core.numbers import several
from ...games.display import TextTable
from ...games.registry import make_game
from .answers import BenchAnswer
from .comparisons import KINDS
from .findings import findings
from .measures import BenchReport
from .tables import (
    answering_table,
    asks_table,
    comparison_table,
    measure_table,
    overall_comparisons,
    pair_table,
    ranked_models,
    spending_table,
)

LONGEST_REPLY = 4000
"""Characters of a reply that the page shows, from its start."""
LOWEST = -1.0
"""Where the axis of the measure begins at the lowest: what plays worse stands at the edge."""
SHADES = {"model": "var(--accent)", "control": "var(--faint)"}
RESULTS = {1: "won", 0: "drawn", -1: "lost"}


class PagePart(NamedTuple):
    """What a section of the page shows: tables, sentences below its heading, and tables by game that a reader may open."""

    tables: Sequence[TextTable]
    by_game: Sequence[TextTable] = ()
    sentences: Sequence[str] = ()


def write_page(report: BenchReport, path: str | Path) -> None:
    """Writes the page, whole or not at all; ValueError where what writes pages is not installed."""
    write_whole(path_of(path), bench_page(report).encode(errors="replace"))


def bench_page(report: BenchReport) -> str:
    """The page of a report."""
    models = [model for model in report.models if model not in report.controls]
    figures = [("models", str(len(models))), ("games", str(len(report.games)))]
    figures += [("answers", f"{sum(row.answers for row in report.spending):,}"), ("seed", str(report.seed))]
    only = report.names[models[0]] if len(models) == 1 else ""
    return render(
        Path(__file__).with_name("bench.html.jinja"),
        title=f"How well {only} plays" if only else "How well language models play",
        figures=figures,
        findings=findings(report),
        measures=measure_table(report),
        overall=report.overall,
        drawing=draw_measures(report),
        parts={name: part for name, part in _parts(report) if any(table.rows for table in part.tables)},
        worst=[*_worst(report)],
        facts=[(name, fact) for name, fact in _facts(report) if fact],
        checksums=[table for table in _checksums(report.about) if table.rows],
    )


def draw_measures(report: BenchReport) -> Markup:
    """The measure of each model overall as a dot, and its interval as a line."""
    values = list[dict[str, Any]]()
    for model in ranked_models(report):
        of = row.measure if (row := report.of(model)) else None
        if of is not None and of.interval is not None:
            bounds = {name: max(LOWEST, bound) for name, bound in zip(("point", "low", "high"), of.interval, strict=True)}
            name, kind = report.names[model], "control" if model in report.controls else "model"
            values.append({"policy": name, "outcome": kind, "meaning": f"{name}: {of.words()}", **bounds})
    if not values:
        return Markup("")
    names = [value["policy"] for value in values]
    number = axis("measure", domain=[min(0.0, *(value["low"] for value in values)), 1], nice=True)
    line = {"type": "rule", "strokeWidth": 2, "opacity": 0.45, "strokeCap": "round"}
    return draw_plot(
        "measures-plot",
        {
            "height": ROW * len(names) + AXIS,
            "data": {"values": values},
            "encoding": {"y": rows(names), "description": MEANING, "color": colours(SHADES)},
            "layer": [
                {"mark": line, "encoding": {"x": {"field": "low", **number}, "x2": {"field": "high"}}},
                {"mark": {"type": "circle", "size": 70, "opacity": 1}, "encoding": {"x": {"field": "point", **number}}},
            ],
        },
    )


def _parts(report: BenchReport) -> Iterator[tuple[str, PagePart]]:
    """The sections between the overview and the worst answers, by their names; bench.html.jinja has their words."""
    games = report.games if len(report.games) > 1 else ()
    yield "models", PagePart([pair_table(report)])
    yield "positions", PagePart([asks_table(report)], [asks_table(report, game) for game in games])
    for kind in KINDS:
        overall = overall_comparisons(report, kind)
        others = [row for row in report.comparisons if row.kind == kind and row not in overall]
        rows = [row for row in overall if row.model not in report.controls]
        sentences = [(report.names[row.model], row.sentence(report.null_of(row.model, row.game))) for row in rows]
        yield (
            f"{kind}s",
            PagePart(
                [comparison_table(report, kind, overall)],
                [comparison_table(report, kind, others, ", game by game")] if others else [],
                [f"{model}: {sentence}" for model, sentence in sentences if sentence],
            ),
        )
    tables = [table for table in (answering_table(report), spending_table(report)) if table.rows]
    yield "answers", PagePart(tables, [answering_table(report, game) for game in games])


def _worst(report: BenchReport) -> Iterator[dict[str, Any]]:
    """The worst answers of the models; those of the controls, where there is no model."""
    mine = [answer for answer in report.worst if answer.model not in report.controls] or report.worst
    for answer in mine:
        verdict = (
            f"{answer.asks}: it played {answer.move}, which makes a {RESULTS[answer.value]} position a "
            f"{RESULTS[round(answer.value - answer.value_lost)]} one. "
            f"A random legal move loses {answer.random_loses:.2f} here, on average."
        )
        cut = f" … ({several(len(answer.reply), 'character')})" if len(answer.reply) > LONGEST_REPLY else ""
        yield {
            "heading": f"{report.names[answer.model]}, {answer.game}",
            "board": _board(answer),
            "position": answer.position,
            "verdict": verdict[0].upper() + verdict[1:],
            "reply": answer.reply[:LONGEST_REPLY] + cut,
        }


def _board(answer: BenchAnswer) -> Markup:
    """The position of an answer; nothing if its game is not known here."""
    try:
        game = make_game(answer.game)
        return Markup(game.svg(game.position(answer.position)))
    except ValueError:
        return Markup("")


def _facts(report: BenchReport) -> Iterator[tuple[str, str]]:
    """How the answers were made: names and values."""
    for model in report.models:
        kind = "Control" if model in report.controls else "Model"
        yield kind, model
    about = report.about
    variants = [str(each.get("name", "")) if isinstance(each, Mapping) else str(each) for each in about.get("variants") or ()]
    yield "Variants", ", ".join(variants)
    yield "Disguises", ", ".join(map(str, about.get("disguises") or ()))
    yield "Repeats", str(about.get("repeats") or "")
    yield "Seed", str(report.seed)


def _checksums(about: Mapping[str, Any]) -> Iterator[TextTable]:
    """The checksums of sets and of prompts, as far as they are known."""
    sets = [
        [game, *(str(of.get(name, "")) for name in ("set", "count", "checksum"))] for game, of in about.get("positions", {}).items()
    ]
    yield TextTable("Sets of positions", ["game", "set", "positions", "checksum"], sets, left=2)
    prompts = [[name, str(checksum)] for name, checksum in about.get("prompts", {}).items()]
    yield TextTable("Prompts", ["game, disguise, variant", "checksum"], prompts)
