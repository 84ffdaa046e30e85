"""The plots of a page: ratings, strength against time, seats, lengths of games, grades."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...core import words
from ..grading import Grade
from ..grading.sampled import BLUNDERS
from ..pages.single import Markup
from .data import GameReport
from .plots import AXIS, DOT, GAP, MEANING, ROW, SQUARE, Values, align_names, axis, colours, dots, draw_plot, names_in_plots, rows

MOST_BARS, MOST_SPANS = 40, 16
WHOLE = {"tickCount": 7, "tickMinStep": 1}
"""The ticks of an axis of whole numbers."""
PLOT = (300, 205)
"""In pixels: the size of a plot without rows, less its axes."""
OUTCOMES = {"won": "var(--win)", "drawn": "var(--draw)", "lost": "var(--loss)"}
ENDS = {"won by the first player": "var(--first)", "drawn": "var(--draw)", "won by the second player": "var(--second)"}
TIMES = (
    "datum.value < 1e-3 ? format(datum.value * 1e6, '~r') + ' µs' : "
    "datum.value < 1 ? format(datum.value * 1e3, '~r') + ' ms' : format(datum.value, '~r') + ' s'"
)
"""The label of a time on an axis, as an expression of Vega."""


def ratings(report: GameReport) -> Markup:
    """The Elo of each policy as a dot, and its bounds as a line."""
    values = [
        {"policy": name, **report.rating(name)._asdict(), "meaning": f"{name}: Elo {elo_in_words(report, name)}"}
        for name in report.names
    ]
    return dots(f"ratings-{report.slug}", report.names, values, "elo", axis("Elo", nice=True))


def speed(report: GameReport) -> Markup:
    """Strength against time: the Elo of each policy over its time for a move, on a logarithmic axis."""
    thought = {name: score.seconds_a_move[0] for name, score in report.totals.items() if score.seconds_a_move[0] > 0}
    if not thought:
        return Markup()
    elos = [report.rating(name).elo for name in thought]
    room = 30 + 0.06 * (max(elos) - min(elos))
    bottom, top = min(elos) - room, max(elos) + room
    powers = [math.log10(seconds) for seconds in thought.values()]
    left, right = math.floor(min(powers) - 0.1), math.ceil(max(powers) + 0.1)
    across, down = PLOT[0] / (right - left), PLOT[1] / (top - bottom)
    points = [((power - left) * across, (top - elo) * down) for power, elo in zip(powers, elos, strict=True)]
    values = _speeds(report, thought, points)
    decades = [10.0**power for power in range(left, right + 1)]
    time = axis("time for a move", type="log", domain=[decades[0], decades[-1]], nice=False)
    label_position = {"dx": {"expr": f"datum.align == 'left' ? {GAP} : -{GAP}"}, "align": {"expr": "datum.align"}}
    text = {
        "type": "text",
        "color": "var(--ink)",
        "fontSize": 11,
        "baseline": "middle",
        "limit": 130,
        "aria": False,
        **label_position,
    }
    return draw_plot(
        f"speed-{report.slug}",
        {
            "height": SQUARE,
            "data": {"values": values},
            "encoding": {
                "x": {"field": "seconds", **time, "axis": {"values": decades, "labelExpr": TIMES}},
                "y": {"field": "elo", **axis("Elo", domain=[bottom, top], nice=False)},
            },
            "layer": [
                {"mark": DOT, "encoding": {"description": MEANING}},
                {"transform": [{"filter": "datum.align"}], "mark": text, "encoding": {"text": {"field": "label"}}},
            ],
        },
    )


def seats(report: GameReport) -> Markup:
    """Each policy's wins, draws and losses, above as first player, below as second."""
    part = axis("of its games", domain=[0, 1])
    return draw_plot(
        f"seats-{report.slug}",
        {
            "height": ROW * len(report.names) + AXIS,
            "data": {"values": [*_outcomes(report)]},
            "mark": {"type": "bar", "cornerRadius": 1, "height": {"band": 0.86}},
            "encoding": {
                "y": rows(report.names, room=0.3),
                "yOffset": {"field": "seat", "type": "nominal", "sort": [0, 1], "scale": {"paddingInner": 0.1}},
                "x": {"field": "low", **part, "axis": {"format": "%", "tickCount": 5}},
                "x2": {"field": "high"},
                "color": colours(OUTCOMES),
                "description": MEANING,
            },
        },
    )


def lengths(report: GameReport) -> Markup:
    """A histogram of the lengths of games, by who won them."""
    values = [*_bars(report)]
    return draw_plot(
        f"lengths-{report.slug}",
        {
            "height": SQUARE,
            "data": {"values": values},
            "mark": {"type": "rect", "stroke": "var(--paper)", "strokeWidth": 1},
            "encoding": {
                **_spans_of_plies("plies", values),
                "y": {"field": "bottom", **axis("games"), "axis": {**WHOLE, "format": "~s"}},
                "y2": {"field": "top"},
                "color": colours(ENDS),
                "description": MEANING,
            },
        },
    )


def grades(report: GameReport) -> Markup:
    """The share of each policy's moves that keep the value as a dot, and its bounds as a line."""
    values: Values = []
    for name, grade in report.grades.items():
        low, high = grade.optimal_interval
        meaning = f"{name}: {grade_in_words(grade)}"
        values.append({"policy": name, "part": grade.optimal_rate, "low": low, "high": high, "meaning": meaning})
    part = {**axis("of the graded moves"), "axis": {"format": "%", "tickCount": 5}}
    return dots(f"grades-{report.slug}", report.names, values, "part", part)


