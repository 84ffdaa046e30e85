"""The questions of the study, each with the functions that find and show its answer; what cells there are, and the three primary
outcomes; and the result that the repository keeps.

`python -m benchmarks.study` finds the answers anew from the rows of the cells when all of these are there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import comb
from typing import Any

from ludus.arena.ratings.comparison import adjust_p_values
from ludus.core.files.writing import make_folder, write_whole

from .. import RESULTS, ROOT
from ..common import table
from ..drawing import Part, as_svg, axis, colour, layer, level, panel
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
    make_folder(FILE.parent)
    write_whole(FILE, as_svg(panels(STUDY.rows())).encode())


def panels(rows: Rows) -> list[Part]:
    """A plot for each game."""
    return [plot(title(game), rows[f"ratings {game}"]) for game in DRAWN]


def plot(name: str, ratings: Mapping[str, Any]) -> Part:
    """The plot of a game: a point and a bar for each trained policy, and a line at perfect play."""
    points = list[Part]()
    for trainer, (elo, _, low, high), lost, searches in ratings["points"]:
        who, heights = f"{trainer} with search" if searches else trainer, {"elo": elo, "low": low, "high": high}
        points.append({"x": round(lost or 0.0, 3), **{what: round(height) for what, height in heights.items()}, "who": who})
    x = axis(
        "x",
        "value lost a game to perfect play",
        {"type": "symlog", "constant": 0.02},
        values=[0, 0.01, 0.03, 0.1, 0.3, 1],
        format="~g",
    )
    y = {"title": "Elo above random play", "axis": {"titlePadding": 12}}
    color = colour(COLOURS, "who", symbolOpacity=1)
    low, elo = ({"field": field, "type": "quantitative", **y} for field in ("low", "elo"))
    bars = layer("rule", {"x": x, "y": low, "y2": {"field": "high"}, "color": color}, opacity=0.35, size=1)
    dots = layer("point", {"x": x, "y": elo, "color": color}, filled=True, size=14, opacity=0.8)
    return panel(points, bars, dots, level(round(ratings["perfect"][0]), **y), width=330, title=name)


STUDIES = (STUDY,)
