"""The questions of the study, each with the functions that find and show its answer; what cells there are, and the three primary
outcomes; and the result that the repository keeps.

`python -m benchmarks.study` finds the answers anew from the rows of the cells when all of these are there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import comb
from typing import Any

import vl_convert

from ludus.arena.ratings.comparison import adjust_p_values
from ludus.core.files.writing import make_folder, write_whole

from .. import RESULTS, ROOT
from ..common import table
from ..runner import Rows, Study
from .agreement import find_agreement, show_agreement
from .design import GAMES, cells
from .learning import SIZED_GAMES, find_learning, find_sizes, show_learning, show_sizes
from .mistakes import count_slopes, find_mistakes, show_mistakes, slopes_of, without_random
from .policies import WHOLE, error_file, policies_of_game, read_row, rounded, seconds_of, title
from .resampling import SEED, Interval, decimals, p_text
from .standing import DRAWN, find_ratings, show_ratings


def questions() -> dict[str, tuple[Callable[..., Any], Callable[[Any], dict[str, str]], Sequence[str] | None]]:
    """By name, what finds the answer to a question, what shows it, and the games of which it is asked, each by itself; None if it
    is asked of all together."""
    return {
        "cells": (count_cells, show_cells, None),
        "agreement": (find_agreement, show_agreement, None),
        "ratings": (find_ratings, show_ratings, WHOLE),
        "learning": (find_learning, show_learning, WHOLE),
        "sizes": (find_sizes, show_sizes, SIZED_GAMES),
        "mistakes": (find_mistakes, show_mistakes, [*GAMES]),
    }


def find_all() -> dict[str, Callable[[], Any]]:
    """What is found, each from the rows of the cells."""
    every = dict[str, Callable[[], Any]]()
    for name, (find, _, games) in questions().items():
        every |= {name: find} if games is None else {f"{name} {game}": partial(find, game) for game in games}
    return {name: lambda find=find: rounded(find()) for name, find in every.items()}


def show(rows: Rows) -> dict[str, str]:
    """Figures and tables by name."""
    figures = show_primary(rows)
    for name, (_, show_answer, games) in questions().items():
        figures |= show_answer(rows[name] if games is None else {game: rows[f"{name} {game}"] for game in games})
    return figures


# ---- what there is: cells, policies and games, the hours that they took, and why cells failed


def count_cells() -> dict[str, Any]:
    """For each of `games` its `cells`, those that `failed`, the `policies` of the others, the games for their ratings (`rated`) and
    the processor's `hours`; why cells failed (`failures`); and how many rows each of `commits` made, where that is known."""
    games, failures, commits = dict[str, dict[str, Any]](), list[str](), Counter[str]()
    for game in GAMES:
        every = [*cells(game)]
        rows = [row for cell in every if (row := read_row(cell))]
        errors = [error_file(cell).read_text(encoding="utf-8").strip() for cell in every if error_file(cell).exists()]
        policies = policies_of_game(game)
        failures += errors
        commits.update(row.get("commit") or "" for row in rows)
        games[game] = {
            "cells": len(every),
            "failed": len(errors),
            "policies": len(policies),
            "rated": int(sum(policy.panel.sum() for policy in policies)),
            "hours": sum(map(seconds_of, rows)) / 3600,
        }
    return {"games": games, "failures": failures, "commits": dict(commits)}


def show_cells(row: Mapping[str, Any]) -> dict[str, str]:
    """The table of what there is."""
    games, counted = row["games"], ("cells", "failed", "policies", "rated")
    lines = [[title(game), *(f"{each[name]:,}" for name in counted), decimals(each["hours"], 1)] for game, each in games.items()]
    return {
        "cells": table(["game", "cells", "failed", "policies", "games for ratings", "processor hours"], lines),
        "hours": decimals(sum(each["hours"] for each in games.values()), 1),
        "policies": f"{sum(each['policies'] for each in games.values()):,}",
        "commits": ", ".join(f"`{commit or 'unknown'}` ({count:,} rows)" for commit, count in row["commits"].items()),
        "failures": "\n".join(f"- {message}" for message in row["failures"]) or "None failed.",
    }


# ---- the three primary outcomes, one of each question


def show_primary(rows: Rows) -> dict[str, str]:
    """The p-values of the primary outcomes, corrected by Holm, and the counts that the second and the third are made of.

    Of the kinds and games in which Elo alone shows a change it counts, too, in how many the error clearly rises, and falls at all.

    The second is the exact sign test of how many kinds and games show a change in the error alone against in Elo alone; the third
    that of how many slopes are clear of 0 on either side.
    """
    curves = [kind for game in WHOLE for kind in rows[f"learning {game}"].values()]
    pairs = [(Interval(*curve["error"][1]), Interval(*curve["elo"][1])) for curve in curves]
    changes = Counter((error.is_below_zero, elo.is_above_zero) for error, elo in pairs)
    elo_alone = [error for error, elo in pairs if elo.is_above_zero and not error.is_below_zero]
    only_error, only_elo = changes[True, False], changes[False, True]
    kinds = [kind for game in WHOLE for kind in without_random(rows[f"mistakes {game}"]).values()]
    up, down, slopes = count_slopes(slopes_of(kind)[0] for kind in kinds)
    gain_p = rows["agreement"]["gains"]["value_lost"][1]
    p_values = adjust_p_values([gain_p, sign_test(only_error, only_elo), sign_test(up, down)])
    counts = {
        "changes.both": changes[True, True],
        "changes.neither": changes[False, False],
        "changes.only_error": only_error,
        "changes.only_elo": only_elo,
        "changes.only_elo.worse": sum(change.is_above_zero for change in elo_alone),
        "changes.only_elo.falling": sum((change.mean or 0.0) < 0 for change in elo_alone),
        "slopes.all": slopes,
        "slopes.up": up,
        "slopes.down": down,
    }
    return {f"primary.{number}": f"p {p_text(p, '= ')}" for number, p in enumerate(p_values, 1)} | {
        name: str(count) for name, count in counts.items()
    }


