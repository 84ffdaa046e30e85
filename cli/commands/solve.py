"""`ludus solve GAME [POSITION or FILE]`: the value of a position, or of each in a file, with perfect play, and its best moves."""

from __future__ import annotations

import argparse
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.progress import Progress, SpinnerColumn, TimeElapsedColumn

from ...core.files.writing import path_of
from ...core.numbers import several, short_repr
from ...envs import Game, make_game
from ...games.game import StateArray
from ...oracles import Oracle, Solution, make_oracle
from ...records import RecordedGame, read_games
from ...records.positions import state_of
from ...search.watch import Watch
from ..terminal.display import display, plain
from ..terminal.options import seconds, whole
from ..terminal.output import print_json, print_result, print_table


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("game", help="spec of the game, for example quixo:size=4")
    add(
        "position",
        nargs="?",
        metavar="POSITION_OR_FILE",
        help="position as text, for example 'X---O---- X', or the name of a file, each of whose positions, or the last one of each "
        "of whose games, is solved (default: the start of the game)",
    )
    add("--seconds", action=seconds(), help="time limit; allows positions out of the oracle's reach")
    add("--nodes", action=whole(1), help="limit of positions searched; allows positions out of the oracle's reach")
    add("--force", action="store_true", help="allow positions out of the oracle's reach, without a limit")


def run(chosen: argparse.Namespace) -> None:
    """Solves a position, and prints the solution."""
    game = make_game(chosen.game)
    file = _file_of(chosen.position)
    if file is not None:
        solve_file(game, file, chosen)
        return
    state = _state_of(game, chosen.position)
    oracle, beyond_reach = _oracle_of(game, chosen)
    reached = oracle.reaches(state)
    with _watch(f"{game}: solving", chosen) as watch:
        solution = oracle.solve(state, watch if beyond_reach or reached else None)
        counts = oracle.counts(watch) if chosen.position is None and solution.value is not None else None
    print_result(chosen.json, _document(oracle, state, solution, watch, counts), _text(oracle, solution, watch, counts))


def _oracle_of(game: Game, chosen: argparse.Namespace) -> tuple[Oracle, bool]:
    """The oracle, and whether it may be asked about positions out of its reach."""
    beyond_reach = chosen.force or chosen.seconds is not None or chosen.nodes is not None
    oracle = make_oracle(game) if beyond_reach else make_oracle(game).patient()
    oracle.prepare()
    return oracle, beyond_reach


def _file_of(text: str | None) -> Path | None:
    """The file that is there under this name; None for a position."""
    try:
        path = path_of(text) if text else None
        return path if path is not None and path.is_file() else None
    except (OSError, ValueError):  # no name of a file
        return None


def _state_of(game: Game, text: str | None) -> StateArray:
    """The state of a position; of None the game's own start.

    Raises:
        ValueError: it is no position; where it looks like the name of a file, the message says that there is none.
    """
    try:
        return game.start if text is None else state_of(game, text)
    except ValueError as error:
        if text and ("/" in text or "\\" in text or Path(text).suffix[1:].isalnum()):
            raise ValueError(f"there is no file {short_repr(text)}, and no such position: {error}") from None
        raise


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
    stopped = watch.stopped if solution.value is None else not solution.all_best
    document |= {"distance": solution.distance, "nodes": watch.nodes, "seconds": watch.seconds, "stopped": stopped}
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
        if not solution.all_best:
            lines.append("The limit was reached before all moves were searched: others may be as good.")
        if counts is not None:
            parts = ", ".join(f"{count:,} {word}" for count, word in zip(counts, ("won", "lost", "drawn"), strict=True))
            lines.append(f"Of all {several(sum(counts), 'position')}, {parts} for the side to move.")
        lines.append(f"{several(watch.nodes, 'node')}, {watch.seconds:.2f} s")
    return "\n".join(lines)


# ---- files


def solve_file(game: Game, file: Path, chosen: argparse.Namespace) -> None:
    """Solves each position of a file, or the last one of each of its games, and prints the solutions."""
    records = [*read_games(file, game)]
    if not records:
        raise ValueError(f"{file} contains no positions")
    oracle, beyond_reach = _oracle_of(game, chosen)
    documents, all_searched = list[dict[str, Any]](), True
    for number, record in enumerate(records, 1):
        state = record.states()[-1]
        with _watch(f"{game}: position {number:,} of {len(records):,}", chosen) as watch:
            solution = oracle.solve(state, watch if beyond_reach or oracle.reaches(state) else None)
        documents.append(_document(oracle, state, solution, watch, None) | _file_says(record, solution))
        all_searched &= solution.all_best
    known = sum(document["value"] is not None for document in documents)
    verdicts = [document["agrees"] for document in documents]
    if chosen.json:
        counts = {"known": known, "agree": verdicts.count(True), "differ": verdicts.count(False)}
        print_json({"game": game.spec, "file": str(file), **counts, "positions": documents})
        return
    compared = any(document["file_score"] is not None for document in documents)
    columns = ["position", "value", *["score"] * oracle.has_score, "best", *["the file's score", "its best"] * compared]
    rows = [[str(number), *_cells(document, compared)] for number, document in enumerate(documents, 1)]
    print_table(f"{file}: {several(len(records), 'position')} of {game}", columns, rows)
    print(f"{known:,} of {several(len(records), 'position')} solved.")
    if not all_searched:
        print("…: the limit was reached before all moves were searched; others may be as good.")
    if compared:
        print(f"Of those with a score in the file, {verdicts.count(True):,} agree and {verdicts.count(False):,} differ.")
    if known < len(records) and not beyond_reach:
        print(f"The oracle of {game.title} knows {oracle.reach}. `--seconds N` searches each position for a limited time anyway.")


def _file_says(record: RecordedGame, solution: Solution) -> dict[str, Any]:
    """The best score of a move in the file, the moves with this score, and whether it is the solution's; None if not known."""
    scores = record.move_scores
    if not scores:
        return {"file_score": None, "file_best": None, "agrees": None}
    best = max(scores.values())
    agrees = None if solution.score is None else solution.score == best
    return {"file_score": best, "file_best": [move for move, score in scores.items() if score == best], "agrees": agrees}


def _cells(document: dict[str, Any], compared: bool) -> list[str]:
    """The row of a position, without its number."""
    cells = [{1: "won", 0: "drawn", -1: "lost", None: "not known"}[document["value"]]]
    if "score" in document:
        cells.append("" if document["score"] is None else f"{document['score']:+d}")
    cells.append(", ".join([*document["best"], *["…"] * (document["value"] is not None and document["stopped"])]))
    if compared and document["file_score"] is not None:
        cells += [f"{document['file_score']:+d}{' differs' * (document['agrees'] is False)}", ", ".join(document["file_best"])]
    return cells + ["", ""] * (compared and document["file_score"] is None)
