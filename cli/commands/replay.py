"""`ludus replay FILE`: what a store or a text of records holds, one of its games move by move, or all for another program."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from ...agents.oracles import Solution
from ...arena.grading.verdict import judge_of
from ...arena.matches.errors import printable
from ...arena.matches.games import ENDINGS, GameRecord
from ...arena.matches.record import RESULTS
from ...arena.store.export import FORMATS
from ...envs import make_game
from ...envs.files.writing import check_target
from ..playing.sources import Source, source_of
from ..playing.steps import Steps, at_terminal, keyboard, show_all, walk
from ..terminal.numbers import seconds, whole
from ..terminal.output import print_json, print_table

LISTED = 20
"""So many games are listed, or one of each pairing where there are more pairings."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The file, which games of it, and what to do with them."""
    parser.add_argument("file", type=Path, help="a tournament's store, or a text of game records")
    parser.add_argument("--pairing", action=whole(), metavar="N", help="only this pairing, by its number in the list")
    parser.add_argument("--game", action=whole(), metavar="N", help="step through this game, by its number in the pairing")
    parser.add_argument("--ending", choices=ENDINGS, help="only games that ended so")
    parser.add_argument(
        "--export", type=Path, metavar="FILE", help=f"write the games to a file, by its name's end {', '.join(FORMATS)}"
    )
    parser.add_argument("--seconds", action=seconds(), help="let the oracle try so long a position, beyond its reach too")
    parser.add_argument("--trust", action="store_true", help="let code run that the file names as a game")
    parser.add_argument("--no-oracle", action="store_true", help="without the oracle's verdicts")


def run(chosen: argparse.Namespace) -> None:
    """Lists, shows or writes games."""
    if chosen.export:
        if chosen.export.suffix not in FORMATS:
            raise ValueError(f"--export {chosen.export} does not say a format; the name must end in {', '.join(FORMATS)}")
        check_target(chosen.export)
    source = source_of(chosen.file, trust=chosen.trust)
    numbers = _numbers(source, chosen.pairing)
    if chosen.export:
        write(source, numbers, chosen)
    elif chosen.game is not None:
        show(source, _the_game(source, numbers, chosen.game), chosen)
    elif only := _only_game(source, numbers, chosen):
        show(source, only, chosen)
    else:
        list_games(source, numbers, chosen)


