"""Reads recorded games: from the store of a tournament, or from a file in any format of ludus.records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ...arena.matches.games import UNFINISHED, GameRecord, Pairing
from ...arena.matches.record import game_record
from ...arena.store.store import Store
from ...core.files.reading import open_regular
from ...games.game import Game
from ...records.file import STORE_BEGINS, RecordFile
from ...records.formats import find_format


class PairingResults(NamedTuple):
    """The number of games of a pairing, and their results for policy a."""

    games: int
    wins: int
    draws: int
    losses: int


class TextGames:
    """The games of a file, with the methods of a store that reading needs."""

    def __init__(self, records: list[GameRecord]) -> None:
        self._records = records

    def records(self, pairing: Pairing | None = None) -> Iterator[GameRecord]:
        """The games of a pairing, or all."""
        return (record for record in self._records if pairing in (None, record.pairing))

    def record(self, pairing: Pairing, number: int) -> GameRecord:
        """One game.

        Raises:
            ValueError: there is no such game.
        """
        for record in self.records(pairing):
            if record.number == number:
                return record
        raise ValueError(f"there is no game {number} of {pairing} here")

    def score(self, pairing: Pairing) -> PairingResults:
        """The results of a pairing; unfinished games count among its games alone."""
        games = [*self.records(pairing)]
        ended = [record for record in games if record.ending != UNFINISHED]
        results = [record.result if record.number % 2 == 0 else -record.result for record in ended]
        return PairingResults(len(games), *(results.count(result) for result in (1, 0, -1)))


Source = Store | TextGames


def pairings_of(source: Source) -> tuple[Pairing, ...]:
    """The pairings of a source; commands number them from 0."""
    if isinstance(source, Store):
        return source.plan.pairings
    return tuple(dict.fromkeys(record.pairing for record in source.records()))


def open_source(path: Path, game: Game | None = None, *, trust: bool = False) -> Source:
    """Opens a file of games: a store, or a file in any format of ludus.records.

    Args:
        path: the file.
        game: the game that is played in it, if the file does not say that.
        trust: whether code that the file names as a game may run.

    Raises:
        ValueError: it contains no games.
        OSError: it cannot be read.
    """
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a store, or a file of games")
    if is_store(path):
        return Store.open(path, trust=trust)
    try:
        records = _records_in(RecordFile.open(path, game, trust=trust))
    except ValueError as error:
        raise ValueError(f"{path}, {error}; expected a text of game records, another file of games, or a store") from None
    if not records:
        raise ValueError(f"{path} contains no games")
    return TextGames(records)


def is_store(path: Path) -> bool:
    """Whether a file is the store of a tournament.

    Raises:
        OSError: it cannot be read.
    """
    with open_regular(path) as file:
        return file.read(len(STORE_BEGINS)) == STORE_BEGINS


def _records_in(file: RecordFile) -> list[GameRecord]:
    """The games of a file as those of the arena; the numbers of games of other programs are even."""
    records, numbers = list[GameRecord](), Counter[tuple[str, tuple[str, str]]]()
    for recorded in find_format(file).read(file):
        key = recorded.game, recorded.players
        records.append(game_record(recorded, 2 * numbers[key]))
        numbers[key] += 1
    return records
