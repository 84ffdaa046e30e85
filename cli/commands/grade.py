"""`ludus grade GAME`: compares a policy with perfect play, on a sample of its moves or exactly, or players of recorded games."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...arena.engines.remote import guard_policy
from ...arena.grading import ExactGrade, Grade, grade, grade_exact, grade_games
from ...arena.matches.settings import LONGEST_OPENING
from ...core.files.writing import add_to_errors, check_target, is_stream
from ...core.numbers import short_repr
from ...core.specs import join
from ...core.workers.worker import Worker
from ...envs import make_game
from ...oracles.statespace.table import Table
from ...records import read_games
from ..terminal.display import spinner
from ..terminal.options import games, or_file, pathname, whole
from ..terminal.output import check_page, print_page, refuse, show, write_and_show


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("game", help="spec of the game, for example quixo:size=3")
    add("--policy", metavar="SPEC", help="the policy to grade, for example minimax:depth=4; without it, --games FILE")
    add("--exact", action="store_true", help="compute the exact grade, over all positions that can occur against it")
    add(
        "--games",
        action=or_file(games()),
        metavar="N_OR_FILE",
        help="games, half in each seat (default: 1000, or as many as --moves needs); or a file of recorded games, of people or "
        "programs: the moves of each player are graded",
    )
    add("--against", metavar="SPEC", help="opponent in these games (default: random)")
    add("--opening-plies", action=whole(0, LONGEST_OPENING), metavar="N", help="random plies at their start (default: 0)")
    add("--openings", metavar="FILE|NAME", help="begin these games with openings, each from both seats: a file, or balanced")
    add("--moves", action=whole(1), metavar="N", help="maximum number of moves to grade if each needs a search (default: 1000)")
    add("--freeze", action="store_true", help="with --exact: let a random policy always play one action per position")
    add("--answers", action=pathname(), metavar="FILE", help="with --exact: keep its answers in a file, so that a grade can resume")
    add(
        "--calibration",
        action=whole(2),
        metavar="N",
        help="compare the values that it states with the exact ones, in up to N positions",
    )
    add("--best-response", action=pathname(), metavar="FILE", help="with --exact: write the best response to it, as a policy")
    add(
        "--report",
        action=pathname(),
        metavar="FILE",
        help="with --exact: write a page with the grade, and replays of games it loses",
    )


def run(chosen: argparse.Namespace) -> None:
    """Grades, and prints the grade."""
    if isinstance(chosen.games, Path):
        grade_file(chosen)
        return
    if chosen.policy is None:
        raise ValueError("nobody is named who is to be graded; give --policy SPEC, or --games FILE with recorded games")
    if chosen.exact:
        refuse(chosen, "an exact grade plays no games", "games", "against", "opening_plies", "openings", "moves")
    else:
        exact_only = "freeze", "answers", "best_response", "report"
        refuse(chosen, "it applies only to an exact grade; give --exact too", *exact_only)
    check_page(chosen.report)
    if chosen.best_response:
        check_target(chosen.best_response)
    with Worker() as worker, spinner() as progress:
        result = grade_as_chosen(chosen, worker, progress)
    write_and_show(lambda: _write(result, chosen.best_response, chosen.report), lambda written: show(result, chosen.json))
    if chosen.report and not chosen.json:
        print_page(chosen.report)
    if chosen.best_response and not chosen.json and not is_stream(chosen.best_response):
        spec = shlex.quote(join("table", {"path": chosen.best_response}))
        print(f"To play against the best response: ludus play {shlex.quote(make_game(chosen.game).spec)} --against {spec}")


def grade_file(chosen: argparse.Namespace) -> None:
    """Grades the players of a file of games, and prints the grades."""
    played = "policy", "exact", "against", "opening_plies", "openings"
    others = *played, "freeze", "answers", "calibration", "best_response", "report"
    if not chosen.games.is_file():
        raise ValueError(f"--games is {short_repr(str(chosen.games))}; it must be a whole number of games, or a file that is there")
    refuse(chosen, "--games names a file, and the moves of its games are graded", *others)
    records = [*read_games(chosen.games, chosen.game)]
    if not records:
        raise ValueError(f"{chosen.games} contains no games")
    with spinner() as progress:
        result = grade_games(records, seed=chosen.seed, most=chosen.moves, progress=progress)
    show(result, chosen.json)


def _write(result: Grade | ExactGrade, response: Path | None, report: Path | None) -> None:
    """Writes the best response and the page, where files are named."""
    if isinstance(result, ExactGrade):
        table = result.best_response.table
        assert isinstance(table, Table)
        with add_to_errors(lambda: "the grade is printed above"):
            if response:
                table.write(response)
            if report:
                from ...arena.report.page import write_grade

                write_grade(report, result)


def grade_as_chosen(chosen: argparse.Namespace, worker: Worker, progress: Callable[[str], object]) -> Grade | ExactGrade:
    """The grade of a sample of moves, or of every position."""
    game = make_game(chosen.game)
    policy = guard_policy(chosen.policy, game, worker)
    common: dict[str, Any] = {"seed": chosen.seed, "calibration": chosen.calibration, "progress": progress}
    if chosen.exact:
        return grade_exact(policy, game, freeze=chosen.freeze, answers=chosen.answers, **common)
    given: dict[str, Any] = {name: getattr(chosen, name) for name in ("games", "opening_plies", "openings")}
    given["most"] = chosen.moves
    given["against"] = guard_policy(chosen.against, game, worker)
    given = {name: value for name, value in given.items() if value is not None}
    return grade(policy, game, faults="count", **common, **given)
