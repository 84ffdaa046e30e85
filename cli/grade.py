"""`ludus grade GAME --policy SPEC`: how a policy compares with perfect play, by a sample of its moves, or exactly."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from rich.console import Console

from ..arena.grading import ExactGrade, Grade, SeatGrade, grade
from ..arena.grading.sampled import BLUNDERS
from ..arena.score import fault_words
from ..envs import Game, make_game
from .output import print_json, print_table, refuse

MOST_ROWS = 20
RESULTS = {1: "won", 0: "drawn", -1: "lost"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """The game, the policy, and how to grade it."""
    parser.add_argument("game", help="a game's spec, as quixo:size=3")
    parser.add_argument("--policy", required=True, metavar="SPEC", help="the policy to grade, as minimax:depth=4")
    parser.add_argument("--exact", action="store_true", help="reckon with every position that can come up against it")
    parser.add_argument("--games", type=int, metavar="N", help="games to play, half of them in each seat (1000)")
    parser.add_argument("--against", metavar="SPEC", help="whom to play against (random)")
    parser.add_argument("--moves", type=int, metavar="N", help="moves to grade at most, where each takes a search (1000)")
    parser.add_argument("--freeze", action="store_true", help="with --exact: have it play one action in each position")
    parser.add_argument("--best-response", type=Path, metavar="FILE", help="with --exact: keep the best answer to it, as a policy")


def run(chosen: argparse.Namespace) -> None:
    """Grades and prints."""
    game = make_game(chosen.game)
    if not chosen.exact:
        print_sampled(sampled(game, chosen), chosen.json)
        return
    refuse(chosen, "an exact grade plays no games", "games", "against", "moves")
    with _followed() as progress, redirect_stdout(sys.stderr):  # policies may print
        found = grade(chosen.policy, game, exact=True, freeze=chosen.freeze, seed=chosen.seed, progress=progress)
    if chosen.best_response:
        found.response.table.write(chosen.best_response)
    print_exact(found, chosen.json)
    if chosen.best_response and not chosen.json:
        spec = shlex.quote(f"table:path={chosen.best_response}")
        print(f"The best answer to it: ludus play {shlex.quote(game.spec)} --against {spec}")


def sampled(game: Game, chosen: argparse.Namespace) -> Grade:
    """A sampled grade as it was asked for."""
    refuse(chosen, "only an exact grade knows of it; give --exact too", "freeze", "best_response")
    given = {"games": chosen.games, "against": chosen.against, "most": chosen.moves}
    with redirect_stdout(sys.stderr):
        return grade(
            chosen.policy,
            game,
            seed=chosen.seed,
            faults="count",
            **{name: value for name, value in given.items() if value is not None},
        )


def print_exact(found: ExactGrade, as_json: bool) -> None:
    """Prints an exact grade: what there is to say of each seat, and the games that the policy loses."""
    if as_json:
        print_json(found.document())
        return
    names, seats = found.game.player_names, found.seats
    frozen = f", frozen by seed {found.seed}" if found.frozen else ""
    rows = [
        ["can be beaten", *("no" if seat.line is None else f"in {len(seat.line)} plies" for seat in seats)],
        ["the start is", *("" if seat.value is None else RESULTS[seat.value] for seat in seats)],
        ["against random: won %", *(_percent(seat.random.win) for seat in seats)],
        ["    drawn %", *(_percent(seat.random.draw) for seat in seats)],
        ["    lost %", *(_percent(seat.random.loss) for seat in seats)],
        ["    moves that keep the value %", *(_percent(seat.random.optimal, seat.random.moves) for seat in seats)],
        ["    value lost a move", *(_mean(seat.random.lost, seat.random.moves) for seat in seats)],
        ["against perfect play: value thrown away a game", *(_mean(seat.thrown) for seat in seats)],
        ["against its best answer: result", *(f"{-seat.response + 0.0:+.4f}" for seat in seats)],
        ["positions in which it may have to move", *(f"{seat.positions:,}" for seat in seats)],
        ["    of them played without error %", *(_percent(seat.optimal_positions, seat.positions) for seat in seats)],
    ]
    print_table(f"{found.policy} in {found.game}, exactly{frozen}", ["", *(f"as {name}" for name in names)], rows)
    for name, seat in zip(names, seats, strict=True):
        _print_line(found.game, name, seat)
    told = "It can be beaten." if found.beatable else "It cannot be beaten."
    if found.frozen:
        told = f"With one action for each position, drawn by seed {found.seed}: {told}"
    values = "" if found.value_lost is None else f" It throws away {found.value_lost:.4f} a move against random play"
    thrown = "" if found.value_thrown is None else f", {found.value_thrown:.4f} a game against perfect play."
    print(f"{told} Exploitability {found.exploitability:.4f}.{values}{thrown}")


def print_sampled(found: Grade, as_json: bool) -> None:
    """Prints a sampled grade: the results, and the moves by ply."""
    if as_json:
        print_json(found.document())
        return
    assert found.score is not None
    games = [counts.tolist() for counts in found.score.by_seat]
    rows = [
        [f"as {name}", *(_percent(count, sum(counts)) for count in counts)]
        for name, counts in zip(found.game.player_names, games, strict=True)
    ]
    print(f"{found.policy} in {found.game}: {found.score.games:,} games against {found.score.pairing.b}")
    print_table("", ["", "won %", "drawn %", "lost %"], rows)
    if told := fault_words([found.score]):
        print(*told, sep="\n")
        print("The moves that were faults are not graded.")
    heads = ["ply", "moves", "graded", "kept %", "lost", *(kind.replace(" to ", "→") for kind in BLUNDERS)]
    if found.optimal_rate is None or found.value_lost is None:
        print(f"None of its {found.moves.sum():,} moves could be graded: nobody knows what their positions are worth.")
        return
    print_table("Its moves beside perfect play: the value kept, and lost a move", heads, _by_ply(found))
    low, high = found.optimal_interval
    print(
        f"{found.graded.sum():,} of {found.moves.sum():,} moves graded: {found.optimal_rate:.2%} keep the value "
        f"({low:.1%} to {high:.1%}); {found.value_lost:.4f} lost a move"
    )


def _print_line(game: Game, name: str, seat: SeatGrade) -> None:
    """Prints the game that a policy loses, and its final picture."""
    if seat.line is None:
        return
    state = game.start
    for action in seat.line:
        state = game.play(state, action)
    print(f"As {name} it loses {_moves(game, seat.line)}\n\n{game.picture(state, seat.line[-1])}\n")


def _moves(game: Game, actions: Sequence[int]) -> str:
    return " ".join(game.move_name(action).replace(" ", "\N{NO-BREAK SPACE}") for action in actions)


def _by_ply(found: Grade) -> list[list[Any]]:
    """The rows of the table of moves, several plies to a row where games are long."""
    plies = len(found.moves)
    step = next(step for step in (1, 5, 10, plies) if plies <= MOST_ROWS * step)
    rows: list[list[Any]] = []
    for first in range(0, plies, step):
        part = slice(first, min(first + step, plies))
        moves, graded, lost = (int(counts[part].sum()) for counts in (found.moves, found.graded, found.lost))
        blunders: list[int] = found.blunders[part].sum(axis=0).tolist()
        name = str(first) if step == 1 else f"{first}–{part.stop - 1}"
        if graded:
            kept = _percent(graded - sum(blunders), graded)
            rows.append([name, f"{moves:,}", f"{graded:,}", kept, _mean(lost, graded, 3), *blunders])
    return rows


def _percent(part: float | None, whole: float = 1) -> str:
    return "" if part is None or not whole else f"{100 * part / whole:.2f}"


def _mean(total: float | None, count: float = 1, digits: int = 4) -> str:
    return "" if total is None or not count else f"{total / count:.{digits}f}"


@contextmanager
def _followed() -> Generator[Callable[[str], object]]:
    """What to call with how far a grade is: shows it on the terminal, on stderr."""
    console = Console(stderr=True)
    with console.status("") as status:
        yield status.update
