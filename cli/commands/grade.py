"""`ludus grade GAME --policy SPEC`: how a policy compares with perfect play, by a sample of its moves, or exactly."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

from rich.spinner import Spinner

from ...agents.statespace.table import Table
from ...arena.engines.guarded import Guard
from ...arena.grading import Grade, grade
from ...arena.grading.exact import ExactGrade
from ...envs import Game, make_game
from ...envs.files.writing import also_saying, check_target, is_stream
from ..terminal.display import display
from ..terminal.numbers import games, whole
from ..terminal.output import keep_and_show, refuse, show


def arguments(parser: argparse.ArgumentParser) -> None:
    """The game, the policy, and how to grade it."""
    parser.add_argument("game", help="a game's spec, as quixo:size=3")
    parser.add_argument("--policy", required=True, metavar="SPEC", help="the policy to grade, as minimax:depth=4")
    parser.add_argument("--exact", action="store_true", help="reckon with every position that can come up against it")
    parser.add_argument("--games", action=games(), metavar="N", help="games to play, half of them in each seat (1000)")
    parser.add_argument("--against", metavar="SPEC", help="whom to play against (random)")
    parser.add_argument("--moves", action=whole(1), metavar="N", help="moves to grade at most, where each takes a search (1000)")
    parser.add_argument("--freeze", action="store_true", help="with --exact: have it play one action in each position")
    parser.add_argument("--best-response", type=Path, metavar="FILE", help="with --exact: keep the best answer to it, as a policy")


def run(chosen: argparse.Namespace) -> None:
    """Grades and prints."""
    game = make_game(chosen.game)
    if not chosen.exact:
        show(sampled(game, chosen), chosen.json)
        return
    refuse(chosen, "an exact grade plays no games", "games", "against", "moves")
    if chosen.best_response:
        check_target(chosen.best_response)
    with Guard() as guard, _followed() as progress, redirect_stdout(sys.stderr):  # policies may print
        policy = guard(chosen.policy, game)
        found = grade(policy, game, exact=True, freeze=chosen.freeze, seed=chosen.seed, progress=progress)
    keep_and_show(lambda: _write(found, chosen.best_response), lambda written: show(found, chosen.json))
    if chosen.best_response and not chosen.json and not is_stream(chosen.best_response):
        spec = shlex.quote(f"table:path={chosen.best_response}")
        print(f"The best answer to it: ludus play {shlex.quote(game.spec)} --against {spec}")


def _write(found: ExactGrade, path: Path | None) -> None:
    """Keeps the best answer to a policy, if somebody asked for it."""
    if path:
        table = found.response.table
        assert isinstance(table, Table)
        with also_saying(lambda: "the grade is printed above"):
            table.write(path)


def sampled(game: Game, chosen: argparse.Namespace) -> Grade:
    """A sampled grade as it was asked for."""
    refuse(chosen, "only an exact grade knows of it; give --exact too", "freeze", "best_response")
    with Guard() as guard, redirect_stdout(sys.stderr):
        given = {"games": chosen.games, "against": guard(chosen.against, game), "most": chosen.moves}
        return grade(
            guard(chosen.policy, game),
            game,
            seed=chosen.seed,
            faults="count",
            **{name: value for name, value in given.items() if value is not None},
        )


@contextmanager
def _followed() -> Generator[Callable[[str], object]]:
    """What to call with how far a grade is: shows it on the terminal, on stderr."""
    spinner = Spinner("dots")
    with display(spinner):
        yield lambda how_far: spinner.update(text=how_far)
