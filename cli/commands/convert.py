"""`ludus convert A B`: writes the games or positions of a file in another format."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from ...arena.matches.record import recorded_game
from ...arena.store.store import Store
from ...core.files.writing import check_target
from ...core.numbers import several
from ...envs import Game, make_game
from ...records import FORMATS, RecordedGame, read_games, write_games
from ...records.format import PARTS, RecordFormat
from ...records.formats import format_to_write
from ..playing.sources import is_store
from ..terminal.numbers import pathname
from ..terminal.output import print_json


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    names = ", ".join(FORMATS)
    add("source", action=pathname(), metavar="A", help="file of games or positions, or store of a tournament")
    add("target", action=pathname(), metavar="B", help="file to write; the end of its name says the format, unless --to does")
    add("--game", metavar="SPEC", help="the game that is played, if A does not say it")
    add("--from", dest="read_as", metavar="FORMAT", help=f"format of A, if neither its name nor what it holds tells it: {names}")
    add("--to", dest="write_as", metavar="FORMAT", help="format of B, if the end of its name does not tell it")
    add("--trust", action="store_true", help="allow code that A names as a game to run")


def run(chosen: argparse.Namespace) -> None:
    """Reads games, and writes them.

    Raises:
        ValueError: A holds no games that can be read, or B cannot hold them.
        OSError: A cannot be read, or B cannot be written.
    """
    target = format_to_write(chosen.target, chosen.write_as)
    check_target(chosen.target)
    game = None if chosen.game is None else make_game(chosen.game)
    lost = Counter[str]()
    games = _games_of(chosen, game)
    first = next(games, None)
    if first is None:
        raise ValueError(f"{chosen.source} contains no games")
    count = write_games(chosen.target, _count_lost(chain([first], games), target, lost), format=target.name)
    if chosen.json:
        print_json({"file": str(chosen.target), "format": target.name, "games": count, "lost": dict(lost)})
        return
    print(f"{several(count, 'game')} written to {chosen.target} ({target.name})")
    if lost:
        parts = ", ".join(f"{part} (of {several(lost[part], 'game')})" for part in PARTS if lost[part])
        print(f"What {target.name} cannot hold was left out: {parts}.")


def _games_of(chosen: argparse.Namespace, game: Game | None) -> Iterator[RecordedGame]:
    """The games of the file or the store."""
    source: Path = chosen.source
    if chosen.read_as is None and is_store(source):
        with Store.open(source, trust=chosen.trust) as store:
            for pairing in store.plan.pairings:
                if game is None or pairing.game == game.spec:
                    yield from map(recorded_game, store.records(pairing))
        return
    yield from read_games(source, game, format=chosen.read_as, trust=chosen.trust)


def _count_lost(games: Iterable[RecordedGame], target: RecordFormat, lost: Counter[str]) -> Iterator[RecordedGame]:
    """The games; counts for each part of them how often the format cannot hold it."""
    for record in games:
        lost.update(target.lost_parts(record))
        yield record
