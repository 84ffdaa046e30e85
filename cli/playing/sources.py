"""Where games come from that were played: a tournament's store, or a text of records."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ...arena.matches.games import GameRecord
from ...arena.matches.record import parse
from ...arena.planning.plan import Pairing
from ...arena.store.store import Sitting, Store
from ...envs.files.reading import opened_regular, read_regular

SQLITE = b"SQLite format 3\0"
MOST_BYTES = 1 << 30
"""Texts of records are smaller than this: 1 GiB."""


class Standing(NamedTuple):
    """How many games of a pairing are there, and how they ended for a."""

    games: int
    wins: int
    draws: int
    losses: int


class Source(ABC):
    """Games by pairings, which are numbered from 0."""

    pairings: tuple[Pairing, ...]

    @abstractmethod
    def records(self, pairing: Pairing) -> Iterator[GameRecord]:
        """All games of a pairing."""

    @abstractmethod
    def standing(self, pairing: Pairing) -> Standing:
        """How a pairing stands."""

    def record(self, pairing: Pairing, number: int) -> GameRecord:
        """One game.

        Raises:
            ValueError: it is not there.
        """
        for record in self.records(pairing):
            if record.number == number:
                return record
        raise ValueError(f"there is no game {number} of {pairing} here")

    def sittings(self) -> list[Sitting]:
        """When and on what the games were played, where that is known."""
        return []

    def sitting_of(self, record: GameRecord) -> Sitting | None:
        """When and on what one was played, where that is known."""
        return None


class StoreSource(Source):
    """The games of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.pairings = store.plan.pairings

    def records(self, pairing: Pairing) -> Iterator[GameRecord]:
        return self._store.records(pairing)

    def standing(self, pairing: Pairing) -> Standing:
        score = self._store.score(pairing)
        return Standing(score.games, score.wins, score.draws, score.losses)

    def record(self, pairing: Pairing, number: int) -> GameRecord:
        return self._store.record(pairing, number)

    def sittings(self) -> list[Sitting]:
        return self._store.sittings()

    def sitting_of(self, record: GameRecord) -> Sitting | None:
        return self._store.sitting_of(record)


class TextSource(Source):
    """The games of a text."""

    def __init__(self, records: list[GameRecord]) -> None:
        self._records = records
        self.pairings = tuple(dict.fromkeys(record.pairing for record in records))

    def records(self, pairing: Pairing) -> Iterator[GameRecord]:
        return (record for record in self._records if record.pairing == pairing)

    def standing(self, pairing: Pairing) -> Standing:
        results = [record.result if record.number % 2 == 0 else -record.result for record in self.records(pairing)]
        return Standing(len(results), *(results.count(result) for result in (1, 0, -1)))


def source_of(path: Path, *, trust: bool = False) -> Source:
    """The games of a file.

    Args:
        path: the file.
        trust: whether code may run that it names as a game.

    Raises:
        ValueError: it holds no games.
        OSError: it cannot be read.
    """
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a store, or a text of game records")
    with opened_regular(path) as file:
        is_store = file.read(len(SQLITE)) == SQLITE
    if is_store:
        return StoreSource(Store.open(path, trust=trust))
    try:
        records = parse(read_regular(path, MOST_BYTES).decode(), trust=trust)
    except UnicodeDecodeError:
        raise ValueError(f"{path} is neither a store of ludus nor a text of game records") from None
    except ValueError as error:
        raise ValueError(f"{path}, {error}; a text of game records is meant to be there, or a store") from None
    if not records:
        raise ValueError(f"{path} holds no games")
    return TextSource(records)
