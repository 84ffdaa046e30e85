"""`ludus solve GAME [POSITION]`: what a position is worth with perfect play, and which moves keep it."""

from __future__ import annotations

import argparse
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from ...agents.oracles import Oracle, Solution, make_oracle
from ...agents.search.watch import DONE, TOTAL, Watch
from ...envs import Game, make_game
from ...envs.games.game import StateArray
from ..terminal.display import display
from ..terminal.numbers import seconds, whole
from ..terminal.output import print_json

PATIENT: dict[str, dict[str, int]] = {"othello": {"empties": 22}, "othello:size=6": {"empties": 32}}
"""Settings of oracles for whoever waits half a minute."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The game, the position, and how long to try."""
    parser.add_argument("game", help="a game's spec, as quixo:size=4")
    parser.add_argument("position", nargs="?", help="the position, as `ludus play` shows it after save (the start)")
    parser.add_argument("--seconds", action=seconds(), help="try for so long, beyond the oracle's reach too")
    parser.add_argument("--nodes", action=whole(1), help="try so many nodes, beyond the oracle's reach too")
    parser.add_argument("--book", action="store_true", help="make the book of first positions (Quarto), or go on making it")
    parser.add_argument("--force", action="store_true", help="try beyond the oracle's reach for as long as it takes")


def run(chosen: argparse.Namespace) -> None:
    """Solves and prints."""
    game = make_game(chosen.game)
    state = game.start if chosen.position is None else game.position(chosen.position)
    try_on = chosen.force or chosen.seconds is not None or chosen.nodes is not None
    oracle = make_oracle(game, **({} if try_on else PATIENT.get(game.spec, {})))
    oracle.prepare()
    if chosen.book:
        make_book(oracle, chosen)
        return
    reached = oracle.reaches(state)
    with _followed(f"{game}: solving", chosen) as watch:
        solution = oracle.solve(state, watch if try_on or reached else None)
        counts = oracle.counts(watch) if chosen.position is None and solution.value is not None else None
    document = _document(game, state, solution, watch, counts)
    if chosen.json:
        print_json(document)
    else:
        print(_told(game, oracle, state, solution, watch, counts))


def make_book(oracle: Oracle, chosen: argparse.Namespace) -> None:
    """Makes the oracle's book, as far as the limits allow."""
    with _followed(f"{oracle.game}: the book", chosen) as watch:
        whole = oracle.build_book(watch)
    done, total = (int(watch.words[place]) for place in (DONE, TOTAL))
    if chosen.json:
        print_json({"game": oracle.game.spec, "whole": whole, "done": done, "total": total, "seconds": watch.seconds})
    else:
        rest = "" if whole else "; the same command goes on from here"
        print(f"the book of {oracle.game}: {done:,} of {total:,} positions searched{rest}")


@contextmanager
def _followed(what: str, chosen: argparse.Namespace) -> Generator[Watch]:
    """A watch with the limits that are asked for, and its progress on the screen."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TextColumn("{task.fields[what]}"), TimeElapsedColumn())
    progress = Progress(*columns)
    bar = progress.add_task(what, what="")
    watch = Watch(chosen.nodes, chosen.seconds, lambda watch: progress.update(bar, what=_progress(watch)))
    with display(progress):
        yield watch


def _progress(watch: Watch) -> str:
    """Nodes, nodes a second, and an estimate where there is one."""
    told = f"{watch.nodes:,} nodes, {watch.nodes / watch.seconds / 1e6:.1f} M/s"
    if watch.fraction:
        left = watch.seconds / watch.fraction - watch.seconds
        told += f", {watch.fraction:.0%}, about {left:.0f} s left"
    return told


def _document(
    game: Game, state: StateArray, solution: Solution, watch: Watch, counts: tuple[int, int, int] | None
) -> dict[str, Any]:
    document: dict[str, Any] = {"game": game.spec, "position": game.text(state), "value": solution.value}
    if game.name == "othello":
        document["score"] = solution.score
    document["best"] = [game.move_name(action) for action in solution.best]
    document |= {"distance": solution.distance, "nodes": watch.nodes, "seconds": watch.seconds}
    if counts is not None:
        document |= dict(zip(("won", "lost", "drawn"), counts, strict=True))
    return document


def _told(
    game: Game, oracle: Oracle, state: StateArray, solution: Solution, watch: Watch, counts: tuple[int, int, int] | None
) -> str:
    """The answer for people."""
    lines = [str(solution)]
    if solution.value is None and watch.stopped:
        lines.append(f"The limit came after {watch.nodes:,} nodes and {watch.seconds:.1f} s.")
        return "\n".join(lines)
    if solution.value is None:
        lines.append(f"Out of reach. The oracle of {game.title} knows {oracle.reach}.")
        lines.append("`--seconds N` tries longer than it promises, `--force` for as long as it takes.")
        return "\n".join(lines)
    if counts is not None:
        told = ", ".join(f"{count:,} {word}" for count, word in zip(counts, ("won", "lost", "drawn"), strict=True))
        lines.append(f"Of all {sum(counts):,} positions, {told} for the side to move.")
    lines.append(f"{watch.nodes:,} nodes, {watch.seconds:.2f} s")
    return "\n".join(lines)
