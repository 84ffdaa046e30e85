"""`ludus solve GAME [POSITION]`: shows the value of a position with perfect play, and its best moves."""

from __future__ import annotations

import argparse
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from rich.progress import Progress, SpinnerColumn, TimeElapsedColumn

from ...core.numbers import several
from ...envs import make_game
from ...games.game import StateArray
from ...oracles import Oracle, Solution, make_oracle
from ...search.watch import DONE, TOTAL, Watch
from ..terminal.display import display, plain
from ..terminal.numbers import seconds, whole
from ..terminal.output import print_json


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("game", help="spec of the game, for example quixo:size=4")
    add("position", nargs="?", help="position as text, for example 'X---O---- X' (default: the start of the game)")
    add("--seconds", action=seconds(), help="time limit; allows positions out of the oracle's reach")
    add("--nodes", action=whole(1), help="limit of positions searched; allows positions out of the oracle's reach")
    add("--book", action="store_true", help="build the book of early positions of a game that has one, or resume building it")
    add("--force", action="store_true", help="allow positions out of the oracle's reach, without a limit")


def run(chosen: argparse.Namespace) -> None:
    """Solves a position, and prints the solution."""
    game = make_game(chosen.game)
    state = game.start if chosen.position is None else game.position(chosen.position)
    beyond_reach = chosen.force or chosen.seconds is not None or chosen.nodes is not None
    oracle = make_oracle(game) if beyond_reach else make_oracle(game).patient()
    oracle.prepare()
    if chosen.book:
        build_book(oracle, chosen)
        return
    reached = oracle.reaches(state)
    with _watch(f"{game}: solving", chosen) as watch:
        solution = oracle.solve(state, watch if beyond_reach or reached else None)
        counts = oracle.counts(watch) if chosen.position is None and solution.value is not None else None
    if chosen.json:
        print_json(_document(oracle, state, solution, watch, counts))
    else:
        print(_text(oracle, solution, watch, counts))


def build_book(oracle: Oracle, chosen: argparse.Namespace) -> None:
    """Builds the oracle's book as far as the limits allow."""
    with _watch(f"{oracle.game}: building the book", chosen) as watch:
        whole = oracle.build_book(watch)
    done, total = int(watch.words[DONE]), int(watch.words[TOTAL])
    if chosen.json:
        print_json({"game": oracle.game.spec, "whole": whole, "done": done, "total": total, "seconds": watch.seconds})
    else:
        rest = "" if whole else "; run the same command to resume"
        print(f"the book of {oracle.game}: {done:,} of {several(total, 'position')} searched{rest}")


@contextmanager
def _watch(description: str, chosen: argparse.Namespace) -> Generator[Watch]:
    """Yields a watch with the limits of the command, and shows its progress."""
    columns = (SpinnerColumn(), plain("{task.description}"), plain("{task.fields[progress]}"), TimeElapsedColumn())
    progress = Progress(*columns)
    bar = progress.add_task(description, progress="")
    watch = Watch(chosen.nodes, chosen.seconds, lambda watch: progress.update(bar, progress=_progress(watch)))
    with display(progress):
        yield watch


def _progress(watch: Watch) -> str:
    """Nodes, nodes per second, and an estimate of the time that is left, if there is one."""
    text = f"{several(watch.nodes, 'node')}, {watch.nodes / watch.seconds / 1e6:.1f} M/s"
    if watch.fraction:
        left = watch.seconds / watch.fraction - watch.seconds
        text += f", {watch.fraction:.0%}, about {left:.0f} s left"
    return text


def _document(
    oracle: Oracle, state: StateArray, solution: Solution, watch: Watch, counts: tuple[int, int, int] | None
) -> dict[str, Any]:
    game = oracle.game
    document: dict[str, Any] = {"game": game.spec, "position": game.text(state), "value": solution.value}
    if oracle.has_score:
        document["score"] = solution.score
    document["best"] = [game.move_name(action) for action in solution.best]
    document |= {"distance": solution.distance, "nodes": watch.nodes, "seconds": watch.seconds}
    if counts is not None:
        document |= dict(zip(("won", "lost", "drawn"), counts, strict=True))
    return document


def _text(oracle: Oracle, solution: Solution, watch: Watch, counts: tuple[int, int, int] | None) -> str:
    """The solution for people."""
    lines = [str(solution)]
    if solution.value is None and watch.stopped:
        lines.append(f"The limit was reached after {several(watch.nodes, 'node')} and {watch.seconds:.1f} s.")
    elif solution.value is None:
        lines.append(f"Out of reach. The oracle of {oracle.game.title} knows {oracle.reach}.")
        lines.append("`--seconds N` searches for a limited time anyway, `--force` without a limit.")
    else:
        if counts is not None:
            parts = ", ".join(f"{count:,} {word}" for count, word in zip(counts, ("won", "lost", "drawn"), strict=True))
            lines.append(f"Of all {several(sum(counts), 'position')}, {parts} for the side to move.")
        lines.append(f"{several(watch.nodes, 'node')}, {watch.seconds:.2f} s")
    return "\n".join(lines)