def list_games(source: Source, numbers: Sequence[int], chosen: argparse.Namespace) -> None:
    """Prints the pairings and some of their games."""
    pairings = [(n, source.pairings[n], source.standing(source.pairings[n])) for n in numbers]
    some = max(1, LISTED // len(numbers))
    games = [(n, record) for n in numbers for record in islice(_ended(source, n, chosen.ending), some)]
    if chosen.json:
        print_json(
            {
                "pairings": [{"pairing": n, **pairing._asdict(), **standing._asdict()} for n, pairing, standing in pairings],
                "games": [{"pairing": n, **_document(record)} for n, record in games],
                "sittings": [sitting._asdict() for sitting in source.sittings()],
            }
        )
        return
    print_table(
        "pairings",
        ["pairing", "game", "a", "b", "games", "a wins", "draws", "b wins"],
        [(n, *pairing, *standing) for n, pairing, standing in pairings],
        left=4,
    )
    print_table(
        "some of their games",
        ["pairing", "number", "player 0", "player 1", "result", "ended by", "plies"],
        [(n, r.number, *r.players, RESULTS[r.result], _ended_by(r), len(r.actions)) for n, r in games],
        left=6,
    )
    print("Step through one: add --pairing N --game N; write all: add --export FILE.csv, .parquet or .txt")


def show(source: Source, record: GameRecord, chosen: argparse.Namespace) -> None:
    """Steps through a game, or prints all of it where nobody sits at a terminal."""
    game = make_game(record.pairing.game)
    steps = Steps(record, game, None if chosen.no_oracle else judge_of(game, chosen.seconds))
    if chosen.json:
        sitting = source.sitting_of(record)
        print_json({**_document(record), "sitting": sitting and sitting._asdict(), **_played(steps)})
    elif at_terminal():
        with keyboard() as key:
            walk(steps, sys.stdout, key)
    else:
        show_all(steps, sys.stdout)


def write(source: Source, numbers: Sequence[int], chosen: argparse.Namespace) -> None:
    """Writes games for another program.

    Raises:
        ValueError: the format needs a library that is not installed.
        OSError: the file cannot be written.
    """
    records = (record for n in numbers for record in _ended(source, n, chosen.ending))
    if chosen.game is not None:
        records = iter([_the_game(source, numbers, chosen.game)])
    try:
        count = FORMATS[chosen.export.suffix](records, chosen.export)
    except ImportError as error:
        raise ValueError(str(error)) from None
    told = f"{count} games written to {chosen.export}"
    print_json({"file": str(chosen.export), "games": count}) if chosen.json else print(told)


# ---- which games


def _numbers(source: Source, pairing: int | None) -> Sequence[int]:
    """The numbers of the pairings that are asked for."""
    there = range(len(source.pairings))
    if pairing is not None and pairing not in there:
        raise ValueError(f"there is no pairing {pairing}; they are numbered 0 to {there[-1]}")
    return there if pairing is None else [pairing]


def _the_game(source: Source, numbers: Sequence[int], number: int) -> GameRecord:
    if len(numbers) > 1:
        raise ValueError(
            f"say which of the {len(numbers)} pairings has game {number}, by --pairing N; without --game they are listed"
        )
    return source.record(source.pairings[numbers[0]], number)


def _only_game(source: Source, numbers: Sequence[int], chosen: argparse.Namespace) -> GameRecord | None:
    """The game of a file that has one."""
    if chosen.pairing is not None or chosen.ending is not None or len(numbers) > 1:
        return None
    games = list(islice(source.records(source.pairings[0]), 2))
    return games[0] if len(games) == 1 else None


def _ended(source: Source, number: int, ending: str | None) -> Iterator[GameRecord]:
    """The games of a pairing, all or those that ended so."""
    return (record for record in source.records(source.pairings[number]) if ending in (None, record.ending))


def _ended_by(record: GameRecord) -> str:
    return f"{record.ending}: {printable(' '.join(record.reason.split()))}" if record.reason else record.ending


# ---- games as JSON knows them


def _document(record: GameRecord) -> dict[str, Any]:
    """A game without its moves."""
    left_out = ("pairing", "actions", "moves")
    kept = {name: value for name, value in asdict(record).items() if name not in left_out}
    return {**record.pairing._asdict(), "players": record.players, **kept, "plies": len(record.actions)}


def _played(steps: Steps) -> dict[str, Any]:
    """Every move of a game, with what the oracle says of it."""
    return {
        "start": steps.game.text(steps.states[0]),
        "moves": [_move(steps, page) for page in range(1, steps.pages)],
        "end": steps.end(),
    }


def _move(steps: Steps, page: int) -> dict[str, Any]:
    player, game = steps.game.player(steps.states[page - 1]), steps.game
    document: dict[str, Any] = {
        "ply": page,
        "player": player,
        "policy": None if page <= steps.record.opening else steps.record.players[player],
        "move": game.move_name(steps.record.actions[page - 1]),
        "position": game.text(steps.states[page]),
    }
    if verdict := steps.verdict(page):
        best = [game.move_name(action) for action in verdict.best]
        document |= {"before": _worth(verdict.before), "after": _worth(verdict.after), "best": best}
        document |= {"word": verdict.word, "verdict": verdict.sentence(game)}
    return document


def _worth(solution: Solution) -> dict[str, int | None]:
    return {"value": solution.value, "distance": solution.distance, "score": solution.score}
