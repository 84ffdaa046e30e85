"""The questions of the study, each with the functions that find and show its answer; what cells there are, and the three primary
outcomes; and the result that the repository keeps.

`python -m benchmarks.study` finds the answers anew from the rows of the cells when all of these are there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb
from typing import Any, NamedTuple

import msgspec

from ludus.arena.ratings.comparison import adjust_p_values

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study
from .agreement import GRADED_GAMES, AgreementFinding, ExploitsFinding, find_agreement, find_exploits, show_agreement, show_exploits
from .design import GAMES, cells
from .learning import SIZED_GAMES, LearningFinding, find_learning, find_sizes, show_learning, show_sizes
from .measuring import OracleCost, show_oracles, time_oracle
from .mistakes import MistakesFinding, count_slopes, find_mistakes, show_mistakes, without_random
from .policies import WHOLE, error_file, policies_of_game, read_row, rounded, seconds_of, title
from .resampling import SEED, Interval, decimals, p_text
from .standing import RatingsFinding, find_ratings, show_ratings


class StudyQuestion(NamedTuple):
    """What is asked of the rows.

    Args:
        find: finds the answer, of all games or of a game.
        answer: the type of the answer.
        show: figures and tables by name, from the answer, or from those of all games.
        games: the games of which it is asked, each by itself; None if it is asked of all together.
    """

    find: Callable[..., Any]
    answer: Any
    show: Callable[[Any], dict[str, str]]
    games: Sequence[str] | None = None


def questions() -> dict[str, StudyQuestion]:
    """The questions by name."""
    return {
        "cells": StudyQuestion(count_cells, CellsFinding, show_cells),
        "agreement": StudyQuestion(find_agreement, AgreementFinding, show_agreement),
        "ratings": StudyQuestion(find_ratings, RatingsFinding, show_ratings, WHOLE),
        "learning": StudyQuestion(find_learning, dict[str, LearningFinding], show_learning, WHOLE),
        "sizes": StudyQuestion(find_sizes, dict[str, Interval], show_sizes, SIZED_GAMES),
        "mistakes": StudyQuestion(find_mistakes, dict[str, MistakesFinding], show_mistakes, [*GAMES]),
        "exploits": StudyQuestion(find_exploits, ExploitsFinding, show_exploits, GRADED_GAMES),
        "oracle": StudyQuestion(time_oracle, OracleCost, show_oracles, [*GAMES]),
    }


def find_all() -> dict[str, Callable[[], Any]]:
    """What is found, each from the rows of the cells."""
    every = dict[str, Callable[[], Any]]()
    for name, question in questions().items():
        if question.games is None:
            every[name] = question.find
        else:
            every |= {f"{name} {game}": partial(question.find, game) for game in question.games}
    return {name: lambda find=find: rounded(msgspec.to_builtins(find())) for name, find in every.items()}


def read_answer(rows: Rows, name: str) -> Any:
    """The answer to a question, by game where it is asked of each, from the rows of the result."""
    question = questions()[name]
    read = partial(msgspec.convert, type=question.answer)
    return read(rows[name]) if question.games is None else {game: read(rows[f"{name} {game}"]) for game in question.games}


def show(rows: Rows) -> dict[str, str]:
    """Figures and tables by name."""
    answers = {name: read_answer(rows, name) for name in questions()}
    figures = {name: text for asked, question in questions().items() for name, text in question.show(answers[asked]).items()}
    return figures | show_primary(answers["agreement"], answers["learning"], answers["mistakes"])


# ---- what there is: cells, policies and games, the hours that they took, and why cells failed


@dataclass(frozen=True)
class CellCounts:
    """What there is of a game.

    Args:
        cells: its cells.
        failed: those that failed.
        policies: the policies of the others.
        rated: the games for their ratings.
        hours: of the processor.
    """

    cells: int
    failed: int
    policies: int
    rated: int
    hours: float


@dataclass(frozen=True)
class CellsFinding:
    """What there is of each game, why cells failed, and how many rows each commit made; its name is empty where it is not known."""

    games: dict[str, CellCounts]
    failures: list[str]
    commits: dict[str, int]


def count_cells() -> CellsFinding:
    """For each game the cells, those that failed, policies, games for ratings and hours; why cells failed; and rows by commit."""
    games, failures, commits = dict[str, CellCounts](), list[str](), Counter[str]()
    for game in GAMES:
        every = [*cells(game)]
        rows = [row for cell in every if (row := read_row(cell))]
        errors = [error_file(cell).read_text(encoding="utf-8").strip() for cell in every if error_file(cell).exists()]
        policies = policies_of_game(game)
        failures += errors
        commits.update(row.get("commit") or "" for row in rows)
        games[game] = CellCounts(
            cells=len(every),
            failed=len(errors),
            policies=len(policies),
            rated=int(sum(policy.panel.sum() for policy in policies)),
            hours=sum(map(seconds_of, rows)) / 3600,
        )
    return CellsFinding(games, failures, dict(commits))


def show_cells(finding: CellsFinding) -> dict[str, str]:
    """The table of what there is."""
    lines = [
        [title(game), *(f"{count:,}" for count in (each.cells, each.failed, each.policies, each.rated)), decimals(each.hours, 1)]
        for game, each in finding.games.items()
    ]
    return {
        "cells": table(["game", "cells", "failed", "policies", "games for ratings", "processor hours"], lines),
        "hours": decimals(sum(each.hours for each in finding.games.values()), 1),
        "policies": f"{sum(each.policies for each in finding.games.values()):,}",
        "commits": ", ".join(f"`{commit or 'unknown'}` ({count:,} rows)" for commit, count in finding.commits.items()),
        "failures": "\n".join(f"- {message}" for message in finding.failures) or "None failed.",
    }


# ---- the three primary outcomes, one of each question


def show_primary(
    agreement: AgreementFinding,
    learning: Mapping[str, Mapping[str, LearningFinding]],
    mistakes: Mapping[str, Mapping[str, MistakesFinding]],
) -> dict[str, str]:
    """The p-values of the primary outcomes, corrected by Holm, and the counts that the second and the third are made of.

    Of the kinds and games in which Elo alone shows a change it counts, too, in how many the error clearly rises, and falls at all.

    The second is the exact sign test of how many kinds and games show a change in the error alone against in Elo alone; the third
    that of how many slopes are clear of 0 on either side.
    """
    curves = [kind for kinds in learning.values() for kind in kinds.values()]
    changes = Counter((curve.error.change.is_below_zero, curve.elo.change.is_above_zero) for curve in curves)
    up, down, slopes = count_slopes(kind.slope for game in WHOLE for kind in without_random(mistakes[game]).values())
    elo_alone = [curve.error.change for curve in curves if curve.elo.change.is_above_zero and not curve.error.change.is_below_zero]
    only_error, only_elo = changes[True, False], changes[False, True]
    p_values = adjust_p_values([agreement.gains["value_lost"].p, sign_test(only_error, only_elo), sign_test(up, down)])
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
STUDIES = (STUDY,)