def sign_test(left: int, right: int) -> float:
    """How probable so uneven a split is if both sides are as likely, two-sided."""
    total = left + right
    return min(1.0, 2 * sum(comb(total, count) for count in range(min(left, right) + 1)) / 2**total) if total else 1.0


LIBRARIES = ("numpy", "torch", "stable-baselines3", "neat-python")
STUDY = Study(RESULTS / "study.json", find_all, show, SEED, LIBRARIES, script="python -m benchmarks.study")


# ---- the figure: Elo with its 95 % interval over the value that a policy loses a game to perfect play

Part = dict[str, Any]
STYLE = (
    "<style>:root{--ink:#1f2328;--faint:#59636e;--line:#d1d9e0;--paper:#fff}"
    "@media(prefers-color-scheme:dark){:root{--ink:#f0f6fc;--faint:#9198a1;--line:#3d444d;--paper:#0d1117}}</style>"
)
FAINT = {"labelColor": "var(--faint)", "titleColor": "var(--faint)", "titleFontWeight": "normal"}
CONFIG = {
    "axis": {**FAINT, "domain": False, "ticks": False, "gridColor": "var(--line)"},
    "legend": {**FAINT, "labelColor": "var(--ink)", "title": None, "orient": "bottom", "columns": 5},
    "title": {"color": "var(--ink)", "fontWeight": "normal", "fontSize": 12},
    "view": {"stroke": None},
    "font": "system-ui, sans-serif",
}
LONG = re.compile(r"(>[^<]*)|(\d+\.\d{2,})")
"""A text, or a number of more digits than pixels need."""
CIRCLE = re.compile(r'<path transform="translate\(([\d.]+),([\d.]+)\)" d="M([\d.]+),0A[^"]*"')
"""A circle that is drawn as a path, which takes twice the room."""
UNSEEN = re.compile(r'(<circle [^>]*) stroke-width="2"(?= opacity)|(<line [^>]*) stroke-width="1"')
"""The width of a circle's line, which is not drawn, or a line's width of 1, which is the default."""
FILE = ROOT / "docs" / "images" / "study" / "elo.svg"
COLOURS = {
    "qlearning": "#4c78a8",
    "montecarlo": "#72b7b2",
    "td_ntuple": "#54a24b",
    "neat": "#eeca3b",
    "maskable_ppo": "#e45756",
    "ppo": "#ff9da6",
    "dqn": "#9d755d",
    "alphazero": "#b279a2",
    "alphazero with search": "#f58518",
}


def draw() -> None:
    """Draws the figure of the findings that the repository keeps."""
    rows = STUDY.rows()
    make_folder(FILE.parent)
    write_whole(FILE, as_svg([plot(title(game), rows[f"ratings {game}"]) for game in DRAWN]).encode())


def plot(name: str, ratings: Mapping[str, Any]) -> Part:
    """The plot of a game: a point and a bar for each trained policy, and a broken line at perfect play."""
    points = list[Part]()
    for trainer, (elo, _, low, high), lost, searches in ratings["points"]:
        who, heights = f"{trainer} with search" if searches else trainer, {"elo": elo, "low": low, "high": high}
        points.append({"x": round(lost or 0.0, 3), **{what: round(height) for what, height in heights.items()}, "who": who})
    x: Part = {"field": "x", "type": "quantitative", "title": "value lost a game to perfect play"}
    x |= {"scale": {"type": "symlog", "constant": 0.02}, "axis": {"values": [0, 0.01, 0.03, 0.1, 0.3, 1], "format": "~g"}}
    y = {"type": "quantitative", "title": "Elo above random play", "axis": {"titlePadding": 12}}
    scale = {"domain": [*COLOURS], "range": [*COLOURS.values()]}
    both = {"x": x, "color": {"field": "who", "type": "nominal", "scale": scale, "legend": {"symbolOpacity": 1}}}
    perfect = [{"elo": round(ratings["perfect"][0])}]
    layers = [
        layer("rule", {**both, "y": {"field": "low", **y}, "y2": {"field": "high"}}, opacity=0.35, size=1),
        layer("point", {**both, "y": {"field": "elo", **y}}, filled=True, size=14, opacity=0.8),
        {"data": {"values": perfect}, **layer("rule", {"y": {"field": "elo", **y}}, strokeDash=[4, 4], color="var(--faint)")},
    ]
    return {"title": name, "width": 330, "height": 220, "data": {"values": points}, "layer": layers}


def layer(mark: str, encoding: Mapping[str, Part], **look: Any) -> Part:
    """Marks of one look, and what their places and colours say."""
    return {"mark": {"type": mark, **look, "aria": False}, "encoding": encoding}


def as_svg(plots: Sequence[Part]) -> str:
    """Plots side by side, as SVG, light or dark as the reader's page."""
    spec = {"hconcat": plots, "config": CONFIG, "background": "var(--paper)", "padding": 8}
    svg = LONG.sub(lambda part: part[1] or f"{float(part[2]):.1f}", vl_convert.vegalite_to_svg(spec))
    svg = UNSEEN.sub(r"\1\2", CIRCLE.sub(r'<circle cx="\1" cy="\2" r="\3"', svg))
    start = svg.index(">", svg.index("<svg")) + 1
    return svg[:start] + STYLE + svg[start:]


STUDIES = (STUDY,)
