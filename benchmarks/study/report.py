"""The questions of the study, each with the functions that find and show its answer; the tables in files; and the result that the
repository keeps.

`python -m benchmarks.study` finds them anew from the rows of the cells when all of these are there, and writes all tables, those of
every policy too, as CSV to runs/strength/tables.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from ludus.core.files.writing import make_folder, write_whole

from .. import RESULTS
from ..runner import Rows, Study
from .design import GAMES
from .findings.agreement import AgreementFinding, find_agreement, show_agreement, take_measures
from .findings.cells import CellsFinding, count_cells, show_cells
from .findings.exploits import GRADED_GAMES, ExploitsFinding, find_exploits, show_exploits
from .findings.learning import SIZED_GAMES, LearningFinding, find_learning, find_sizes, show_learning, show_sizes
from .findings.mistakes import MistakesFinding, find_mistakes, show_mistakes
from .findings.oracles import OracleCost, show_oracles, time_oracle
from .findings.primary import show_primary
from .findings.ratings import RatingsFinding, find_ratings, show_ratings
from .intervals import Interval
from .measuring import COUNTS
from .places import FOLDER, rounded
from .policies import WHOLE, policies_of_game
from .resampling import SEED
from .standing import ratings, read_panel

TABLES = FOLDER / "tables"
"""Where all tables lie, as CSV."""


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

    def cells(self, name: str) -> dict[str, Callable[[], Any]]:
        """The functions that find the answers to the question of this name, by the names of the result's cells."""
        return {name: self.find} if self.games is None else {f"{name} {game}": partial(self.find, game) for game in self.games}


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
    every = {name: find for asked, question in questions().items() for name, find in question.cells(asked).items()}
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


# ---- files


def write_tables(rows: Rows) -> None:
    """Writes a row for each policy, and the tables of the page, as CSV."""
    make_folder(TABLES)
    agreement: AgreementFinding = read_answer(rows, "agreement")
    learning: dict[str, dict[str, LearningFinding]] = read_answer(rows, "learning")
    mistakes: dict[str, dict[str, MistakesFinding]] = read_answer(rows, "mistakes")
    unknown = Interval(None, None, None)
    write_csv("policies", [policy for game in GAMES for policy in policy_rows(game)])
    write_csv(
        "agreement",
        [
            {
                "game": game,
                "measure": name,
                **interval_columns("tau", tau.of_trainers),
                **interval_columns("tau_of_seeds", tau.of_seeds),
                **agreement.parts[game][name]._asdict(),
            }
            for game, taus in agreement.taus.items()
            for name, tau in taus.items()
        ],
    )
    write_csv(
        "learning",
        [
            {"game": game, "kind": kind, "budget": budget, **interval_columns("error", error), **interval_columns("elo", elo)}
            for game, kinds in learning.items()
            for kind, finding in kinds.items()
            for budget, error, elo in zip(finding.budgets, finding.error.levels, finding.elo.levels, strict=True)
        ],
    )
    write_csv(
        "mistakes",
        [
            {
                "game": game,
                "kind": kind,
                **interval_columns("slope", finding.slope or unknown),
                **interval_columns("frequency_slope", finding.frequency_slope or unknown),
                "half_lost_by_ply": finding.half_lost,
            }
            for game, kinds in mistakes.items()
            for kind, finding in kinds.items()
        ],
    )


def interval_columns(name: str, interval: Interval) -> dict[str, Any]:
    """The columns of a mean with its interval."""
    return {f"{name}_{part}": value for part, value in interval._asdict().items()}


def policy_rows(game: str) -> list[dict[str, Any]]:
    """A row for each policy of a game, with all its measures of the test after all its games; value that is lost is negative."""
    policies, elo = policies_of_game(game), ratings(game)
    measures = take_measures(policies, read_panel(game), COUNTS[-1], 0)
    rows = list[dict[str, Any]]()
    for number, policy in enumerate(policies):
        cell, rating = policy.cell, elo[policy.cell.name, policy.name]
        row = {
            "game": game,
            "policy": cell.name,
            "simulations": policy.name,
            "trainer": policy.trainer,
            "size": cell.size,
            "budget": cell.budget,
            "seed": cell.seed,
            "seconds": policy.training.get("seconds"),
            "lost": policy.lost,
            "lost_error": policy.error,
            "elo_of_all_games": rating.elo,
            "elo_low": rating.low,
            "elo_high": rating.high,
            "exploitability": policy.exact.get("exploitability"),
            "exploited": policy.exploited,
            **{name: float(column[number]) for name, column in measures.items()},
        }
        rows.append(rounded(row))
    return rows


def write_csv(name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Writes a table."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [*rows[0]])
    writer.writeheader()
    writer.writerows(rows)
    write_whole(TABLES / f"{name}.csv", text.getvalue().encode())


STUDY = Study(
    RESULTS / "study.json",
    find_all,
    show,
    SEED,
    libraries=("numpy", "torch", "stable-baselines3", "neat-python"),
    script="python -m benchmarks.study",
)
STUDIES = (STUDY,)