def slips(report: GameReport) -> Markup:
    """How much value each policy loses a move, by ply: the darker, the more."""
    values = [*_slips(report)]
    most = max([0.1, *(value["lost"] for value in values)])
    dark = {"type": "quantitative", "scale": {"domain": [0, most], "range": [0, 1]}, "legend": None}
    return draw_plot(
        f"slips-{report.slug}",
        {
            "height": ROW * len(report.names) + AXIS,
            "data": {"values": values},
            "mark": {"type": "rect", "color": "var(--blunder)", "stroke": "var(--line)", "strokeWidth": 0.5, "cornerRadius": 1},
            "encoding": {
                "y": rows(report.names, room=0.15),
                **_spans_of_plies("ply", values),
                "fillOpacity": {"field": "lost", **dark},
                "description": MEANING,
            },
        },
    )


def _spans_of_plies(title: str, values: Values) -> dict[str, Any]:
    """The fields of marks that reach from `low` to `high`, along an axis from the first to the last of them."""
    scale = axis(title, domain=[values[0]["low"], values[-1]["high"]], nice=False)
    return {"x": {"field": "low", **scale, "axis": {**WHOLE, "grid": False}}, "x2": {"field": "high"}}


def elo_in_words(report: GameReport, name: str) -> str:
    """A policy's Elo with its bounds."""
    elo, low, high = map(words.with_sign, report.rating(name))
    return f"{elo} ({low} to {high})"


def grade_in_words(grade: Grade) -> str:
    """A grade in a line."""
    low, high = map(words.percent, grade.optimal_interval)
    blunders = [f"{number:,} {kind}" for kind, number in zip(BLUNDERS, grade.blunders.sum(0).tolist(), strict=True) if number]
    kept = f"{words.percent(grade.optimal_rate or 0)} ({low} to {high}) of {grade.graded.sum():,} graded moves keep the value"
    return f"{kept}; {grade.value_lost or 0:.3f} lost per move" + (f"; blunders: {', '.join(blunders)}" if blunders else "")


def _speeds(report: GameReport, thought: dict[str, float], points: list[tuple[float, float]]) -> Values:
    """The points of policies, given their seconds for a move, with names where there is room."""
    ranks = dict(zip(report.names, names_in_plots(report.names), strict=True))
    labels = [ranks[name] for name in thought]
    values: Values = []
    for (name, seconds), label, align in zip(thought.items(), labels, align_names(points, labels, PLOT[0]), strict=True):
        meaning = f"{name}: {words.duration(seconds)} a move, Elo {elo_in_words(report, name)}"
        values.append({"label": label, "seconds": seconds, "elo": report.rating(name).elo, "align": align, "meaning": meaning})
    return values


def _outcomes(report: GameReport) -> Iterator[dict[str, Any]]:
    """For each policy and seat, the shares of its results as bars in a row."""
    for name, score in report.totals.items():
        for seat, results in enumerate(score.by_seat.tolist()):
            games, end = max(1, sum(results)), 0
            for outcome, number in zip(OUTCOMES, results, strict=True):
                end += number
                if number:
                    who = f"{name} as {('first', 'second')[seat]} player"
                    meaning = f"{who}: {outcome} {number:,} of {games:,}, {words.percent(number / games)}"
                    bar = {"low": (end - number) / games, "high": end / games}
                    yield {"policy": name, "seat": seat, "outcome": outcome, **bar, "meaning": meaning}


def _bars(report: GameReport) -> Iterator[dict[str, Any]]:
    """Stacked bars, at most MOST_BARS beside each other."""
    games = report.lengths
    plies = np.flatnonzero(games.any(0)).tolist()
    for low, width in _spans(plies[0], plies[-1], MOST_BARS):
        top = 0
        for outcome, number in zip(ENDS, games[:, low : low + width].sum(1).tolist(), strict=True):
            top += number
            if number:
                meaning = f"{_span('plies', low, width)}: {words.several(number, 'game')} {outcome}"
                edges = {"low": low - 0.5, "high": low + width - 0.5, "bottom": top - number, "top": top}
                yield {**edges, "outcome": outcome, "meaning": meaning}


def _slips(report: GameReport) -> Iterator[dict[str, Any]]:
    """For each policy and each span of plies, the value lost per move; nothing where no move was graded."""
    plies = [ply for grade in report.grades.values() for ply in np.flatnonzero(grade.graded).tolist()]
    for low, width in _spans(min(plies), max(plies), MOST_SPANS):
        for name, grade in report.grades.items():
            moves, lost = (int(numbers[low : low + width].sum()) for numbers in (grade.graded, grade.total_value_lost))
            if moves:
                where, some = _span("ply", low + 1, width), words.several(moves, "graded move")
                meaning = f"{name}, {where}: {lost / moves:.2f} lost per move, in {some}"
                yield {"policy": name, "low": low + 0.5, "high": low + width + 0.5, "lost": lost / moves, "meaning": meaning}


def _spans(first: int, last: int, most: int) -> Iterator[tuple[int, int]]:
    """At most `most` equal spans from the first number to the last: the start of each, and its width."""
    width = -(-(last - first + 1) // most)
    return ((low, width) for low in range(first, last + 1, width))


def _span(unit: str, low: int, width: int) -> str:
    return f"{unit} {low}" if width == 1 else f"{unit} {low} to {low + width - 1}"
