"""Reads recorded games: from the store of a tournament, or from a text of game records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ...arena.matches.games import GameRecord, Pairing
from ...arena.matches.record import parse
from ...arena.store.store import Store
from ...core.files.reading import decode_text, open_regular, read_regular

SQLITE = b"SQLite format 3\0"
MAX_BYTES = 1 << 30
"""The largest text of records that is read: 1 GiB."""


class PairingResults(NamedTuple):
    """The number of games of a pairing, and their results for policy a."""

    games: int
    wins: int
    draws: int
    losses: int


class TextGames:
    """The games of a text, with the methods of a store that reading needs."""

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
        """The results of a pairing."""
        results = [record.result if record.number % 2 == 0 else -record.result for record in self.records(pairing)]
        return PairingResults(len(results), *(results.count(result) for result in (1, 0, -1)))


Source = Store | TextGames


def pairings_of(source: Source) -> tuple[Pairing, ...]:
    """The pairings of a source; commands number them from 0."""
    if isinstance(source, Store):
        return source.plan.pairings
    return tuple(dict.fromkeys(record.pairing for record in source.records()))


def open_source(path: Path, *, trust: bool = False) -> Source:
    """Opens a file of games.

    Args:
        path: the file.
        trust: whether code that the file names as a game may run.

    Raises:
        ValueError: it contains no games.
        OSError: it cannot be read.
    """
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a store, or a text of game records")
    with open_regular(path) as file:
        is_store = file.read(len(SQLITE)) == SQLITE
    if is_store:
        return Store.open(path, trust=trust)
    try:
        records = parse(decode_text(read_regular(path, MAX_BYTES)), trust=trust)
    except UnicodeDecodeError:
        raise ValueError(f"{path} is neither a store of ludus nor a text of game records") from None
    except ValueError as error:
        raise ValueError(f"{path}, {error}; expected a text of game records, or a store") from None
    if not records:
        raise ValueError(f"{path} contains no games")
    return TextGames(records)
