"""`ludus replay FILE`: lists the games of a store or of any file of games, steps through one, or exports them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import islice
from typing import Any

from ...arena.grading.verdict import judge_of
from ...arena.matches.games import ENDINGS, UNFINISHED, GameRecord, transcript_entries
from ...arena.planning.plan import Pairing
from ...arena.store.export import FORMATS
from ...arena.store.store import Store
from ...core.errors import escape_unprintable
from ...core.files.writing import check_target
from ...core.numbers import several
from ...envs import make_game
from ...oracles import Solution
from ...records.pgn import RESULTS
from ..playing.sources import PairingResults, Source, open_source, pairings_of
from ..playing.steps import Steps, at_terminal, keyboard, show_all, walk
from ..terminal.options import pathname, seconds, whole
from ..terminal.output import print_json, print_result, print_table

LISTED = 20
"""The number of games in a list, or one of each pairing if there are more pairings."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add(
        "file",
        action=pathname(),
        help="store of a tournament, saved game, or any file of games: pgn, ggf, wthor, transcripts, lists of moves",
    )
    add("--spec", metavar="GAME", help="spec of the game that is played in the file, if the file does not say it")
    add("--pairing", action=whole(), metavar="N", help="select this pairing, by its number in the list")
    add("--game", action=whole(), metavar="N", help="step through this game, by its number in the pairing")
    add("--ending", choices=ENDINGS, help="select only games with this ending")
    formats = ", ".join(FORMATS)
    add("--export", action=pathname(), metavar="FILE", help=f"write the games to a file that ends in {formats}")
    add("--seconds", action=seconds(), help="let the oracle search each position for this long")
    add("--trust", action="store_true", help="allow code that the file names as a game to run")
    add("--no-oracle", action="store_true", help="do not show what the oracle says about moves")


def run(chosen: argparse.Namespace) -> None:
    """Lists, shows or writes games."""
    if chosen.export:
        if chosen.export.suffix not in FORMATS:
            raise ValueError(f"--export {chosen.export} has an unknown format; the name must end in {', '.join(FORMATS)}")
        check_target(chosen.export)
    source = open_source(chosen.file, chosen.spec and make_game(chosen.spec), trust=chosen.trust)
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
    pairings = [(n, pairing, _results_of(source, pairing)) for n, pairing in enumerate(pairings_of(source)) if n in numbers]
    some = max(1, LISTED // len(numbers))
    games = [(n, record) for n in numbers for record in islice(_records(source, n, chosen.ending), some)]
    suites = source.plan.openings if isinstance(source, Store) else {}
    if chosen.json:
        print_json(
            {
                "pairings": [{"pairing": n, **pairing._asdict(), **results._asdict()} for n, pairing, results in pairings],
                "games": [{"pairing": n, **_document(record)} for n, record in games],
                "suites": {game: openings.document() for game, openings in suites.items()},
                "sessions": [session._asdict() for session in source.sessions()] if isinstance(source, Store) else [],
            }
        )
        return
    print_table(
        "pairings",
        ["pairing", "game", "a", "b", "games", "a wins", "draws", "b wins"],
        [(n, *map(escape_unprintable, pairing), *results) for n, pairing, results in pairings],
        left=4,
    )
    print_table(
        "some of their games",
        ["pairing", "number", "player 0", "player 1", "result", "ended by", "plies"],
        [(n, r.number, *map(escape_unprintable, r.players), _result(r), _describe_ending(r), len(r.actions)) for n, r in games],
        left=6,
    )
    for game, openings in suites.items():
        print(f"Games of {game} began with {openings}, each from both seats.\n")
    print("To step through a game, add --pairing N --game N. To write all games, add --export FILE.csv, .parquet, .jsonl or .pgn.")


def show(source: Source, record: GameRecord, chosen: argparse.Namespace) -> None:
    """Steps through a game on a terminal; prints all pages elsewhere."""
    game = make_game(record.pairing.game)
    steps = Steps(record, game, None if chosen.no_oracle else judge_of(game, chosen.seconds))
    if chosen.json:
        session = source.session_of(record) if isinstance(source, Store) else None
        transcripts = {"said": transcript_entries(record)} if record.transcripts else {}
        print_json({**_document(record), "session": session and session._asdict(), **_moves(steps), **transcripts})
    elif at_terminal():
        with keyboard() as key:
            walk(steps, sys.stdout, key)
    else:
        show_all(steps, sys.stdout)


def write(source: Source, numbers: Sequence[int], chosen: argparse.Namespace) -> None:
    """Exports games."""
    records = (record for n in numbers for record in _records(source, n, chosen.ending))
    if chosen.game is not None:
        records = iter([_the_game(source, numbers, chosen.game)])
    try:
        count = FORMATS[chosen.export.suffix](records, chosen.export)
    except ImportError as error:
        raise ValueError(str(error)) from None
    text = f"{several(count, 'game')} written to {chosen.export}"
    print_result(chosen.json, {"file": str(chosen.export), "games": count}, text)


# ---- selecting games


def _numbers(source: Source, pairing: int | None) -> Sequence[int]:
    """The numbers of the selected pairings."""
    all_numbers = range(len(pairings_of(source)))
    if pairing is not None and pairing not in all_numbers:
        raise ValueError(f"there is no pairing {pairing}; they are numbered 0 to {all_numbers[-1]}")
    return all_numbers if pairing is None else [pairing]


def _the_game(source: Source, numbers: Sequence[int], number: int) -> GameRecord:
    if len(numbers) > 1:
        raise ValueError(f"there are {len(numbers)} pairings; select one with --pairing N (without --game they are listed)")
    return source.record(pairings_of(source)[numbers[0]], number)


def _only_game(source: Source, numbers: Sequence[int], chosen: argparse.Namespace) -> GameRecord | None:
    """The game of a file that contains only one."""
    if chosen.pairing is not None or chosen.ending is not None or len(numbers) > 1:
        return None
    games = list(islice(source.records(), 2))
    return games[0] if len(games) == 1 else None


def _records(source: Source, number: int, ending: str | None) -> Iterator[GameRecord]:
    """The games of a pairing, or only those with an ending."""
    return (record for record in source.records(pairings_of(source)[number]) if ending in (None, record.ending))


def _results_of(source: Source, pairing: Pairing) -> PairingResults:
    score = source.score(pairing)
    return PairingResults(score.games, score.wins, score.draws, score.losses)


def _result(record: GameRecord) -> str:
    return "*" if record.ending == UNFINISHED else RESULTS[record.result]


def _describe_ending(record: GameRecord) -> str:
    return f"{record.ending}: {escape_unprintable(' '.join(record.reason.split()))}" if record.reason else record.ending


# ---- JSON


def _document(record: GameRecord) -> dict[str, Any]:
    """A game for JSON, without its moves."""
    omitted = ("pairing", "actions", "moves", "transcripts")
    values = {field.name: getattr(record, field.name) for field in fields(record) if field.name not in omitted}
    if record.ending == UNFINISHED:
        values["result"] = None
    return {**record.pairing._asdict(), "players": record.players, **values, "plies": len(record.actions)}


def _moves(steps: Steps) -> dict[str, Any]:
    """All moves of a game, with the oracle's verdicts."""
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
        document |= {"before": _values(verdict.before), "after": _values(verdict.after), "best": best}
        document |= {"word": verdict.word, "verdict": verdict.sentence(game)}
    return document


def _values(solution: Solution) -> dict[str, int | None]:
    return {"value": solution.value, "distance": solution.distance, "score": solution.score}
