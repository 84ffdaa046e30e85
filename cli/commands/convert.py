"""`ludus convert A B`: writes the games or positions of a file in another format."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ...arena.matches.record import recorded_game
from ...arena.store.store import Store
from ...core.errors import sentence
from ...core.files.writing import check_target, is_stream
from ...core.numbers import several
from ...envs import make_game
from ...records import FORMATS, RecordedGame, read_games, write_games
from ...records.file import RecordFile
from ...records.format import PARTS, RecordFormat, lost_parts
from ...records.formats import format_to_write, games_in
from ..playing.sources import is_store
from ..terminal.options import pathname
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
    """Reads games, and writes them."""
    target = format_to_write(chosen.target, chosen.write_as)
    check_target(chosen.target)
    games, label = _read(chosen)
    if not games:
        raise ValueError(f"{chosen.source} contains no games")
    count = write_games(chosen.target, games, format=target.name)
    lost = None if is_stream(chosen.target) else _count_lost(games, chosen.target, target)
    if chosen.json:
        document = {"file": str(chosen.target), "format": target.name, "games": count}
        print_json({**document, "lost": lost and dict(lost), "lost_label": label})
        return
    print(f"{several(count, 'game')} written to {chosen.target} ({target.name})")
    if lost is None:
        print(f"{chosen.target} is a stream, and is not read again to say what {target.name} could not hold.")
    if lost:
        parts = ", ".join(f"{part} (of {several(lost[part], 'game')})" for part in PARTS if lost[part])
        print(f"What {target.name} cannot hold was left out or cut: {parts}.")
    if label:
        print(f"The label of {chosen.source} was left out: {label}")


def _read(chosen: argparse.Namespace) -> tuple[list[RecordedGame], str]:
    """The games of the file or the store; and what a list says of itself at its top, which no game holds."""
    game = None if chosen.game is None else make_game(chosen.game)
    if chosen.read_as is None and is_store(chosen.source):
        with Store.open(chosen.source, trust=chosen.trust) as store:
            pairings = [pairing for pairing in store.plan.pairings if game is None or pairing.game == game.spec]
            return [recorded_game(record) for pairing in pairings for record in store.records(pairing)], ""
    file = RecordFile.open(chosen.source, game, trust=chosen.trust)
    return [*games_in(file, chosen.read_as)], sentence(file.label())


def _count_lost(games: Sequence[RecordedGame], path: Path, target: RecordFormat) -> Counter[str]:
    """Of how many games each part is not in the file as it was; the file is read again."""
    specs = {record.game for record in games}
    only = specs.pop() if len(specs) == 1 else None
    written = read_games(path, only, format=target.name, trust=True)  # of games that were made already
    return Counter(part for record, again in zip(games, written, strict=True) for part in lost_parts(record, again))
